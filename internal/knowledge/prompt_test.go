package knowledge_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
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

// What is erased leaves the prompts that it was in: a case with all that it said, words of a rule, and what was said of
// a draft alone. What else was sent stays, and the file holds no more of it than the page says.
func TestErasureRewritesPrompts(t *testing.T) {
	const inCase, inRule, inOwn = "canarycase", `O"Canary`, "canaryown"
	b := setUp(t, knowledge.Options{})
	c := b.addCase(knowledge.Case{CaseText: text("Annuity "+inCase, inCase+" asks", "An annuity lasts, "+inCase+".")})
	b.addRule(knowledge.Rule{Status: knowledge.Active,
		RuleText: principle("When " + inRule + " asks about an annuity, mention tax because it matters")})
	other := b.addCase(knowledge.Case{CaseText: text("Annuity", "", "An annuity gives a guaranteed income for life.")})
	if sum := fmt.Sprintf("%x", sha256.Sum256(knowledge.PromptWords))[:16]; sum != "c7005c6b316af0ae" {
		t.Errorf("the dictionary changed to %s: what is kept can't be read any more", sum)
	}
	ids := []string{"d1", "d2"}
	for _, id := range ids {
		got, err := b.Recall(ctx, knowledge.Query{Text: "annuity"})
		if err != nil || len(got.Items) != 3 {
			t.Fatalf("%+v, %v", got, err)
		}
		parts := []knowledge.Part{{Text: inOwn, Own: true}}
		for _, it := range got.Items {
			parts = append(parts, knowledge.Part{Text: knowledge.JSONString(it.Text), ItemID: it.ID})
		}
		b.write(func(tx *db.Tx) error {
			if _, err := b.RecordUsageTx(tx, id, "", got.Shown(nil)); err != nil {
				return err
			}
			return b.RecordPromptTx(tx, id, "model", got, knowledge.Sent{knowledge.NewMessage("draft.txt", "Say {{.Data}}.",
				map[string][]knowledge.Part{"Data": parts})})
		})
	}
	holds := func(word string) (n int) {
		t.Helper()
		if err := b.d.Read(ctx, func(tx *db.Tx) error {
			for _, id := range ids {
				content, err := db.Value[[]byte](tx, "test", `SELECT content FROM knowledge_prompt
					WHERE interaction_id = $1`, id)
				if err != nil {
					return err
				}
				if text, err := knowledge.Unpacked(content); err != nil || strings.Contains(text, word) {
					n++
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, step := range []struct {
		what, word string
		left       int
		erase      func(tx *db.Tx) error
	}{
		{"a case", inCase, 0, func(tx *db.Tx) error {
			_, err := b.EraseCaseTx(tx, c.ID, "law", expert.Actor())
			return err
		}},
		{"words of a rule", "Canary", 0, func(tx *db.Tx) error {
			_, err := b.EraseWordsTx(tx, "", []string{inRule}, "law", expert.Actor())
			return err
		}},
		{"one draft's own", inOwn, 1, func(tx *db.Tx) error { _, err := b.EraseUsageTx(tx, "d1"); return err }},
	} {
		if n := holds(step.word); n != 2 {
			t.Fatalf("%s: %d of 2 prompts hold it before", step.what, n)
		}
		b.write(step.erase)
		if n := holds(step.word); n != step.left {
			t.Errorf("%s: %d prompts hold it after", step.what, n)
		}
	}
	for i, id := range ids {
		p, err := b.Prompt(ctx, id)
		if err != nil || p.BlockMatch != knowledge.Erased || p.PromptMatch != knowledge.Erased {
			t.Fatalf("%+v, %v", p, err)
		}
		said := p.Messages.Texts()[0]
		if !strings.Contains(said, other.Guidance) || !strings.Contains(said, "[erased] asks about an annuity") ||
			!strings.Contains(said, "[Case #001, version 1: erased on ") || strings.Contains(said, inOwn) != (i == 1) {
			t.Errorf("%s says %s", id, said)
		}
	}
}
