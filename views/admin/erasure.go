package admin

import (
	"time"

	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/views/accounts"
	"preceptor/views/ui"
)

// ErasureView is the page of erasures and legal holds.
type ErasureView struct {
	Side      Side
	How       string         `form:"how"`     // as chosen; empty is by reference
	Subject   string         `form:"subject"` // as typed, and so are the next three
	Why       string         `form:"why"`
	HoldWhy   string         `form:"reason"`
	HoldUntil string         `form:"until"`
	Preview   *erase.Preview // after a look, before the erasure
	Past      []erase.Record
	Holds     []erase.Hold
	Errors    accounts.Errors
}

var howChoices = []ui.Option{
	{Value: interaction.ByReference, Label: "A reference: customer id, e-mail address, order or policy number"},
	{Value: interaction.ByName, Label: "Their name, as it was submitted"},
	{Value: interaction.ByID, Label: "The id of one piece of guidance"},
}

func (v ErasureView) how() string {
	if v.How == "" {
		return interaction.ByReference
	}
	return v.How
}

// shownMatches is how many pieces of guidance a preview names.
const shownMatches = 50

func first(list []erase.Match) []erase.Match { return list[:min(len(list), shownMatches)] }

// holding tells that the form of holds was sent and came back.
func (v ErasureView) holding() bool {
	return v.HoldWhy != "" || v.HoldUntil != "" || v.Errors["reason"] != "" || v.Errors["until"] != ""
}

// errorOf and typed belong to the one of the two forms that was sent.
func (v ErasureView) errorOf(filled bool, field string) string {
	if filled {
		return v.Errors[field]
	}
	return ""
}

func (v ErasureView) typed(filled bool) string {
	if filled {
		return v.Subject
	}
	return ""
}

func earlier(n int) string {
	if n == 0 {
		return "Check the reference or name as the agent sent it, on the page of a review."
	}
	return ui.Count(n, "erasure") + " of this customer on record."
}

// Covers says what a hold covers by now.
func Covers(p erase.Preview) string {
	if p.Empty() {
		return "It covers nothing yet. Check that the customer is written as agents send them."
	}
	s := "It covers " + ui.Count(len(p.Interactions), "piece of guidance", "pieces of guidance")
	if more := p.Items + p.Others; more > 0 {
		s += " and " + ui.Count(more, "other text")
	}
	return s + " by now, and what comes later."
}

// guidanceWords is how far guidance is.
var guidanceWords = map[string]string{
	interaction.Drafting: "being drafted", interaction.Waiting: "waiting for review",
	interaction.Held:     "decided, about to be sent",
	interaction.Released: "sent", interaction.Escalated: "with a person",
	interaction.Returned: "sent back to the agent",
	interaction.Failed:   "failed", interaction.Closed: "closed",
}

func untilWords(h erase.Hold) string {
	if h.Until.IsZero() {
		return ""
	}
	return ", until the end of " + h.LastDay()
}

func day(t time.Time) string { return t.Local().Format("2 January 2006") }
