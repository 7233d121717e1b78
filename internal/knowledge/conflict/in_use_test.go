package conflict_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
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
	if len(list) != 1 || list[0].Kind != conflict.Contradiction || !list[0].From().Equal(from) ||
		!strings.Contains(list[0].Right.Principle, "never say") || list[0].Right.Now != b.Principle {
		t.Fatalf("what begins in a month: %+v", list)
	}
	if got := list[0].Choices(); !slices.Equal(got,
		[]string{conflict.KeepBoth, conflict.KeepLeft, conflict.KeepRight}) {
		t.Errorf("offered: %v", got)
	}
	f.clock.Advance(32 * 24 * time.Hour)
	f.turn(t)
	list = f.open(t)
	if !list[0].From().IsZero() {
		t.Errorf("in use, it is from %v", list[0].From())
	}
	if len(list) != 1 || list[0].Kind != conflict.Contradiction || list[0].LeftID != a.ID ||
		!list[0].Right.Later.IsZero() {
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

// Two wordings that are never given at one time don't conflict, two scheduled ones do from the later day on, and a
// wording whose turn is over takes its conflict with it within the minute.
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
		if want := map[string]time.Time{conflict.Duplicate: {},
			conflict.Contradiction: later}[k.Kind]; k.RightID != c.ID || !k.From().Equal(want) {
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
	k := knowledge.Case{Source: knowledge.FromDocument, Origin: "o",
		CaseText: knowledge.CaseText{Title: "Pot", Situation: "asks what to take",
			Guidance: "A quarter of it is tax free."}}
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

// What an answer took out comes back, and with it the conflict: by a rollback of the whole base, or by a new status.
func TestAnAnswerThatIsUndoneOpensTheConflictAgain(t *testing.T) {
	narrow := func(a conflict.Answer) conflict.Answer {
		a.Side, a.When = conflict.Left, []rule.Condition{aged(rule.Below, "50")}
		return a
	}
	for _, tt := range []struct {
		name, choice string
		second       rule.Statement
		with         func(a conflict.Answer) conflict.Answer
		scheduled    bool
		again        bool
	}{
		{"keep left", conflict.KeepLeft, silent, nil, false, true},
		{"keep right", conflict.KeepRight, silent, nil, false, true},
		{"keep left of one that is scheduled", conflict.KeepLeft, silent, nil, true, true},
		{"narrow", conflict.Narrow, silent, narrow, false, true},
		{"merge", conflict.Merge, again, nil, false, true},
		{"keep both", conflict.KeepBoth, silent, nil, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, nil)
			told := 0
			f.OnFound = func(*db.Tx, conflict.Conflict) error { told++; return nil }
			first := tt.second
			if tt.scheduled {
				first = other
			}
			f.add(t, mention, knowledge.Active)
			b := f.add(t, first, knowledge.Active)
			f.drain(t)
			if tt.scheduled {
				f.schedule(t, b, tt.second, f.clock.Now().AddDate(0, 1, 0))
			}
			s, err := f.kb.SaveState(ctx, "Walk state", expert)
			if err != nil {
				t.Fatal(err)
			}
			c := f.open(t)[0]
			in := answer(c, tt.choice, "Because.")
			if tt.with != nil {
				in = tt.with(in)
			}
			if _, err := f.Settle(ctx, c.ID, in, expert); err != nil {
				t.Fatal(err)
			}
			f.drain(t)
			if tt.again {
				p, err := f.kb.PreviewRollback(ctx, s.ID)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := f.kb.Rollback(ctx, s.ID, "It was better.", p.Seq, expert); err != nil {
					t.Fatal(err)
				}
			} else if err := f.Consolidate(ctx); err != nil {
				t.Fatal(err)
			}
			f.drain(t)
			list := f.open(t)
			if !tt.again {
				if len(list) != 0 {
					t.Errorf("both were kept: %+v", list)
				}
				return
			}
			if len(list) != 1 || list[0].ID != c.ID || !list[0].Reopened() || list[0].Outcome != tt.choice ||
				list[0].By != "Edie" ||
				list[0].From().IsZero() == tt.scheduled || told != 2 {
				t.Fatalf("told %d: %+v", told, list)
			}
			closed, _, err := f.List(ctx, conflict.Filter{Closed: true})
			if err != nil || len(closed) != 0 {
				t.Errorf("still resolved: %+v, %v", closed, err)
			}
			after, err := f.Settle(ctx, c.ID, answer(list[0], conflict.KeepBoth, "They don't meet."), expert)
			if err != nil || after.Outcome != conflict.KeepBoth {
				t.Errorf("%+v, %v", after, err)
			}
		})
	}
}

// An accepted, quarantined or unused rule that comes back is compared again; so is one whose dates alone changed.
func TestWhatComesBackIntoUseIsComparedAgain(t *testing.T) {
	f := open(t, nil)
	a, b := f.add(t, mention, knowledge.Active), f.add(t, silent, knowledge.Active)
	f.drain(t)
	ended := 0
	f.OnClosed = func(*db.Tx, conflict.Conflict, bool) error { ended++; return nil }
	set := func(id string, statuses ...string) {
		t.Helper()
		for _, status := range statuses {
			f.write(t, func(tx *db.Tx) error {
				_, err := f.kb.SetRuleStatusTx(tx, id, status, knowledge.Change{Reason: status})
				return err
			})
		}
		f.drain(t)
	}
	c := f.open(t)[0]
	if _, err := f.Settle(ctx, c.ID, answer(c, conflict.KeepLeft, "It is a risk."), expert); err != nil {
		t.Fatal(err)
	}
	set(b.ID, knowledge.Active) // its lesson is restored
	if list := f.open(t); len(list) != 1 || list[0].ID != c.ID {
		t.Fatalf("brought back: %+v", list)
	}
	set(a.ID, knowledge.Quarantined)
	set(b.ID, knowledge.Withdrawn)
	if list := f.open(t); len(list) != 0 || ended != 2 {
		t.Fatalf("%d notices ended: %+v", ended, list)
	}
	set(b.ID, knowledge.Active)
	set(a.ID, knowledge.Active) // the quarantine ends
	if list := f.open(t); len(list) != 1 || list[0].Kind != conflict.Contradiction {
		t.Fatalf("after the quarantine: %+v", list)
	}

	f = open(t, nil)
	f.add(t, mention, knowledge.Active)
	text := knowledge.RuleOf(silent, pack.Of(pack.Pension))
	text.Confidence = 0.8
	var old knowledge.Rule
	f.write(t, func(tx *db.Tx) (err error) {
		r := knowledge.Rule{Status: knowledge.Active, Domain: knowledge.RiskDisclosure, RuleText: text}
		r.ValidTo = f.clock.Now().AddDate(0, 0, 7)
		old, err = f.kb.AddRuleTx(tx, r)
		return err
	})
	f.clock.Advance(14 * 24 * time.Hour)
	f.turn(t)
	if list := f.open(t); len(list) != 0 {
		t.Fatalf("it has ended: %+v", list)
	}
	f.write(t, func(tx *db.Tx) error {
		old.ValidTo = time.Time{}
		_, err := f.kb.EditRuleTx(tx, old)
		return err
	})
	f.drain(t)
	if list := f.open(t); len(list) != 1 {
		t.Errorf("its last day was taken away: %+v", list)
	}
}

// A rule that was retired because nobody used it, and comes back, is listed as unused again; one that was kept isn't,
// for a while.
func TestAnUnusedRuleThatComesBackIsListedAgain(t *testing.T) {
	f := open(t, nil)
	f.Policy.Others = 1
	idle, busy := f.add(t, other, knowledge.Active), f.add(t, mention, knowledge.Active)
	consolidate := func() []conflict.Conflict {
		t.Helper()
		f.clock.Advance(100 * 24 * time.Hour)
		f.write(t, func(tx *db.Tx) error {
			_, err := f.kb.RecordUsageTx(tx, f.clock.Now().String(), "", []knowledge.Used{{ID: busy.ID, Rank: 1}})
			return err
		})
		if err := f.Consolidate(ctx); err != nil {
			t.Fatal(err)
		}
		f.drain(t)
		return f.open(t)
	}
	settle := func(list []conflict.Conflict, choice string) {
		t.Helper()
		if len(list) != 1 || list[0].Kind != conflict.Unused || list[0].LeftID != idle.ID {
			t.Fatalf("before %s: %+v", choice, list)
		}
		if _, err := f.Settle(ctx, list[0].ID, answer(list[0], choice, "So."), expert); err != nil {
			t.Fatal(err)
		}
	}
	settle(consolidate(), conflict.Retire)
	f.write(t, func(tx *db.Tx) error {
		_, err := f.kb.SetRuleStatusTx(tx, idle.ID, knowledge.Active, knowledge.Change{Reason: "Needed."})
		return err
	})
	settle(consolidate(), conflict.Keep)
	if list := consolidate(); len(list) != 0 {
		t.Errorf("kept for 180 days: %+v", list)
	}
	if list := consolidate(); len(list) != 1 {
		t.Errorf("after them: %+v", list)
	}
}
