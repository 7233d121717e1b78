package stats

import (
	"fmt"
	"math"
	"net/url"
	"strings"

	"preceptor/internal/stats"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// Changes is the page between a dip in a chart and its cause: what users wrote in those days, and what had been put in use.
type Changes struct {
	Scope
	stats.ChangesPage
	Recall bool // the rows of a rule can be listed
}

// Charts are the charts of the page.
func (v Changes) Charts() []chart.Chart {
	c := chart.Chart{ID: "topics", Title: "By topic in those days", Bars: bars(v.Period, "Topic", "votes", v.Topics, 8, func(s stats.Slice) string { return v.comments("topic", s.Key) }), Note: more(len(v.Topics), 8, "topics")}
	c.Bars.Prior = strings.Replace(c.Bars.Prior, "Period before", "Other days", 1)
	c.Says = extremes(v.Topics, "topic")
	return []chart.Chart{v.files(c)}
}

// sentence is what happened, in one line.
func (v Changes) sentence() string {
	if !v.Dip.Known {
		return "Nobody voted in these days."
	}
	s := fmt.Sprintf("Satisfaction was %s of %s", text(v.Dip), ui.Count(v.Dip.N, "vote", "votes"))
	if i := intervalText(v.Dip); i != "" {
		s += " (" + i + ")"
	}
	if !v.Rest.Known {
		return s + "; there is nothing to compare it with."
	}
	by := v.Dip.Value - v.Rest.Value
	word := "more"
	if by < 0 {
		word = "fewer"
	}
	return fmt.Sprintf("%s: %s %s than on the other days from %s (%s of %s).", s, points(math.Abs(by)), word, v.Period.words(), text(v.Rest), ui.Thousands(v.Rest.N))
}

// suspects and others are the changes, those first whose votes surely are worse.
func (v Changes) suspects() (out []stats.Change) {
	for _, c := range v.ChangesPage.Changes {
		if c.Suspect() {
			out = append(out, c)
		}
	}
	return out
}

func (v Changes) others() (out []stats.Change) {
	for _, c := range v.ChangesPage.Changes {
		if !c.Suspect() {
			out = append(out, c)
		}
	}
	return out
}

// comments is the address of the comments of those days.
func (v Changes) comments(more ...string) string {
	return v.Period.within(v.Around.From, v.Around.To).comments(more...)
}

// votes is the address of the votes on what was shown a rule.
func (v Changes) votes(c stats.Change) string {
	return v.Period.address("/stats/rows", "of", "rule:"+c.ID)
}

// hrefOf is the page of a change; "" without one.
func hrefOf(c stats.Change) string {
	if !c.Href {
		return ""
	}
	switch c.Kind {
	case "rule":
		return "/knowledge/rules/" + url.PathEscape(c.ID)
	case "check":
		return "/compliance/checks/" + url.PathEscape(c.ID)
	case "policy":
		return "/admin/policies/" + url.PathEscape(c.ID)
	case "line":
		return "/compliance/rubric"
	case "threshold":
		return "/compliance/judges/thresholds/" + url.PathEscape(c.ID)
	}
	return ""
}

var kindWords = map[string]string{"rule": "Rule", "check": "Check", "policy": "Review policy", "line": "The line", "threshold": "Judges' threshold", "exemplar": "Exemplar"}

var whatWords = map[string]string{"in": "put in use", "new": "reworded", "out": "taken out of use"}

func changeWords(c stats.Change) string {
	s := or(kindWords[c.Kind], c.Kind)
	if c.Name != "" {
		s += " " + c.Name
	}
	return s + " " + or(whatWords[c.What], c.What)
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// votesSay sets the votes on what was shown a rule against the others.
func votesSay(c stats.Change) string {
	if c.With.Whole == 0 {
		return "No votes on answers that were made with it."
	}
	s := fmt.Sprintf("Satisfaction %s of %s with it", percent(c.With)+" "+bracketed(c.With), ui.Count(c.With.Whole, "vote", "votes"))
	if c.Without.Whole == 0 {
		return s + "; there are no others on the same topics."
	}
	return s + ", " + percent(c.Without) + " " + bracketed(c.Without) + " without it on the same topics."
}

// Rows is the list of what a figure was counted from.
type Rows struct {
	Scope
	stats.RowPage
	Of     string
	Title  string
	Person string
	Search string
	Link   func(stats.Row) string // the page of a row's case; "" without one
	Later  bool                   // not the first page
}

// RowsTitle names the rows of a figure.
func RowsTitle(of string) string {
	if strings.HasPrefix(of, "rule:") {
		return "Votes on answers made with a rule"
	}
	if t, ok := rowTitles[of]; ok {
		return t
	}
	_, last, _ := strings.Cut(of, ".")
	return topicName(strings.ReplaceAll(last, "-", "_"))
}

var rowTitles = map[string]string{"vote": "Votes", "vote.positive": "Positive votes", "vote.negative": "Negative votes", "vote.neutral": "Neutral votes"}

// whatText is what a row says, in words.
func whatText(r stats.Row) string {
	s := topicName(strings.ToLower(r.What))
	if r.Value.Known {
		s += " " + text(r.Value)
	}
	return strings.TrimSpace(s)
}

// next is the address of the following page.
func (v Rows) next() string {
	if v.Next == "" {
		return ""
	}
	return v.Period.address("/stats/rows", "of", v.Of, "person", v.Person, "q", v.Search, "after", v.Next)
}

func (v Rows) first() string {
	return v.Period.address("/stats/rows", "of", v.Of, "person", v.Person, "q", v.Search)
}

// firstWhenPaged leads back from a later page.
func (v Rows) firstWhenPaged() string {
	if !v.Later {
		return ""
	}
	return v.first()
}
