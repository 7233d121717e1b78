package knowledge_test

import (
	"encoding/json"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

func TestOldRulesAreCarriedOver(t *testing.T) {
	b := gated(t)
	if err := b.CarryOver(ctx); err != nil { // of a new file: nothing
		t.Fatal(err)
	}
	b.write(func(tx *db.Tx) error { _, err := tx.Exec(`UPDATE knowledge_seq SET carried = 0`); return err })
	pensions := field("pensions", rule.Has, "db")
	topic := func(name string) rule.Condition { return rule.Condition{Kind: rule.Topic, Values: []string{name}} }
	other := func(text string) rule.Act { return rule.Act{Kind: rule.Other, Text: text} }
	var ids []string
	tests := []struct {
		text string
		want rule.Statement // without a condition: an expert has to see it
	}{
		{`When the customer asks about consolidation, say 'plan' instead of 'pot' because people know the word`,
			rule.Statement{When: []rule.Condition{topic(pack.Consolidation)},
				Do:      rule.Act{Kind: rule.Replace, Swaps: []rule.Swap{{Say: "plan", Avoid: "pot"}}},
				Because: "people know the word"}},
		{`When the customer asks about combining pensions, never say “one statement”.`,
			rule.Statement{When: []rule.Condition{topic(pack.Consolidation)},
				Do: rule.Act{Kind: rule.Never, Phrases: []string{"one statement"}}}},
		{`When a customer asks about an annuity, mention “You have 30 days to change your mind.” because it is final`,
			rule.Statement{When: []rule.Condition{topic(pack.Annuity)},
				Do: say("You have 30 days to change your mind."), Because: "it is final"}},
		{`When the customer is bereaved, start with "We are sorry for your loss."`,
			rule.Statement{Do: rule.Act{Kind: rule.Include, Text: "We are sorry for your loss.", Place: rule.AtStart}}},
		{`When giving guidance, ask “Do you have a partner?”`,
			rule.Statement{When: everybody, Do: rule.Act{Kind: rule.Ask, Text: "Do you have a partner?"}}},
		{`When the customer has a defined benefit pension, warn that the guarantee is lost because it can't be had back.`,
			rule.Statement{When: []rule.Condition{pensions}, Do: other("warn that the guarantee is lost"),
				Because: "it can't be had back"}},
		{`When the customer has a final salary pension and asks about tax-free cash, explain the commutation factor`,
			rule.Statement{When: []rule.Condition{pensions, topic(pack.TaxFreeCash)},
				Do: other("explain the commutation factor")}},
		{`When the customer is under 55 and the customer asks about the State Pension, mention the free forecast`,
			rule.Statement{When: []rule.Condition{field("age", rule.Below, "55"), topic(pack.StatePension)},
				Do: other("mention the free forecast")}},
		{`When there are signs of a scam, point to the FCA register`,
			rule.Statement{Do: other("point to the FCA register")}},
		{`When the customer asks about bonds, mention the rating`, rule.Statement{Do: other("mention the rating")}},
		{`Be kind to people.`, rule.Statement{Do: other("Be kind to people")}},
		{`When giving guidance, ` + pushed,
			rule.Statement{When: everybody, Do: other("tell them they should buy an annuity now"),
				Because: "it is guaranteed to be the best choice"}},
	}
	for _, test := range tests {
		r := b.addRule(knowledge.Rule{Status: knowledge.Active,
			RuleText: knowledge.RuleText{Title: "Old", Principle: "When x, y", Confidence: .9, FCACompliant: true,
				Supporting: []string{"c1"}}})
		ids = append(ids, r.ID)
		r.Principle = test.text // past the gate, as one from before there was a gate
		content, err := json.Marshal(r.RuleText)
		if err != nil {
			t.Fatal(err)
		}
		b.write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE knowledge_rule_version SET content = $1
				WHERE rule_id = $2`, string(content), r.ID)
			return err
		})
	}
	for range 2 {
		if err := b.CarryOver(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for i, test := range tests {
		r, err := b.Rule(ctx, ids[i])
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Statement.Key()+r.Because, test.want.Key()+test.want.Because; got != want {
			t.Errorf("%s became\n%s, want\n%s", test.text, got, want)
		}
		status := knowledge.Active
		if len(test.want.When) == 0 || test.want.Because == "it is guaranteed to be the best choice" {
			status = knowledge.Candidate
		}
		old, err := b.RuleAt(ctx, ids[i], r.Version-1)
		if err != nil || r.Status != status || r.Supporting[0] != "c1" || old.Principle != test.text ||
			!old.Statement.Empty() {
			t.Errorf("%s: %s, %+v, %v", test.text, r.Status, old, err)
		}
		if status == knowledge.Candidate && (!r.Provisional || r.Reason == "") {
			t.Errorf("%s: it is not marked: %+v", test.text, r)
		}
		if len(test.want.When) == 0 && (r.Principle != test.text ||
			r.Reason != "Needs an expert: its conditions could not be read.") {
			t.Errorf("%s reads %s: %s", test.text, r.Principle, r.Reason)
		}
	}
}
