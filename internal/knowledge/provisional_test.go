package knowledge_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

// A provisional rule is marked whether or not cases support it.
func TestProvisionalRulesAreMarked(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	c := b.addCase(knowledge.Case{CaseText: text("Annuity", "", "An annuity gives a guaranteed income for life.")})
	for i, supporting := range [][]string{{c.ID}, nil} {
		r := principle(fmt.Sprintf("When a customer asks about an annuity, mention point %d because it matters", i))
		r.Provisional, r.Supporting = true, supporting
		b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: r})
	}
	got, err := b.Recall(ctx, knowledge.Query{Text: "annuity"})
	if err != nil || len(got.Rules) != 2 ||
		strings.Count(got.Prompt, "\nProvisional: tested on few cases so far") != 2 ||
		strings.Count(got.Prompt, "applied in cases 001") != 1 {
		t.Fatalf("%v\n%s", err, got.Prompt)
	}
}

// The case that a rule was made from is no success of it, and what nothing tested has no confidence.
func TestEvidenceIsWhatThereIs(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	bad := b.addCase(knowledge.Case{CaseText: knowledge.CaseText{Title: "Rejected", Negative: "You must buy one."}})
	good := b.addCase(knowledge.Case{CaseText: text("Annuity", "", "An annuity gives a guaranteed income for life.")})
	const untested, tested, few = "Confidence: not tested yet | FCA Compliant: ✓",
		"Evidence: Successfully applied in cases 002", "Provisional: tested on few cases so far"
	for name, c := range map[string]struct {
		confidence            float64
		support, from, contra []string
		lines                 []string
		is                    float64
	}{
		"untested": {knowledge.Untried, []string{bad.ID}, []string{bad.ID}, nil,
			[]string{untested, "Evidence: Made from case 001"}, 0},
		"from before it was kept": {knowledge.Untried, []string{bad.ID, good.ID}, nil, nil,
			[]string{untested, "Evidence: Made from cases 001, 002"}, 0},
		"from no case": {knowledge.Untried, nil, nil, nil, []string{untested}, 0},
		"tested": {0.75, []string{bad.ID, good.ID}, []string{bad.ID}, nil,
			[]string{"Confidence: 0.75 | FCA Compliant: ✓", tested, few}, 0.75},
		"two of three": {knowledge.Untried, []string{good.ID}, nil, []string{"other"},
			[]string{"Confidence: 0.67 | FCA Compliant: ✓", tested, few}, knowledge.Untried},
	} {
		r := principle("When a customer asks about an annuity, mention " + name + " because it matters")
		r.Confidence, r.Provisional, r.FCACompliant = c.confidence, true, true
		r.Supporting, r.MadeFrom, r.Counter = c.support, c.from, c.contra
		made := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: r})
		got, err := b.Recall(ctx, knowledge.Query{Text: "annuity"})
		if err != nil || len(got.Rules) != 1 {
			t.Fatalf("%s: %v, %+v", name, err, got)
		}
		it := got.Rules[0]
		_, lines, _ := strings.Cut(it.Block, "\nDomain: ")
		if _, lines, _ = strings.Cut(lines, "\n"); lines != strings.Join(c.lines, "\n") || it.Confidence != c.is {
			t.Errorf("%s, %v:\n%s", name, it.Confidence, it.Block)
		}
		if why := strings.Join(it.Why, "; "); strings.Contains(why, "provisional: not tested yet") != (c.is == 0) {
			t.Errorf("%s: %s", name, why)
		}
		b.write(func(tx *db.Tx) error {
			_, err := b.SetRuleStatusTx(tx, made.ID, knowledge.Retired, knowledge.Change{By: by, Reason: "Next."})
			return err
		})
	}
}
