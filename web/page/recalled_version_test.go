package page_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// What went out and was recalled is told of every version that comes after it was sent back, with the actions that the
// agent may have done, also those of an earlier recall.
func TestARecallIsToldOfEveryVersionAfterIt(t *testing.T) {
	s := apptest.Open(t)
	ann := s.SignedIn(t, account.Supervisor)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	submit := func(revises string, actions ...string) string {
		t.Helper()
		in := interaction.Submission{AgentID: agent.ID, AgentName: agent.Name, Revises: revises,
			By: audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name}, Consultation: dcCustomer(),
			Guidance: passing}
		for _, name := range actions {
			in.Actions = append(in.Actions, interaction.Action{Name: name, Does: "Does it.",
				Arguments: json.RawMessage(`{"to":"home"}`)})
		}
		rec, err := s.Interactions.Submit(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		return rec.ID
	}
	sendBack := func(id string) {
		t.Helper()
		decide(t, s, id, ann.Account, review.Input{Kind: review.Return, Reason: "Say it more plainly."})
		s.Clock.Advance(time.Minute)
		s.Drain(t)
	}
	first := submit("", "send_statement", "call")
	d := decide(t, s, first, ann.Account, review.Input{Kind: review.Approve})
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	if _, err := s.Reviews.Recall(t.Context(), d.ID, review.Person{ID: ann.Account.ID, Name: ann.Account.Name},
		"The statement is last year's."); err != nil {
		t.Fatal(err)
	}
	sendBack(first)
	second := submit(first, "send_statement")
	for _, id := range []string{second, ""} {
		if id == "" { // the version after the next
			sendBack(second)
			id = submit(second, "send_statement")
		}
		ann = s.Enter(t, ann.Account)
		doc := show(t, ann, id, "")
		has(t, doc, ".case-head", "correction")
		has(t, doc, "#case-notices", "An earlier version was sent and is being corrected")
		has(t, doc, "#case-notices", "The statement is last year's.")
		has(t, doc, "#case-notices", "The customer may already have")
		has(t, doc, "#handed-out", "The agent may already have done: send_statement, call.")
		has(t, doc, ".history", "Recalled by "+ann.Account.Name)
		has(t, doc, ".history", "Returned")
		hasNot(t, doc, `.history:contains("by Release")`)
		has(t, doc, "#approve", "Approve and next")
		if ask := doc.Find(`form[action$="/approve"]`).AttrOr("hx-confirm", ""); ask !=
			"The agent may do it a second time: send_statement. Approve it?" {
			t.Errorf("before it is handed out again, one is asked %q", ask)
		}
		has(t, show(t, ann, id, "?mode=reject"), "#decide", "The customer may already have the text")
		has(t, page(t, ann.Get(t, "/reviews"), http.StatusOK), ".queue-row", "Recalled, needs correction")
	}
}
