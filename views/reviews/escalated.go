package reviews

import (
	"time"

	"preceptor/internal/platform/lists"
	"preceptor/internal/review/escalation"
	"preceptor/views/ui"
)

// Escalated is the queue of customers whom a person answers.
type Escalated struct {
	Open, Closed []escalation.Case
	Cursor, Next string // of the page of Open, and of the one behind it
	Viewer       string
	Outside      bool // as Queue.Outside
	Now          time.Time
}

// Ending is how a case with a person ended, as it was typed, and what is wrong with it.
type Ending struct {
	Outcome, Note string
	Message       string
	Errors        map[string]string
}

func (v Escalated) href(c escalation.Case) string {
	if v.Outside {
		return "/interactions/" + c.ID
	}
	return "/reviews/" + c.ID + "#escalation"
}

// page is the address of a page of who waits.
func (v Escalated) page(cursor string) string {
	if cursor == "" {
		return "/reviews/escalated"
	}
	return "/reviews/escalated?cursor=" + cursor
}

func (v Escalated) pages() (p ui.Pages) {
	if v.Cursor != "" {
		p.First = v.page("")
	}
	if v.Next != "" {
		p.Next = v.page(v.Next)
	}
	return p
}

func (v Escalated) mine(c escalation.Case) bool { return c.By.ID == v.Viewer }

// who has an open case, as a badge.
func (v Escalated) who(c escalation.Case) (ui.Tone, string, string) {
	switch {
	case c.By.ID == "":
		return ui.Amber, "clock", "Unassigned"
	case v.mine(c):
		return ui.Accent, "person", "You have it"
	}
	return ui.Accent, "lock", c.By.Name
}

func escalationEnds() []ui.Option {
	return lists.Map(escalation.Outcomes, func(o [2]string) ui.Option { return ui.Option{Value: o[0], Label: o[1]} })
}
