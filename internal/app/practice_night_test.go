package app_test

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/demo"
	"preceptor/internal/knowledge"
	"preceptor/internal/practice"
	"preceptor/internal/rule"
)

// At night each agent that knows something practises, once. When the base does worse than the night before by more than
// the noise, experts and managers hear of it, and the run says what came into the base; by day, and of an agent that
// knows nothing, nothing runs.
func TestPracticeAtNight(t *testing.T) {
	if testing.Short() {
		t.Skip("has two trainings; make check runs it")
	}
	s := apptest.Open(t)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "Advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Accounts.EnsureAgent(t.Context(), "Newcomer", "general"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Knowledge.Import(t.Context(), demo.Guidance(),
		knowledge.ImportOptions{Source: "documents", AgentID: agent.ID, Pack: agent.Pack,
			By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	told := s.Account(t, account.Expert)
	hour := func(h int) {
		now := s.Clock.Now().In(s.Zone)
		next := time.Date(now.Year(), now.Month(), now.Day(), h, 30, 0, 0, s.Zone)
		if !next.After(now) {
			next = next.AddDate(0, 0, 1)
		}
		s.Clock.Advance(next.Sub(now))
	}
	nights := func(at, want int) []practice.Run {
		t.Helper()
		hour(at)
		for range 2 { // the schedule looks every quarter of an hour
			if err := s.PractiseNightly(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		s.Drain(t)
		list, err := s.Practice.List(t.Context(), "", 10)
		if err != nil || len(list) != want {
			t.Fatalf("%d runs, want %d; %v", len(list), want, err)
		}
		return list
	}
	nights(12, 0)
	first := nights(2, 1)[0]
	if first.State != practice.Done || !first.Nightly || first.AgentID != agent.ID || first.Customers != 50 ||
		first.Judge == "" || first.Base.Cases == 0 {
		t.Fatalf("the first night: %+v", first)
	}
	if night, err := s.Practice.Against(t.Context(), first); err != nil || night != nil {
		t.Errorf("before the first night was %+v, %v", night, err)
	}
	school, err := s.School(agent)
	if err != nil {
		t.Fatal(err)
	}
	var wrong []rule.Statement
	for _, word := range []string{"pension", "pot", "money", "provider", "income"} {
		// few drafts are left with an answer
		wrong = append(wrong,
			rule.Statement{When: []rule.Condition{{Kind: rule.Scope, Values: []string{rule.Universal}}},
				Do: rule.Act{Kind: rule.Never, Phrases: []string{word}}})
	}
	if err := school.Plant(t.Context(), wrong); err != nil {
		t.Fatal(err)
	}
	second := nights(2, 2)[0]
	night, err := s.Practice.Against(t.Context(), second)
	if err != nil || night == nil || night.Last.ID != first.ID || !night.Worse() {
		t.Fatalf("with wrong rules: %+v, %v", night.Gain, err)
	}
	moved, err := s.Knowledge.Moved(t.Context(), first.Base.Seq, second.Base.Seq)
	if err != nil || len(moved.RulesIn) != len(wrong) || len(moved.RulesOut) != 0 || moved.CasesIn != 0 {
		t.Errorf("moved: %+v, %v", moved, err)
	}
	expert := s.Enter(t, told) // no session outlives the nights
	if page := expert.Get(t, "/practice/"+second.ID).Body; !strings.Contains(page,
		"Fewer needs met than the night before") || !strings.Contains(page, "Rule accepted:") {
		t.Error("the run doesn't say what changed")
	}
	if page := expert.Get(t, "/inbox").Body; !strings.Contains(page, "Practice: Advisor met fewer needs") {
		t.Error("the expert wasn't told")
	}
	nights(12, 2)
}
