package knowledge

import (
	"strings"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/views/ui"
)

// History is the states of the whole base, and the rollbacks to them.
type History struct {
	States    []knowledge.State
	Next      string // cursor
	Cursor    string `form:"cursor"`
	Rollbacks []knowledge.Rollback
	MayChange bool
	Name      string `form:"name"` // typed
	Errors    map[string]string
	Now       time.Time
}

// GoingBack is what putting the base back to a state would do.
type GoingBack struct {
	knowledge.Preview
	MayChange bool
	Reason    string `form:"reason"`
	Seen      *int64 `form:"seen"` // the last change that the page knew; nil: it does not say
	Errors    map[string]string
	Message   string
	Now       time.Time
}

// shownChanges is how many items of each sort a preview lists.
const shownChanges = 100

// outcomes are the sorts, in the order in which they are listed.
var outcomes = []struct{ name, title, tell string }{
	{knowledge.LeftErased, "Stay away, because they were erased", "What was erased never comes back."},
	{knowledge.LeftQuarantined, "Stay out, because they were put in quarantine",
		"Only a person can end a quarantine, on the rule's page."},
	{knowledge.RollbackOut, "Leave use", "They were added later, or were not in use then."},
	{knowledge.RollbackBack, "Come back into use", "They were in use then."},
	{knowledge.RollbackWaits, "Waiting for a person", "Their old text would not pass the checks now."},
	{knowledge.RollbackChanged, "Go back to their old text",
		"Struck through: what is removed. Underlined: what comes back."},
}

func (v GoingBack) of(outcome string) (list []knowledge.RollbackItem) {
	for _, it := range v.Items {
		if it.Outcome == outcome {
			list = append(list, it)
		}
	}
	return list
}

// changes is how many items would change.
func (v GoingBack) changes() (n int) {
	for _, it := range v.Items {
		if !it.LeftOut() {
			n++
		}
	}
	return n
}

// summary says in a line what would happen.
func (v GoingBack) summary() string {
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, ui.Count(n, one, many))
		}
	}
	add(len(v.of(knowledge.RollbackBack)), "comes back", "come back")
	add(len(v.of(knowledge.RollbackOut)), "leaves use", "leave use")
	add(len(v.of(knowledge.RollbackChanged)), "changes its text", "change their text")
	add(len(v.of(knowledge.RollbackWaits)), "needs a person", "need a person")
	add(len(v.Items)-v.changes(), "stays as it is", "stay as they are")
	return strings.Join(parts, ", ")
}

func stateHref(id string) string { return "/knowledge/history/" + id }

// effective says when a version holds, as "from 6 April 2027 to 5 April 2028"; "" when at once and without end.
func effective(v knowledge.Validity) string {
	var parts []string
	if !v.ValidFrom.IsZero() {
		parts = append(parts, "from "+day(v.ValidFrom))
	}
	if !v.ValidTo.IsZero() {
		parts = append(parts, "to "+day(v.ValidTo.In(knowledge.UK).AddDate(0, 0, -1)))
	}
	return strings.Join(parts, " ")
}

func day(t time.Time) string { return t.In(knowledge.UK).Format("2 January 2006") }

// hrefOf is the page of a rule or case.
func hrefOf(kind, id string) string {
	if kind == "rule" {
		return "/knowledge/rules/" + id
	}
	return "/knowledge/cases/" + id
}
