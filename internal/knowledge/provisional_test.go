package knowledge_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
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
