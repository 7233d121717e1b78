package page_test

import (
	"net/http"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/interaction"
)

// talk is a conversation of five turns, a tool used for the last.
func talk() []interaction.Message {
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	return []interaction.Message{
		{Role: "customer", Text: "First of all, hello", At: at}, {Role: "agent", Text: "Hello, what can I do?", At: at},
		{Role: "customer", Text: "I have a pot"}, {Role: "agent", Text: "How large is it?"},
		{Role: "customer", Text: "£40,000"}, {Role: "agent", Text: "Thank you."},
		{Role: "customer", Text: "I am 58"}, {Role: "agent", Text: "Noted."},
		{Role: "customer", Text: "And the tax on that?"}, {Role: "tool", Tool: "rates", Text: "20%"},
	}
}

func TestTheConversationStandsAboveTheDraft(t *testing.T) {
	s := apptest.Open(t)
	ann, bob := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Supervisor)
	submit := func(messages []interaction.Message) string {
		return bring(t, s, passing, interaction.Consultation{Messages: messages, Thread: "talk-7"})
	}
	first, fifth := submit(talk()[:1]), submit(talk())
	doc := page(t, ann.Get(t, "/reviews/"+fifth), http.StatusOK)
	has(t, doc, "#case-draft > #conversation .count", "5th turn")
	has(t, doc, "#conversation details summary[data-key=h]", "2 earlier messages")
	has(t, doc, "#conversation details .said", "First of all, hello")
	hasNot(t, doc, "#conversation > .said li:nth-child(8)")
	has(t, doc, "#conversation > .said li:first-child [dir=auto]", "I have a pot")
	has(t, doc, "#conversation > .said [data-role=tool]", "Used rates: 20%")
	has(t, doc, "#conversation a[href='/reviews/"+first+"']", "1st turn")
	hasNot(t, doc, "#case-notices a[href='/reviews/"+fifth+"']")
	// while one revises it, too
	has(t, page(t, ann.Get(t, "/reviews/"+fifth+"?mode=revise"), http.StatusOK), "#conversation .count", "5th turn")

	doc = page(t, ann.Get(t, "/reviews/"+first), http.StatusOK)
	has(t, doc, "#case-notices", "Answered since")
	has(t, doc, "#case-notices a[href='/reviews/"+fifth+"']", "Open the latest draft")
	doc = page(t, ann.Get(t, "/reviews"), http.StatusOK)
	has(t, doc, ".queue-row", "Answered since")
	has(t, doc, ".queue-row", "5th turn")

	if r := ann.Post(t, "/reviews/"+first+"/claim", nil); r.Status >= http.StatusBadRequest {
		t.Fatalf("claim: %d %.300s", r.Status, r.Body)
	}
	has(t, page(t, bob.Get(t, "/reviews/"+fifth), http.StatusOK), "#case-notices", "is reviewing this")
}
