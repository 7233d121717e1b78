package reviews

import (
	"cmp"
	"slices"
	"strings"

	"preceptor/internal/platform/lists"
	"preceptor/internal/review"
	"preceptor/views/ui"
)

// group is a part of the page, with what it is and why it comes where it does.
type group struct {
	of         review.Group
	title, why string
	rows       []review.Row
}

// groups are the rows of the page by their groups; a list without groups is one that has no title.
func (v Queue) groups() (out []group) {
	for _, r := range v.Page.Items {
		if n := len(out); n == 0 || out[n-1].of != r.Group {
			g := group{of: r.Group}
			g.title, g.why = v.groupWords(r.Group)
			out = append(out, g)
		}
		last := &out[len(out)-1]
		last.rows = append(last.rows, r)
	}
	return out
}

func (v Queue) groupWords(g review.Group) (title, why string) {
	switch g {
	case review.GroupMine:
		return "Assigned to you", "You or a colleague assigned these to you."
	case review.GroupSecond:
		if v.Outside {
			return "Needs a second approval", "One supervisor approved these; they aren't sent until another does."
		}
		return "Needs your second approval", "One supervisor approved these; they aren't sent until you do."
	case review.GroupFirst:
		return "Customer waiting", "A customer is waiting, or the agent says that it's urgent."
	case review.GroupBlocked:
		return "Blocked", "A check stopped these, or they were recalled: they take the most work."
	case review.GroupCare:
		return "Needs extra care", "Vulnerable customers, and where a wrong answer does the most harm."
	case review.GroupOverdue:
		if t, same := v.oneTarget(); same {
			return "Overdue", "Waiting longer than the target of " + hours(t.Late) + "."
		}
		return "Overdue", "Waiting longer than the target of their agent's review policy."
	case review.GroupRest:
		return "Other", "Uncertain drafts first, then the oldest."
	}
	return "", ""
}

// matches is how many reviews the filter chooses; empty where that isn't known.
func (v Queue) matches() string {
	n := v.Page.Matches
	switch {
	case v.Filter.Cursor != "" || n == 0:
		return ""
	case n == review.MaxPosition:
		return ui.Thousands(n) + "+ matches"
	}
	return ui.Count(n, "match", "matches")
}

// reason is why a review needs a person: the weightiest in words, and the others.
func (v Queue) reason(r review.Row) (tone ui.Tone, icon, word string, more []string) {
	x := v.Experts[r.ID][r.TextHash]
	all := whys(r.Why)
	worst := slices.MinFunc(append([]review.Flag{{}}, r.Assessment.Flags...), func(a, b review.Flag) int {
		return severity(a) - severity(b)
	})
	switch line := panelLine(x, r.Assessment); {
	case x.Ruled != "":
		tone, icon, word, _ = ruled(x)
	case x.Open && x.Sent != "":
		tone, icon, word = ui.Accent, "person", "With the experts"
	case r.First.ID != "": // what it says of the draft may not hold of the text that was approved
		return "", "", "", nil
	case r.Assessment.Label != "" && !r.Assessment.Clean():
		tone, icon, word = ui.Red, "stop", blockedBy(r.Assessment)
	case line != "":
		tone, icon = panelSign(line)
		word = line
	case worst.Code != "":
		tone, icon, word = flagTone(worst), flagIcon(worst), FlagName(worst.Code)
	case len(all) > 0:
		word = all[0]
	}
	if x.Open && x.Sent == "" && word == "" {
		tone, icon, word = ui.Accent, "person", "With the experts"
	} else if x.Open && x.Sent == "" {
		more = append(more, "With the experts")
	}
	var named []string // in word
	if tone == ui.Red {
		named = lists.Map(r.Assessment.Stopping(), FlagName)
	}
	if onlyUnsure(r.Assessment) && len(r.Assessment.Flags) == 0 && x.Ruled == "" {
		all = append(all, noFlagsUnsure)
		word = cmp.Or(word, noFlagsUnsure)
	}
	for _, w := range all {
		if w != word && !slices.Contains(named, w) && !(worst.Code == "" && strings.EqualFold(w, word)) {
			more = append(more, w)
		}
	}
	return tone, icon, word, more
}

// severity orders flags, the weightiest first; no flag comes last.
func severity(f review.Flag) int {
	if i := slices.Index([]string{review.Critical, review.Major, review.Minor}, gravity(f)); i >= 0 {
		return i
	}
	return 3
}
