package conflict_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

var (
	ctx    = context.Background()
	expert = knowledge.Person{ID: "e1", Name: "Edie", Roles: []string{"expert"}}
)

type fixture struct {
	*conflict.Store
	conflict.Hooks
	d     *db.DB
	kb    *knowledge.Base
	jobs  *job.Queue
	clock *dbtest.Clock
}

func open(t *testing.T, model conflict.Detector) *fixture {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	dbtest.NothingWhole(t, d)
	q := job.New(d, slog.New(slog.DiscardHandler))
	f := &fixture{d: d, jobs: q, clock: clock}
	f.kb = knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{
		OnRule: func(tx *db.Tx, r knowledge.Rule) error { return f.RuleWrittenTx(tx, r) },
		OnCase: func(tx *db.Tx, c knowledge.Case) error { return f.CaseWrittenTx(tx, c) },
		OnMany: func(tx *db.Tx) error { return f.RulesChangedTx(tx) },
	})
	f.Store = conflict.New(d, q, f.kb, nil, model, hooktest.Late(&f.Hooks), slog.New(slog.DiscardHandler))
	return f
}

func (f *fixture) write(t *testing.T, do func(tx *db.Tx) error) {
	t.Helper()
	if err := f.d.Write(ctx, do); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) add(t *testing.T, st rule.Statement, status string, supporting ...string) (r knowledge.Rule) {
	t.Helper()
	text := knowledge.RuleOf(st, pack.Of(pack.Pension))
	text.Confidence, text.Supporting = 0.8, supporting
	f.write(t, func(tx *db.Tx) (err error) {
		r, err = f.kb.AddRuleTx(tx, knowledge.Rule{Status: status, Domain: knowledge.RiskDisclosure, RuleText: text})
		return err
	})
	return r
}

func (f *fixture) drain(t *testing.T) {
	t.Helper()
	if err := f.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) open(t *testing.T) []conflict.Conflict {
	t.Helper()
	list, _, err := f.List(ctx, conflict.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (f *fixture) status(t *testing.T, id string) string {
	t.Helper()
	r, err := f.kb.Rule(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return r.Status
}

func answer(c conflict.Conflict, choice, note string) conflict.Answer {
	a := conflict.Answer{Choice: choice, Note: note, Version: c.Version}
	a.LeftVersion, a.RightVersion = c.Left.Version(), c.Right.Version()
	return a
}

func on(task string) rule.Condition {
	return rule.Condition{Kind: rule.Topic, Values: []string{task}}
}

func aged(op, years string) rule.Condition {
	return rule.Condition{Kind: rule.Field, Name: "age", Op: op, Values: []string{years}}
}

func include(text string, when ...rule.Condition) rule.Statement {
	return rule.Statement{When: when, Do: rule.Act{Kind: rule.Include, Text: text}}
}

func never(phrase string, when ...rule.Condition) rule.Statement {
	return rule.Statement{When: when, Do: rule.Act{Kind: rule.Never, Phrases: []string{phrase}}}
}

var (
	mention = include("The money may run out before you do.", on(pack.Drawdown))
	silent  = never("run out", on(pack.Drawdown), aged(rule.Above, "50"))
	again   = include("the money may run out before you do", on(pack.Drawdown))
	other   = include("The forecast is free.", on(pack.StatePension))
	soothe  = rule.Statement{When: []rule.Condition{on(pack.Drawdown)},
		Do: rule.Act{Kind: rule.Other, Text: "describe the money as safe before and after retirement"}}
)

func TestAContradictionIsRaisedAndWaitsForAPerson(t *testing.T) {
	f := open(t, nil)
	a := f.add(t, mention, knowledge.Active)
	f.add(t, other, knowledge.Active)
	f.drain(t)
	b := f.add(t, silent, knowledge.Candidate)
	if waits, err := f.Pending(ctx, b.ID); err != nil || !waits {
		t.Fatalf("pending %v %v", waits, err)
	}
	f.drain(t)
	if waits, err := f.Pending(ctx, b.ID); err != nil || waits {
		t.Fatalf("pending %v %v", waits, err)
	}
	list := f.open(t)
	if len(list) != 1 || list[0].Kind != conflict.Contradiction || list[0].LeftID != a.ID || list[0].RightID != b.ID ||
		list[0].Why == "" {
		t.Fatalf("%+v", list)
	}
	if f.status(t, a.ID) != knowledge.Active || f.status(t, b.ID) != knowledge.Candidate {
		t.Error("something was retired by itself")
	}
	f.write(t, func(tx *db.Tx) error { // acceptance of the same text raises nothing anew
		_, err := f.kb.SetRuleStatusTx(tx, b.ID, knowledge.Active, knowledge.Change{Reason: "Accepted."})
		return err
	})
	f.drain(t)
	n, err := f.Counts(ctx)
	if err != nil || n.Open != 1 || n.ByKind[conflict.Contradiction] != 1 || n.Oldest.IsZero() {
		t.Fatalf("%+v %v", n, err)
	}
	of, err := f.Of(ctx, b.ID)
	if err != nil || len(of) != 1 || of[0].Left.Rule == nil || of[0].Right.Number != b.Number {
		t.Fatalf("%+v %v", of, err)
	}
}

func TestWhatSettlesAConflict(t *testing.T) {
	for _, tt := range []struct {
		name             string
		status           string // of the second rule
		with             func(a conflict.Answer) conflict.Answer
		choice           string
		left, right      string // statuses after
		leftSays, rights string // what the texts contain after
	}{
		{"keep both", knowledge.Active, nil, conflict.KeepBoth, knowledge.Active, knowledge.Active, "The money may",
			"never say"},
		{"keep left", knowledge.Active, nil, conflict.KeepLeft, knowledge.Active, knowledge.Retired, "", ""},
		{"keep left of one that waits", knowledge.Candidate, nil, conflict.KeepLeft, knowledge.Active,
			knowledge.Rejected, "", ""},
		{"keep right", knowledge.Active, nil, conflict.KeepRight, knowledge.Retired, knowledge.Active, "", ""},
		{"narrow", knowledge.Active, func(a conflict.Answer) conflict.Answer {
			a.Side, a.When = conflict.Left, []rule.Condition{aged(rule.Below, "50")}
			return a
		}, conflict.Narrow, knowledge.Active, knowledge.Active,
			"When the topic is Drawdown and age is below 50, include", "never say"},
		{"merge", knowledge.Active, func(a conflict.Answer) conflict.Answer {
			a.Statement = include("Nobody knows how long the money lasts.", on(pack.Drawdown))
			return a
		}, conflict.Merge, knowledge.Active, knowledge.Retired, "Nobody knows", ""},
		{"merge as it is", knowledge.Active, nil, conflict.Merge, knowledge.Active, knowledge.Retired, "The money may",
			""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, nil)
			var ended, reworded []string
			f.OnEnded = func(_ *db.Tx, r knowledge.Rule, _ *knowledge.Rule, _ string, _ knowledge.Person) error {
				ended = append(ended, r.ID)
				return nil
			}
			f.OnReworded = func(_ *db.Tx, r knowledge.Rule, _ knowledge.Person) error {
				reworded = append(reworded, r.ID)
				return nil
			}
			second := silent
			if tt.choice == conflict.Merge {
				second = again
			}
			a, b := f.add(t, mention, knowledge.Active, "c1"), f.add(t, second, tt.status, "c2")
			f.drain(t)
			c := f.open(t)[0]
			in := answer(c, tt.choice, "Because.")
			if tt.with != nil {
				in = tt.with(in)
			}
			after, err := f.Settle(ctx, c.ID, in, expert)
			if err != nil {
				t.Fatal(err)
			}
			if after.State != conflict.Settled || after.Outcome != tt.choice || after.By != "Edie" {
				t.Errorf("%+v", after)
			}
			if f.status(t, a.ID) != tt.left || f.status(t, b.ID) != tt.right {
				t.Errorf("left %s, right %s", f.status(t, a.ID), f.status(t, b.ID))
			}
			if !strings.Contains(after.Left.Principle, tt.leftSays) ||
				!strings.Contains(after.Right.Principle, tt.rights) {
				t.Errorf("left %q, right %q", after.Left.Principle, after.Right.Principle)
			}
			// what says something else begins again, and what says the same has the evidence of both
			want := []string{"c1"}
			switch {
			case tt.choice == conflict.Merge && tt.with == nil:
				want = []string{"c1", "c2"}
			case tt.with != nil:
				want = nil
			}
			if !slices.Equal(after.Left.Supporting, want) || after.Left.Provisional != (want == nil) {
				t.Errorf("the evidence is %v, provisional %v, want %v", after.Left.Supporting, after.Left.Provisional,
					want)
			}
			if (tt.left != knowledge.Active || tt.right != knowledge.Active) != (len(ended) == 1) ||
				(tt.choice == conflict.Narrow || tt.choice == conflict.Merge) != (len(reworded) == 1) {
				t.Errorf("ended %v, reworded %v", ended, reworded)
			}
			if _, err := f.Settle(ctx, c.ID, in, expert); !fault.Is(err, fault.Conflict) {
				t.Errorf("settled twice: %v", err)
			}
			f.drain(t)
			if list := f.open(t); len(list) != 0 {
				t.Errorf("raised again: %+v", list)
			}
		})
	}
}

func TestWhatDoesNotSettle(t *testing.T) {
	f := open(t, nil)
	f.add(t, mention, knowledge.Active)
	b := f.add(t, silent, knowledge.Active)
	f.drain(t)
	c := f.open(t)[0]
	ok := answer(c, conflict.KeepBoth, "They don't meet.")
	for name, tt := range map[string]struct {
		by   knowledge.Person
		in   conflict.Answer
		want fault.Kind
	}{
		"a supervisor":             {knowledge.Person{ID: "s", Roles: []string{"supervisor"}}, ok, fault.Denied},
		"no reason":                {expert, answer(c, conflict.KeepBoth, " "), fault.Invalid},
		"no such choice":           {expert, answer(c, "burn", "Because."), fault.Invalid},
		"narrow which":             {expert, answer(c, conflict.Narrow, "Because."), fault.Invalid},
		"merged with its opposite": {expert, answer(c, conflict.Merge, ""), fault.Invalid},
		"merged into a third": {expert, func() conflict.Answer {
			a := answer(c, conflict.Merge, "So.")
			a.Statement = other
			return a
		}(), fault.Invalid},
		"narrowed to what": {expert, func() conflict.Answer {
			a := answer(c, conflict.Narrow, "Because.")
			a.Side, a.When = conflict.Left, []rule.Condition{on(pack.Annuity)}
			return a
		}(), fault.Invalid},
		"another version": {expert, func() conflict.Answer {
			a := ok
			a.LeftVersion = 9
			return a
		}(), fault.Conflict},
		"another conflict?": {expert, func() conflict.Answer { a := ok; a.Version = 9; return a }(), fault.Conflict},
	} {
		if _, err := f.Settle(ctx, c.ID, tt.in, tt.by); !fault.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.write(t, func(tx *db.Tx) error {
		_, err := f.kb.SetRuleStatusTx(tx, b.ID, knowledge.Retired, knowledge.Change{Reason: "Old."})
		return err
	})
	if _, err := f.Settle(ctx, c.ID, ok, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("a conflict that is gone: %v", err)
	}
	closed, _, err := f.List(ctx, conflict.Filter{Closed: true})
	if err != nil || len(closed) != 1 || closed[0].State != conflict.Gone ||
		!strings.Contains(closed[0].Note, "no longer in use") {
		t.Errorf("%+v %v", closed, err)
	}
}

func TestAnotherTextIsComparedAgain(t *testing.T) {
	f := open(t, nil)
	f.add(t, mention, knowledge.Active)
	b := f.add(t, silent, knowledge.Active)
	f.drain(t)
	reword := func(st rule.Statement) {
		f.write(t, func(tx *db.Tx) error {
			r, err := f.kb.RuleTx(tx, b.ID)
			if err != nil {
				return err
			}
			r.RuleText, r.Reason = knowledge.RuleOf(st, pack.Of(pack.Pension)), "Edited."
			_, err = f.kb.EditRuleTx(tx, *r)
			return err
		})
		f.drain(t)
	}
	reword(other)
	if list := f.open(t); len(list) != 0 {
		t.Fatalf("%+v", list)
	}
	reword(again)
	if list := f.open(t); len(list) != 1 || list[0].Kind != conflict.Duplicate {
		t.Fatalf("%+v", list)
	}
	reword(silent)
	if list := f.open(t); len(list) != 1 || list[0].Kind != conflict.Contradiction {
		t.Fatalf("%+v", list)
	}
	f.write(t, func(tx *db.Tx) error { // in quarantine it waits, and comes back as it was
		_, err := f.kb.SetRuleStatusTx(tx, b.ID, knowledge.Quarantined, knowledge.Change{Reason: "Harm."})
		return err
	})
	f.drain(t)
	if list := f.open(t); len(list) != 1 {
		t.Fatalf("%+v", list)
	}
}

// scripted answers what it is told to.
type scripted struct {
	finding conflict.Finding
	err     error
	asked   int
}

func (s *scripted) Name() string { return "scripted model" }
func (s *scripted) Compare(context.Context, conflict.Text, conflict.Text) (conflict.Finding, error) {
	s.asked++
	return s.finding, s.err
}

func TestAModelHasTheLastWordButOnContradictions(t *testing.T) {
	for _, tt := range []struct {
		name        string
		left, right rule.Statement
		model       scripted
		want        string
		by          string
	}{
		{"a duplicate that it denies", mention, again,
			scripted{finding: conflict.Finding{Kind: conflict.FoundNothing, Why: "They differ."}}, "", ""},
		{"a contradiction that it denies", mention, silent,
			scripted{finding: conflict.Finding{Kind: conflict.FoundNothing, Why: "They can both be followed."}},
			conflict.Contradiction, "embedded detector"},
		{"it does not answer", mention, silent, scripted{err: fault.New(fault.Unavailable, "Down.")},
			conflict.Contradiction, "embedded detector"},
		{"one that only it sees", mention, soothe,
			scripted{finding: conflict.Finding{Kind: conflict.FoundContradiction, Why: "Left warns, right soothes.",
				By: "scripted model"}}, conflict.Contradiction, "scripted model"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, &tt.model)
			f.add(t, tt.left, knowledge.Active)
			f.add(t, tt.right, knowledge.Active)
			f.drain(t)
			list := f.open(t)
			if tt.want == "" {
				if len(list) != 0 {
					t.Errorf("%+v", list)
				}
				return
			}
			if len(list) != 1 || list[0].Kind != tt.want || list[0].FoundBy != tt.by || tt.model.asked == 0 {
				t.Errorf("asked %d: %+v", tt.model.asked, list)
			}
		})
	}
}

func TestConsolidatingTwiceHasOneEffect(t *testing.T) {
	f := open(t, nil)
	f.Policy.Others = 3
	idle, busy := f.add(t, other, knowledge.Active), f.add(t, mention, knowledge.Active)
	f.clock.Advance(100 * 24 * time.Hour)
	f.write(t, func(tx *db.Tx) error {
		for _, in := range []string{"i1", "i2", "i3"} {
			if _, err := f.kb.RecordUsageTx(tx, in, "", []knowledge.Used{{ID: busy.ID, Rank: 1}}); err != nil {
				return err
			}
		}
		return nil
	})
	for range 2 {
		if err := f.Consolidate(ctx); err != nil {
			t.Fatal(err)
		}
		f.drain(t)
	}
	list := f.open(t)
	if len(list) != 1 || list[0].Kind != conflict.Unused || list[0].LeftID != idle.ID ||
		!strings.Contains(list[0].Why, "never") && !strings.Contains(list[0].Why, "ever") {
		t.Fatalf("%+v", list)
	}
	if _, err := f.Settle(ctx, list[0].ID, answer(list[0], conflict.Keep, "It is for a rare question."),
		expert); err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(24 * time.Hour)
	if err := f.Consolidate(ctx); err != nil {
		t.Fatal(err)
	}
	if list := f.open(t); len(list) != 0 {
		t.Errorf("raised again: %+v", list)
	}
}

func TestWhatWasNeverComparedIs(t *testing.T) {
	f := open(t, nil)
	f.add(t, mention, knowledge.Active)
	f.add(t, silent, knowledge.Active)
	f.write(t, func(tx *db.Tx) error { // as in a file of an older version of the program
		_, err := tx.Exec(`DELETE FROM knowledge_conflict_check`)
		return err
	})
	f.write(t, func(tx *db.Tx) error {
		_, err := tx.Exec(`DELETE FROM river_job`)
		return err
	})
	if err := f.Consolidate(ctx); err != nil {
		t.Fatal(err)
	}
	f.drain(t)
	if list := f.open(t); len(list) != 1 {
		t.Errorf("%+v", list)
	}
}

func TestPagesOfConflicts(t *testing.T) {
	f := open(t, nil)
	for i, what := range []string{"fees", "tax", "scams", "wills", "bonds"} {
		f.clock.Advance(time.Minute)
		f.add(t, include("Think of "+what+".", on(pack.Drawdown)), knowledge.Active)
		f.add(t, never(what, on(pack.Drawdown), aged(rule.Above, "50")), knowledge.Active)
		f.drain(t)
		if n := len(f.open(t)); n != i+1 {
			t.Fatalf("%s: %d", what, n)
		}
	}
	for _, closed := range []bool{false, true} {
		seen := map[string]bool{}
		cursor := ""
		for range 5 {
			list, next, err := f.List(ctx,
				conflict.Filter{Closed: closed, Kind: conflict.Contradiction, Cursor: cursor, Limit: 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				seen[c.ID] = true
			}
			if cursor = next; next == "" {
				break
			}
		}
		if len(seen) != 5 {
			t.Errorf("closed %v: %d", closed, len(seen))
		}
		if closed {
			break
		}
		for _, c := range f.open(t) {
			if _, err := f.Settle(ctx, c.ID, answer(c, conflict.KeepBoth, "So."), expert); err != nil {
				t.Fatal(err)
			}
			f.clock.Advance(time.Second)
		}
	}
	if _, _, err := f.List(ctx, conflict.Filter{Cursor: "x"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a made-up cursor: %v", err)
	}
}
