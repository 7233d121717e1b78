package conflict_test

import (
	"testing"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// schedule gives a rule another wording from a day on.
func (f *fixture) schedule(t *testing.T, r knowledge.Rule, st rule.Statement, from time.Time) {
	t.Helper()
	text := knowledge.RuleOf(st, pack.Of(pack.Pension))
	text.Confidence = r.Confidence
	r.RuleText, r.ValidFrom = text, from
	f.write(t, func(tx *db.Tx) error { _, err := f.kb.EditRuleTx(tx, r); return err })
	f.drain(t)
}

// A wording that begins in a month is compared in a month: until then a conflict shows the one that is in use, and is answered over it.
func TestAConflictComparesTheWordingsInUse(t *testing.T) {
	f := open(t, nil)
	a, b := f.add(t, mention, knowledge.Active), f.add(t, other, knowledge.Active)
	f.drain(t)
	f.schedule(t, b, silent, f.clock.Now().AddDate(0, 1, 0))
	if list := f.open(t); len(list) != 0 {
		t.Fatalf("what begins in a month conflicts today: %+v", list)
	}
	f.clock.Advance(32 * 24 * time.Hour)
	if err := f.Consolidate(ctx); err != nil {
		t.Fatal(err)
	}
	f.drain(t)
	list := f.open(t)
	if len(list) != 1 || list[0].Kind != conflict.Contradiction || list[0].LeftID != a.ID || !list[0].Right.Later.IsZero() {
		t.Fatalf("from its day on it conflicts: %+v", list)
	}
	// The other way round: today's wordings conflict, and the one that ends it has yet to begin.
	head, err := f.kb.Rule(ctx, b.ID)
	if err != nil {
		t.Fatal(err)
	}
	from := f.clock.Now().AddDate(0, 1, 0)
	f.schedule(t, *head, other, from)
	list = f.open(t)
	if len(list) != 1 || list[0].Right.Principle != head.Principle || !list[0].Right.Later.Equal(from) {
		t.Fatalf("today's wording is %q: %+v", head.Principle, list)
	}
	for _, choice := range list[0].Choices() {
		if choice == conflict.Narrow || choice == conflict.Merge {
			t.Errorf("%s is offered, and would be undone by the scheduled wording", choice)
		}
	}
	if _, err := f.Settle(ctx, list[0].ID, answer(list[0], conflict.KeepLeft, "It is a risk."), expert); err != nil {
		t.Fatal(err)
	}
	if got := f.status(t, b.ID); got != knowledge.Retired {
		t.Errorf("the other is %s", got)
	}
}

// Cases have dates as well.
func TestACaseIsShownAsItIsInUse(t *testing.T) {
	f := open(t, nil)
	k := knowledge.Case{Source: knowledge.FromDocument, Origin: "o", CaseText: knowledge.CaseText{Title: "Pot", Situation: "asks what to take", Guidance: "A quarter of it is tax free."}}
	f.write(t, func(tx *db.Tx) error {
		if _, err := f.kb.AddCaseTx(tx, k); err != nil {
			return err
		}
		later := k
		later.Guidance, later.ValidFrom = "A fifth of it is tax free.", f.clock.Now().AddDate(0, 1, 0)
		head, err := f.kb.AddCaseTx(tx, later)
		if err != nil {
			return err
		}
		used, err := f.kb.CaseInUseTx(tx, &head)
		if err != nil || used.Guidance != k.Guidance || head.Guidance != later.Guidance {
			t.Errorf("in use: %q of %q, %v", used.Guidance, head.Guidance, err)
		}
		return nil
	})
}
