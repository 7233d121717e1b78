package knowledge_test

import (
	"slices"
	"testing"

	"preceptor/internal/knowledge"
)

// What an experiment withholds is not recalled; rules for compliance and documents always are.
func TestWithheldKnowledge(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	const ask = "When a customer asks about combining pensions, "
	education := b.addRule(knowledge.Rule{Status: knowledge.Active,
		RuleText: principle(ask + "explain charges because they differ")})
	compliance := b.addRule(knowledge.Rule{Status: knowledge.Active, Domain: knowledge.RegulatoryCompliance,
		RuleText: principle(ask + "say that this is no advice because only an adviser may recommend")})
	risk := b.addRule(knowledge.Rule{Status: knowledge.Active, Domain: knowledge.RiskDisclosure,
		RuleText: principle(ask + "warn about lost guarantees because they can't be had back")})
	learned := b.addCase(knowledge.Case{Origin: "o1", Approved: true,
		CaseText: text("Combining pensions", "a customer asks about combining pensions",
			"Combining pensions can save charges.")})
	document := b.addCase(knowledge.Case{Source: knowledge.FromDocument, Origin: "d1",
		CaseText: text("Combining pensions", "", "Before combining pensions, compare exit fees.")})
	recalled := func(w knowledge.Withhold) (ids []string) {
		r, err := b.Recall(ctx, knowledge.Query{Text: "combining pensions", TopCases: 10, TopRules: 10, Withhold: w})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range r.Items {
			ids = append(ids, it.ID)
		}
		return ids
	}
	all := []string{education.ID, compliance.ID, risk.ID, learned.ID, document.ID}
	for name, tt := range map[string]struct {
		w    knowledge.Withhold
		gone []string
	}{
		"nothing":           {knowledge.Withhold{}, nil},
		"what was learned":  {knowledge.Withhold{Learned: true}, []string{education.ID, learned.ID}},
		"one rule":          {knowledge.Withhold{RuleID: education.ID}, []string{education.ID}},
		"a compliance rule": {knowledge.Withhold{RuleID: compliance.ID}, nil},
		"a risk rule":       {knowledge.Withhold{RuleID: risk.ID}, nil},
	} {
		got := recalled(tt.w)
		for _, id := range all {
			if slices.Contains(got, id) == slices.Contains(tt.gone, id) {
				t.Errorf("%s: %v, and %v should be gone", name, got, tt.gone)
			}
		}
	}
}
