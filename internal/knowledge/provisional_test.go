package knowledge_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

// A provisional rule is marked whether or not cases support it; prompts from before it was marked with them are rebuilt
// as they were.
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
	before := strings.ReplaceAll(got.Prompt, "cases 001\nProvisional: tested on few cases so far", "cases 001")
	before = strings.ReplaceAll(before, "\nProvisional: tested", "\nEvidence: provisional, tested")
	b.write(func(tx *db.Tx) error {
		if err := b.RecordPromptTx(tx, "old", "embedded", got, nil); err != nil {
			return err
		}
		_, err := tx.Exec(`UPDATE knowledge_prompt SET format = 1, block_hash = $1`,
			fmt.Sprintf("%x", sha256.Sum256([]byte(fmt.Sprintf("%d\n%s", len(before), before)))))
		return err
	})
	if r, err := b.Rebuild(ctx, "old"); err != nil || r.BlockMatch != knowledge.Identical || r.Block != before {
		t.Errorf("%v: %s\n%s\nwant\n%s", err, r.BlockMatch, r.Block, before)
	}
}
