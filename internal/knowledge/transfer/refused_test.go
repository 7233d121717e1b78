package transfer_test

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/db"
	"preceptor/internal/db/dbtest"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/search"
)

// What would not pass the gate comes in marked, by its line, and cannot be accepted; what is from before rules were data is carried over.
func TestWhatCantBeAcceptedIsNamedByItsLine(t *testing.T) {
	from := newBase(t)
	from.addRule(rule("You should buy it."))
	r := rule("old")
	r.RuleText = knowledge.RuleText{Title: "Old", Principle: "When the customer asks about tax, never say 'pot' because nobody knows the word", Confidence: .9, FCACompliant: true, Supporting: []string{"c"}}
	from.addRule(r)
	r.Principle = "When the moon is full, be kind"
	from.addRule(r)
	file := strings.ReplaceAll(from.export(), "include “You should buy it.”", "be kind") // what it reads as is not what it says
	_, body, _ := strings.Cut(file, "\n")
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{Compliant: func(_, text string) string {
		if strings.HasPrefix(text, "You should buy") {
			return "It recommends."
		}
		return ""
	}})
	to := base{t, d, clock, kb, transfer.New(d, kb, transfer.Agents{})}
	rep := to.mustTake(sealed(body))
	if rep.Added != 3 || rep.Waiting != 3 || rep.Refused != 2 || len(rep.Notes) != 2 || rep.Notes[0].Line != 2 || rep.Notes[1].Line != 4 || !strings.Contains(rep.Notes[0].Why, "It recommends.") {
		t.Fatalf("%+v", rep)
	}
	rules, _, err := to.Rules(ctx, knowledge.Filter{Status: knowledge.Candidate})
	if err != nil || len(rules) != 3 {
		t.Fatalf("%+v, %v", rules, err)
	}
	slices.Reverse(rules)
	if rules[0].FCACompliant || !strings.Contains(rules[0].Principle, "You should buy it.") {
		t.Errorf("it reads otherwise than it says: %+v", rules[0].RuleText)
	}
	if got := rules[1]; got.Statement.Do.Kind != stated.Never || got.Statement.When[0].Kind != stated.Topic || got.Supporting != nil || !got.Provisional {
		t.Errorf("the old one: %+v", got.RuleText)
	}
	for i, want := range []bool{false, true, false} {
		err := to.d.Write(ctx, func(tx *db.Tx) error {
			_, err := to.SetRuleStatusTx(tx, rules[i].ID, knowledge.Active, knowledge.Change{By: eve, Reason: "fine"})
			return err
		})
		if (err == nil) != want {
			t.Errorf("%s is accepted: %v", rules[i].Label(), err)
		}
	}
}
