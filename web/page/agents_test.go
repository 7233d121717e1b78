package page_test

import (
	"net/http"
	"net/url"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/feedback"
)

// An agent that nobody added, and on whose answers people vote, is on the page of agents, by each of the names that no
// agent has.
func TestAgentsThatOnlyVotesNameAreListed(t *testing.T) {
	s := apptest.Open(t)
	boss := s.SignedIn(t, account.Admin)
	token, err := s.Accounts.EnsureAgent(t.Context(), "bot", "general")
	if err != nil {
		t.Fatal(err)
	}
	vote := func() {
		t.Helper()
		id, err := s.Feedback.Log(t.Context(),
			feedback.Observation{AgentID: token.ID, AgentName: token.Name, AgentType: "pension-chat", Query: "Q?",
				Response: "A."})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Feedback.Vote(t.Context(),
			feedback.Vote{SubjectID: id, UserID: "u", Kind: feedback.Thumbs, Value: 1,
				Channel: feedback.ChannelAPI}); err != nil {
			t.Fatal(err)
		}
	}
	listed := func(want int, why string) {
		t.Helper()
		if n := page(t, boss.Get(t, "/admin/agents"), http.StatusOK).
			Find("main a[href='/feedback?agent=pension-chat']").Length(); n != want {
			t.Errorf("%s: it is there %d times, want %d", why, n, want)
		}
	}
	listed(0, "no votes")
	vote()
	vote()
	listed(1, "votes")
	agent, err := s.Accounts.EnsureAgent(t.Context(), "Pension-Chat", "general")
	if err != nil {
		t.Fatal(err)
	}
	listed(0, "an agent of that name")
	if r := boss.Post(t, "/admin/agents/name",
		url.Values{"id": {agent.ID}, "name": {"Teacher"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("rename: %d", r.Status)
	}
	listed(0, "an agent that had that name")
}

// Practice proposes the agent that people decided most for, not the first by name.
func TestPracticeProposesTheBusiestAgent(t *testing.T) {
	s := apptest.Open(t)
	boss, ann := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Supervisor)
	chosen := func(want string) {
		t.Helper()
		if got := page(t, boss.Get(t, "/practice"), http.StatusOK).Find("#agent option[selected]").Text(); got != want {
			t.Errorf("%q is chosen, want %q", got, want)
		}
	}
	for _, name := range []string{"a-helper", "zoe"} {
		if _, err := s.Accounts.EnsureAgent(t.Context(), name, "pension"); err != nil {
			t.Fatal(err)
		}
	}
	chosen("")
	approve(t, ann, bring(t, s, passing, dcCustomer())) // of pension-advisor
	chosen("pension-advisor")
}
