package admin

import (
	"slices"
	"strings"
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

// Covers says what a hold covers by now: the preview is of its subject.
func Covers(p erase.Preview, hold string) string {
	if p.Empty() {
		return "It covers nothing yet. Check that the customer is written as agents send them."
	}
	n := 0
	for _, m := range p.Interactions {
		if slices.Contains(m.Holds, hold) {
			n++
		}
	}
	return "It covers " + foundWords(n, p) + " by now, and what comes later."
}

func foundWords(interactions int, p erase.Preview) string {
	s := ui.Count(interactions, "piece of guidance", "pieces of guidance")
	if more := p.Items + p.Others; more > 0 {
		s += " and " + ui.Count(more, "other text")
	}
	return s
}

// heldWords says how much of what was found is held, and what can be done about the rest.
func heldWords(p erase.Preview) string {
	rest := len(p.Interactions) + p.Items + p.Others - p.Held
	s := foundWords(len(p.Interactions), p) + " found, "
	if rest == 0 {
		return s + "all held. Nothing can be erased until the hold ends or someone releases it."
	}
	return s + ui.Thousands(p.Held) + " of them held. Until the hold ends or someone releases it, these " +
		"can't be erased together. To erase guidance that isn't held now, preview it by itself; everything else stays."
}

// pending says what becomes of pieces with a decision that isn't sent yet.
func pending(n int) string {
	its := "their"
	if n == 1 {
		its = "its"
	}
	return "The counts leave " + its + " texts out. They are erased about a minute later than the others, once what " +
		"was decided is sent or undone."
}

// holdsOn are the holds that stand on m, as their subjects were typed.
func holdsOn(holds []erase.Hold, m erase.Match) string {
	var on []string
	for _, h := range holds {
		if slices.Contains(m.Holds, h.ID) {
			on = append(on, h.Subject)
		}
	}
	return strings.Join(on, ", ")
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
