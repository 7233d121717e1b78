package app_test

import (
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/review"
)

// Other writes wait while a decision or a submission is written, so neither runs more statements than it needs. What a
// decision reads beforehand counts here, too.
func TestADecisionAndASubmissionTakeFewStatements(t *testing.T) {
	s := apptest.Open(t)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "frugal", pack.Pension)
	if err != nil {
		t.Fatal(err)
	}
	who := s.SignedIn(t, account.Supervisor)
	age, value := 58, 40_000.0
	var submit, approve int64
	for range 3 { // the first of an agent and a person takes more
		sub := interaction.Submission{AgentID: agent.ID, AgentName: agent.Name, Origin: interaction.OriginAPI,
			By: audit.System("test"), Guidance: plain,
			Consultation: interaction.Consultation{Question: "How much can I take free of tax?", TaskType: "tax_free_cash",
				Customer: interaction.Customer{Age: &age, Literacy: "high",
					Pensions: []interaction.Pension{{Kind: "dc", ValueGBP: &value}}}}}
		before := s.DB.Statements()
		in, err := s.Interactions.Submit(t.Context(), sub, nil)
		if err != nil {
			t.Fatal(err)
		}
		submit, before = s.DB.Statements()-before, s.DB.Statements()
		d, err := s.Reviews.Decide(t.Context(), review.Input{ID: in.ID, By: review.Person{ID: who.Account.ID, Name: "Ann"},
			Kind: review.Approve, Version: 1, TextHash: interaction.TextHash(plain), SecondsOnCase: 60})
		if err != nil || d.State != review.Held {
			t.Fatalf("%+v, %v", d, err)
		}
		approve = s.DB.Statements() - before
	}
	t.Logf("a submission takes %d statements, an approval %d", submit, approve)
	if submit > 23 || approve > 30 {
		t.Errorf("a submission takes %d statements, an approval %d; want 23 and 30 at most", submit, approve)
	}
}

// plain is a text that one supervisor may let go.
const plain = "Usually a quarter of a pension pot can be taken free of tax, and the rest is taxed as income when it is " +
	"paid. Taking money out leaves less for later, and what stays invested can fall as well as rise. This is general " +
	"guidance and not a recommendation. Pension Wise offers free and impartial guidance to people over 50, and an " +
	"authorised financial adviser can recommend what suits one person."
