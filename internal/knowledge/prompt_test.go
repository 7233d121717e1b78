package knowledge_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

func TestPromptHasTheSeedsShape(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	c := b.addCase(knowledge.Case{CaseText: knowledge.CaseText{Title: "Customer aged 54 with DB pension",
		Situation: "final salary pension, considering\nconsolidation",
		Guidance:  "Explained the guarantees.", Outcome: "Customer satisfaction 9/10",
		SuccessFactors: []string{"Clear explanation", "balanced view"}}})
	b.addRule(knowledge.Rule{Status: knowledge.Active, Domain: knowledge.RiskDisclosure,
		RuleText: knowledge.RuleText{Title: "DB pension consolidation warning",
			Principle: "When the customer has a defined benefit pension, warn about the guarantees because they would " +
				"be lost", Confidence: 0.98, FCACompliant: true, Supporting: []string{c.ID, "gone"}}})
	got, err := b.Recall(ctx, knowledge.Query{Text: "should i consolidate my final salary pension",
		Situation: pack.Situation{HasDB: true}})
	if err != nil {
		t.Fatal(err)
	}
	want := `Similar Cases (from Case Base):

Case #001: Customer aged 54 with DB pension
Customer situation: final salary pension, considering consolidation
Guidance provided: Explained the guarantees.
Outcome: Customer satisfaction 9/10
Success factors: Clear explanation, balanced view

Relevant Rules (from Rules Base):

Rule #001: DB pension consolidation warning
Principle: "When the customer has a defined benefit pension, warn about the guarantees because they would be lost"
Domain: risk_disclosure
Confidence: 0.98 | FCA Compliant: ✓
Evidence: Successfully applied in cases 001`
	if got.Prompt != want {
		t.Errorf("the prompt is\n%s\nwant\n%s", got.Prompt, want)
	}
	if got.Tokens != knowledge.Tokens(got.Prompt) || len(got.Items) != 2 {
		t.Errorf("%d tokens, %d items", got.Tokens, len(got.Items))
	}
}

func TestTokenBudgetIsKept(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	for i := range 5 {
		b.addCase(
			knowledge.Case{CaseText: text("Annuity", "",
				fmt.Sprintf("An annuity gives a guaranteed income. %s %d",
					strings.Repeat("More on annuities. ", 10*(i+1)), i))})
		b.addRule(knowledge.Rule{Status: knowledge.Active,
			RuleText: principle(
				fmt.Sprintf("When a customer asks about an annuity, mention point %d because it matters", i))})
	}
	full, err := b.Recall(ctx, knowledge.Query{Text: "annuity"})
	if err != nil || len(full.Cases) != 3 || len(full.Rules) != 4 {
		t.Fatalf("%d cases, %d rules, %v", len(full.Cases), len(full.Rules), err)
	}
	for budget := 1; budget <= full.Tokens+5; budget += 7 {
		got, err := b.Recall(ctx, knowledge.Query{Text: "annuity", TokenBudget: budget})
		if err != nil || got.Tokens > budget {
			t.Fatalf("budget %d: %d tokens, %v", budget, got.Tokens, err)
		}
	}
	if got, _ := b.Recall(ctx, knowledge.Query{Text: "annuity", TokenBudget: full.Tokens}); got.Prompt != full.Prompt {
		t.Error("a budget that holds everything leaves something out")
	}
}
