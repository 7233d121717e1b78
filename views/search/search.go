// Package search draws the one search of the program: cases of the desk, rules and cases of the knowledge base, and
// people, as far as the person's roles allow. What a role may not see is not searched, and the page doesn't say whether
// there would have been something.
package search

import (
	"cmp"
	"net/url"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/views/ui"
)

// The kinds that a search can be limited to.
const (
	Reviews   = "reviews"
	Knowledge = "knowledge"
	People    = "people"
)

// Results are what was found for a query.
type Results struct {
	Query string
	Kind  string // one of the kinds; empty: all
	Own   bool   // the cases are those that the person asked the advisor, and no others
	// ReadOnly: the person decides nothing, so the cases lead to pages to read.
	ReadOnly bool
	Cases    []review.Row
	More     bool             // cases beyond those
	Known    []knowledge.Item // those without a score aren't in use
	// People are nil for those who may not see a list of them.
	People   []Person
	Peopled  bool // people were searched
	MayAdmin bool
	Now      time.Time
}

// Person is somebody who was found.
type Person struct {
	ID, Name, Roles string
	Disabled        bool
}

// Searches reports whether a kind is looked through.
func (v Results) Searches(kind string) bool {
	return (v.Kind == "" || v.Kind == kind) && (kind != People || v.Peopled)
}

// kinds lead to the same search in one kind alone.
func (v Results) kinds() (tabs []ui.Tab) {
	for _, k := range []struct{ kind, label string }{{"", "All"}, {Reviews, "Reviews"}, {Knowledge, "Rules and cases"},
		{People, "People"}} {
		if k.kind == People && !v.Peopled {
			continue
		}
		q := url.Values{"q": {v.Query}}
		if k.kind != "" {
			q.Set("kind", k.kind)
		}
		tabs = append(tabs, ui.Tab{Label: k.label, Href: "/search?" + q.Encode(), Count: -1, Current: v.Kind == k.kind})
	}
	return tabs
}

func (v Results) nothing() bool { return len(v.Cases)+len(v.Known)+len(v.People) == 0 }

func (v Results) caseHref(r review.Row) string {
	if v.Own {
		return "/ask/" + r.ID
	}
	if v.ReadOnly {
		return "/interactions/" + r.ID
	}
	return "/reviews/" + r.ID
}

func (v Results) moreHref(state string) string {
	return ui.Address("/reviews", review.Filter{Search: v.Query, State: state})
}

func taskOf(r review.Row) string { return pack.Label(r.Task) }

func stateOf(r review.Row) string {
	if r.State == "waiting" {
		return "waiting"
	}
	return cmp.Or(r.Ended, "decided")
}

func itemHref(it knowledge.Item) string { return "/knowledge/" + it.Kind + "s/" + it.ID }
