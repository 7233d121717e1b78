package page_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/feedback"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

// A manager sees on a rule's page that users dislike answers made with it, and asks experts to review it.
func TestAManagerAsksAnExpertToReviewARuleThatUsersDislike(t *testing.T) {
	s := apptest.Open(t)
	edie, mo := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Manager)
	k := know(t, s, edie.Account)
	path := "/knowledge/rules/" + k.rule.ID
	doc := page(t, mo.Get(t, path), http.StatusOK)
	has(t, doc, "[aria-labelledby=votes]", "No votes")
	hasNot(t, doc, "form[action$='/ask']")
	agent, err := s.Accounts.EnsureAgent(t.Context(), "advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(10 * time.Minute)
	for i := range 80 {
		now := s.Clock.Now()
		id, err := s.Feedback.Log(t.Context(),
			feedback.Observation{AgentID: agent.ID, AgentName: "advisor", AgentType: "advisor", SessionID: "s",
				UserID: fmt.Sprint("u", i), Query: fmt.Sprint("Question ", i), Response: "Answer",
				Topic: "tax_free_cash", At: now})
		if err != nil {
			t.Fatal(err)
		}
		with := i%2 == 0
		if with {
			if err := s.DB.Write(t.Context(), func(tx *db.Tx) error {
				_, err := s.Knowledge.RecordUsageTx(tx, id, "", []knowledge.Used{{ID: k.rule.ID}})
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		v := feedback.Vote{SubjectID: id, UserID: fmt.Sprint("u", i), Kind: feedback.Thumbs, Value: 1,
			Channel: feedback.ChannelAPI, AgentID: agent.ID, At: now}
		if with && i%10 != 0 {
			v.Value = -1
		}
		if _, err := s.Feedback.Vote(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	}
	doc = page(t, mo.Get(t, path), http.StatusOK)
	has(t, doc, ".life", "40 not reviewed (chat)") // nobody waits for a review of a chat
	has(t, doc, "[aria-labelledby=votes]", "20% of 40 votes (95% CI 10–35%)")
	has(t, doc, "[aria-labelledby=votes]", "The difference is significant.")
	has(t, doc, ".notice[data-tone=amber]", "Users like answers made with this rule less")
	hasNot(t, page(t, edie.Get(t, path), http.StatusOK), "form[action$='/ask']")
	if r := edie.Post(t, path+"/ask", nil); r.Status != http.StatusForbidden {
		t.Errorf("an expert asks: %d", r.Status)
	}
	for range 2 { // asked twice, told once
		if r := mo.Post(t, path+"/ask", nil); r.Status != http.StatusSeeOther {
			t.Fatalf("ask: %d %.300s", r.Status, r.Body)
		}
	}
	inbox := page(t, edie.Get(t, "/inbox"), http.StatusOK)
	if n := inbox.Find(".notice-row a[href='" + path + "']").Length(); n != 1 {
		t.Errorf("%d notices, want 1", n)
	}
	has(t, inbox, ".notice-row", "asks an expert to review rule "+k.rule.Label())
}
