package compliance

import (
	"time"

	"preceptor/internal/compliance/borderline"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

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
	add(w.Rules, "rule", "rules", "/learning")
	add(w.Unstated, "correction without a rule", "corrections without a rule", "/learning")
	add(w.Failed, "failed step", "failed steps", "/learning")
	add(w.Conflicts, "conflict", "conflicts", layout.TabConflicts)
	add(w.Quarantined, "rule in quarantine", "rules in quarantine", layout.TabQuarantine)
	add(w.Due, "rule due for review", "rules due for review", layout.TabQuarantine)
	add(w.Documents, "document section to check", "document sections to check", layout.TabDocuments)
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
