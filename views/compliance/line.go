package compliance

import (
	"slices"
	"strconv"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/compliance/ruled"
	"preceptor/internal/pack"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// Line is the page of a pack's rubric or taxonomy.
type Line struct {
	Kind     string
	Pack     string
	Now      time.Time
	Editions []approval.Change // newest first
	Viewer   borderline.Viewer
	Waiting  approval.Waiting // what is proposed
	Edit     bool
	Text     string // of the form
	Reason   string
	Errors   map[string]string
	Message  string
}

func (v Line) inForce() approval.Change {
	for _, e := range v.Editions {
		if e.InForce() {
			return e
		}
	}
	return approval.Change{Kind: v.Kind}
}

func (v Line) proposed() *approval.Change {
	for i := range v.Editions {
		if v.Editions[i].State == approval.Proposed {
			return &v.Editions[i]
		}
	}
	return nil
}

func (v Line) title() string {
	if v.Kind == rubric.TaxonomyKind {
		return "Issues"
	}
	return pack.Of(v.Pack).Line.Title
}

// tab is the one of the standards that the page stands under.
func (v Line) tab() string {
	if v.Kind == rubric.TaxonomyKind {
		return layout.TabIssues
	}
	return layout.TabRubric
}

// kinds are the issues of an edition of the taxonomy, as far as they can be read.
func kinds(e approval.Change) []rubric.IssueKind {
	t, err := rubric.ReadTaxonomy(e.Payload)
	if err != nil {
		return nil
	}
	return t.Issues
}

// RuledSentence is one with how many experts agree on it now; 0 where others have said the opposite since.
type RuledSentence struct {
	ruled.Sentence
	Experts int
}

// SentenceForm is the form that ends a ruled sentence, as it was typed.
type SentenceForm struct {
	ID, Reason, Message string
	Errors              map[string]string
}

// of is what was typed, and errorOf what was wrong with it, if it was about this sentence.
func (f SentenceForm) of(id string) string {
	if f.ID != id {
		return ""
	}
	return f.Reason
}

func (f SentenceForm) errorOf(id string) string {
	if f.ID != id {
		return ""
	}
	return f.Errors["reason"]
}

func (r RuledSentence) status() (tone ui.Tone, icon, words string) {
	switch {
	case r.Experts == 0:
		return ui.Neutral, "undo", "replaced by a later ruling"
	case !compliance.InForce(r.Experts):
		return ui.Neutral, "person", "needs a second expert"
	case r.Right:
		return ui.Amber, "flag", "always flagged"
	}
	return ui.Green, "check", "no longer flagged"
}

// clickForm is the form that clicks on findings are sent with; "" where the viewer gives none.
func (v Case) clickForm() string {
	switch {
	case !v.Viewer.Expert:
	case v.rules():
		return "rule"
	case v.settles() && v.Mode == ModeChange:
		return "answer"
	case v.settles():
		return "keep"
	}
	return ""
}

// clickOptions are what can be said of a finding; a value says of which.
func clickOptions(f compliance.Issue) []ui.Option {
	of := ":" + f.Code + ":" + strconv.Itoa(f.Span[0]) + ":" + strconv.Itoa(f.Span[1])
	return []ui.Option{{Value: "right" + of, Label: saidOf(f.Code, true)},
		{Value: "wrong" + of, Label: saidOf(f.Code, false)}, {Value: "", Label: "No answer"}}
}

// saidOf is what an expert can say of a finding, or of words that a judge weighs and doesn't flag.
func saidOf(code string, right bool) string {
	words := [2]string{"Wrong", "Right"}
	if code == compliance.Other {
		words = [2]string{"Fine", "A problem"}
	}
	if right {
		return words[1]
	}
	return words[0]
}

// asksOf is what is asked of findings, and what there is to know about an answer.
func asksOf(list []compliance.Issue) (title, hint string) {
	for _, f := range list {
		if f.Code != compliance.Other {
			return "Is each finding right?", "“Wrong” means that the words are fine."
		}
	}
	return "Are these words fine?", ""
}

// clicked reports whether an option was chosen.
func (v Case) clicked(f compliance.Issue, value string) bool {
	if value != "" {
		return slices.Contains(v.Form.Clicks, value)
	}
	return !slices.ContainsFunc(clickOptions(f)[:2], func(o ui.Option) bool {
		return slices.Contains(v.Form.Clicks, o.Value)
	})
}

// clicksOf are the clicks of an answer; one that was kept shows those with which it was.
func (v Case) clicksOf(a borderline.Answer) []ruled.Click {
	last := v.View.Others
	if v.View.Last != nil {
		last = append(slices.Clone(last), *v.View.Last)
	}
	if at := slices.IndexFunc(last, func(o borderline.Answer) bool { return o.Kept && o.By.ID == a.By.ID }); at >= 0 {
		return last[at].Clicks
	}
	return a.Clicks
}

// Todo is what waits for an expert: what is overdue or urgent first, then oldest first.
type Todo struct {
	Items  []TodoItem
	Labels int
	Extra  []ui.Tab // among Items, and not in the number in the navigation
	Now    time.Time
}

// TodoItem is one thing to do.
type TodoItem struct {
	Since       time.Time
	Kind, Title string
	Words       string // what it is about, in its own words
	Why         string // it is here, or stands as it does
	Href        string
	Urgent      bool
	Target      time.Time // of a borderline case
	Skipped     bool      // by the viewer, all of it
	Again       string    // the address that takes up again what the viewer skipped
}

// Rank is 0 for what is overdue or urgent, 2 for what has no age and 3 for what the viewer skipped.
func (it TodoItem) Rank(now time.Time) int {
	switch {
	case it.Skipped:
		return 3
	case it.Urgent || !it.Target.IsZero() && now.After(it.Target):
		return 0
	case it.Since.IsZero():
		return 2
	}
	return 1
}

// sum is what waits, kind by kind, each leading to its list; together it is the number in the navigation.
func (v Todo) sum(w layout.Waits) (list []ui.Tab) {
	add := func(n int, one, many, href string) {
		if n > 0 {
			list = append(list, ui.Tab{Label: ui.Count(n, one, many), Href: href})
		}
	}
	add(w.Late, "overdue case", "overdue cases", "/compliance?list="+borderline.ListLate)
	add(w.Cases-w.Late, "case within its target", "cases within their target",
		"/compliance?list="+borderline.ListInTime)
	skipped := 0
	for _, it := range v.Items {
		if it.Again != "" {
			skipped++
		}
	}
	if skipped > 0 {
		list = append(list, ui.Tab{Label: "you skipped " + ui.Count(skipped, "case", "cases"), Href: "/compliance"})
	}
	add(w.Rules, "rule", "rules", "/learning")
	add(w.Unstated, "correction without a rule", "corrections without a rule", "/learning")
	add(w.Failed, "failed step", "failed steps", "/learning")
	add(w.Conflicts, "conflict", "conflicts", layout.TabConflicts)
	add(w.Quarantined, "rule in quarantine", "rules in quarantine", layout.TabQuarantine)
	add(w.Due, "rule due for review", "rules due for review", layout.TabQuarantine)
	add(w.Documents, "section or document to check", "sections and documents to check", layout.TabDocuments)
	add(w.Ratings, "quality rating", "quality ratings", "/compliance?list="+TabRatings)
	add(w.Changes, "change to agree to", "changes to agree to", "/approvals")
	return list
}

// Beside is Count for what isn't in the number in the navigation, as of some there may be thousands.
func (v *Todo) Beside(n int, kind, words, href string) {
	if v.Count(n, kind, words, href); n > 0 {
		v.Extra = append(v.Extra, ui.Tab{Label: words, Href: href})
	}
}

// Count adds what is counted and not listed.
func (v *Todo) Count(n int, kind, words, href string) {
	if n > 0 {
		v.Items = append(v.Items, TodoItem{Kind: kind, Words: words, Href: href})
	}
}
