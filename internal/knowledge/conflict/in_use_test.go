package conflict_test

import (
	"slices"
	"strings"
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

// A wording that begins in a month is compared at once, and what it contradicts says from which day.
func TestAConflictComparesTheWordingsInUse(t *testing.T) {
	f := open(t, nil)
	a, b := f.add(t, mention, knowledge.Active), f.add(t, other, knowledge.Active)
	f.drain(t)
	from := f.clock.Now().AddDate(0, 1, 0)
	f.schedule(t, b, silent, from)
	list := f.open(t)
	if len(list) != 1 || list[0].Kind != conflict.Contradiction || !list[0].From().Equal(from) || !strings.Contains(list[0].Right.Principle, "never say") {
		t.Fatalf("what begins in a month: %+v", list)
	}
	if got := list[0].Choices(); !slices.Equal(got, []string{conflict.KeepBoth, conflict.KeepLeft, conflict.KeepRight}) {
		t.Errorf("offered: %v", got)
	}
	f.clock.Advance(32 * 24 * time.Hour)
	f.turn(t)
	list = f.open(t)
	if !list[0].From().IsZero() {
		t.Errorf("in use, it is from %v", list[0].From())
	}
	if len(list) != 1 || list[0].Kind != conflict.Contradiction || list[0].LeftID != a.ID || !list[0].Right.Later.IsZero() {
		t.Fatalf("from its day on it conflicts: %+v", list)
	}
	// The other way round: today's wordings conflict, and the one that ends it has yet to begin.
	head, err := f.kb.Rule(ctx, b.ID)
	if err != nil {
		t.Fatal(err)
	}
	from = f.clock.Now().AddDate(0, 1, 0)
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

// turn lets the clock's minute pass: what has begun by its date is told to the comparison.
func (f *fixture) turn(t *testing.T) {
	t.Helper()
	if err := f.kb.Turn(ctx); err != nil {
		t.Fatal(err)
	}
	f.drain(t)
}

// Two wordings that are never given at one time don't conflict, two scheduled ones do from the later day on, and a wording whose turn
// is over takes its conflict with it within the minute.
func TestScheduledWordingsConflictWhileBothAreGiven(t *testing.T) {
	f := open(t, nil)
	a, b := f.add(t, mention, knowledge.Active), f.add(t, other, knowledge.Active)
	f.drain(t)
	soon, later := f.clock.Now().AddDate(0, 1, 0), f.clock.Now().AddDate(0, 2, 0)
	f.schedule(t, a, soothe, soon)
	f.schedule(t, b, silent, later) // by then a says something else
	if list := f.open(t); len(list) != 0 {
		t.Fatalf("they are never given together: %+v", list)
	}
	c := f.add(t, again, knowledge.Candidate)
	f.drain(t)
	list := f.open(t)
	if len(list) != 2 {
		t.Fatalf("a duplicate now and a contradiction in two months: %+v", list)
	}
	for _, k := range list {
		if want := map[string]time.Time{conflict.Duplicate: {}, conflict.Contradiction: later}[k.Kind]; k.RightID != c.ID || !k.From().Equal(want) {
			t.Errorf("%s of %s and %s from %v, want %v", k.Kind, k.Left.Label(), k.Right.Label(), k.From(), want)
		}
	}
	f.clock.Advance(32 * 24 * time.Hour)
	f.turn(t)
	if list = f.open(t); len(list) != 1 || list[0].Kind != conflict.Contradiction {
		t.Errorf("after the first one's turn: %+v", list)
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
