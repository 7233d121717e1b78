package credit

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/search"
)

var expert = knowledge.Person{ID: "e1", Name: "Edie", Roles: []string{"expert"}}

type bench struct {
	*Ledger
	t testing.TB
}

func setUp(t testing.TB) bench {
	t.Helper()
	d := dbtest.New(t)
	dbtest.NothingWhole(t, d)
	return bench{New(d, knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})), t}
}

func (b bench) write(f func(tx *db.Tx) error) {
	b.t.Helper()
	if err := b.d.Write(context.Background(), f); err != nil {
		b.t.Fatal(err)
	}
}

func (b bench) rule(n int) (r knowledge.Rule) {
	b.t.Helper()
	b.write(func(tx *db.Tx) (err error) {
		r, err = b.kb.AddRuleTx(tx, knowledge.Rule{Status: knowledge.Active, Domain: knowledge.PensionEducation, By: me,
			RuleText: knowledge.RuleText{
				Title: "Rule",
				Principle: fmt.Sprintf("When the customer asks about point %d, mention detail %d because it matters", n,
					n), Confidence: 0.8,
				Situation: fmt.Sprintf("the customer asks about point %d", n),
				Action:    fmt.Sprintf("mention detail %d", n),
				Because:   "it matters"}})
		return err
	})
	return r
}

// decide records what became of a draft that was shown some rules, and returns the outcome.
func (b bench) decide(task string, approved bool, shown ...knowledge.Rule) Outcome {
	b.t.Helper()
	o := Outcome{ID: id.New(), InteractionID: id.New(), AgentID: "a1", Task: task, Approved: approved}
	b.write(func(tx *db.Tx) error {
		var used []knowledge.Used
		for _, r := range shown {
			used = append(used, knowledge.Used{ID: r.ID})
		}
		if _, err := b.kb.RecordUsageTx(tx, o.InteractionID, o.AgentID, used); err != nil {
			return err
		}
		return b.RecordTx(tx, o)
	})
	return o
}

func (b bench) standing(r knowledge.Rule) Estimate {
	b.t.Helper()
	s, err := b.Standing(context.Background(), r.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (b bench) status(r knowledge.Rule) *knowledge.Rule {
	b.t.Helper()
	got, err := b.kb.Rule(context.Background(), r.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	return got
}

func TestAnOutcomeCountsOnceAndUndoTakesItOut(t *testing.T) {
	b := setUp(t)
	r, other := b.rule(1), b.rule(2)
	b.decide("drawdown", true, r, other)
	before, beforeOther := b.standing(r), b.standing(other)
	o := b.decide("drawdown", false, r, other)
	after := b.standing(r)
	if after.Shown != 2 || after.Approved != 1 || after.Effect >= before.Effect {
		t.Errorf("after a refusal: %+v", after)
	}
	b.write(func(tx *db.Tx) error { return b.RecordTx(tx, o) })
	if again := b.standing(r); again != after {
		t.Errorf("counted twice: %+v", again)
	}
	for range 2 {
		b.write(func(tx *db.Tx) error { return b.UndoTx(tx, o.ID) })
	}
	b.write(func(tx *db.Tx) error { return b.RecordTx(tx, o) }) // an undone one is not revived
	if got := b.standing(r); math.Abs(got.Effect-before.Effect) > 1e-12 || got.Shown != 1 {
		t.Errorf("after the undo: %+v, want %+v", got, before)
	}
	if got := b.standing(other); math.Abs(got.Effect-beforeOther.Effect) > 1e-12 {
		t.Errorf("the other's after the undo: %+v", got)
	}
}

// A rule is not blamed for belonging to a task whose drafts are often refused.
func TestTheTaskIsNotTheRulesFault(t *testing.T) {
	b := setUp(t)
	hard, easy := b.rule(1), b.rule(2)
	for i := range 40 {
		b.decide("db_transfer", i%2 == 0, hard)
		b.decide("db_transfer", i%2 == 0)
		b.decide("state_pension", i%10 != 0, easy)
		b.decide("state_pension", i%10 != 0)
	}
	h, e := b.standing(hard), b.standing(easy)
	if math.Abs(h.Effect) > 0.05 || math.Abs(e.Effect) > 0.05 || h.Low > 0 || h.High < 0 ||
		math.Abs(h.Helpful-h.Harmful) > 3 {
		t.Errorf("hard %+v\neasy %+v", h, e)
	}
}

// A rule that every draft of a hard task was shown has nothing to be set against, and is not quarantined for the task.
func TestAlwaysShownIsNotHarmful(t *testing.T) {
	b := setUp(t)
	r := b.rule(1)
	for range 60 {
		b.decide("state_pension", true)
	}
	for i := range 40 {
		b.decide("db_transfer", i%4 != 0, r)
	}
	if got := b.status(r); got.Status != knowledge.Active {
		t.Errorf("it is %s: %+v", got.Status, b.standing(r))
	}
}

// quarantine shows a rule to refused drafts until it is out of use, and returns the last outcome.
func (b bench) quarantine(r knowledge.Rule) Outcome {
	b.t.Helper()
	for range 40 { // what it is set against stands before, so that only its own drafts tip it
		b.decide("drawdown", true)
	}
	for range 200 {
		o := b.decide("drawdown", false, r)
		if b.status(r).Status == knowledge.Quarantined {
			return o
		}
	}
	b.t.Fatal("never quarantined")
	return Outcome{}
}

func TestQuarantineIsReversible(t *testing.T) {
	b := setUp(t)
	ctx := context.Background()
	r := b.rule(1)
	last := b.quarantine(r)
	q := b.status(r)
	if q.Version != 2 || q.Principle != r.Principle || q.Reason == "" || q.By.ID != me.ID {
		t.Errorf("quarantined as %+v", q)
	}
	if s := b.standing(r); s.Shown < b.Policy.Shown {
		t.Errorf("quarantined on %d drafts", s.Shown)
	}
	b.write(func(tx *db.Tx) error { return b.UndoTx(tx, last.ID) })
	if got := b.status(r); got.Status != knowledge.Active {
		t.Errorf("the decision that tipped it is undone, and it is %s", got.Status)
	}
	b.quarantine(r)
	q = b.status(r)
	for name, c := range map[string]struct {
		reason  string
		version int
		by      knowledge.Person
		kind    fault.Kind
	}{
		"no reason": {" ", q.Version, expert, fault.Invalid},
		"supervisor": {"It is right.", q.Version, knowledge.Person{ID: "s", Roles: []string{"supervisor"}},
			fault.Denied},
		"old screen": {"It is right.", q.Version - 1, expert, fault.Conflict},
	} {
		if err := b.Settle(ctx, r.ID, true, c.reason, c.version, c.by); !fault.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := b.Settle(ctx, r.ID, true, "It is right; the drafts were bad for other reasons.", q.Version,
		expert); err != nil {
		t.Fatal(err)
	}
	b.decide("drawdown", false, r)
	if s := b.standing(r); b.status(r).Status != knowledge.Active || s.Shown != 1 {
		t.Errorf("back in use: %s, %+v", b.status(r).Status, s)
	}
	b.write(func(tx *db.Tx) error { return b.UndoTx(tx, last.ID) }) // undone already, and of an epoch that is over
	if s := b.standing(r); s.Shown != 1 {
		t.Errorf("an old undo reached the new epoch: %+v", s)
	}
	if err := b.Settle(ctx, r.ID, false, "Late.", 0, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("settled twice: %v", err)
	}
}

func TestTicksWeighWhatChecksMeasured(t *testing.T) {
	b := setUp(t)
	r, calm := b.rule(1), b.rule(2)
	var last Outcome
	for range 6 {
		b.decide("drawdown", true)
		last = b.decide("drawdown", false, r, calm)
		b.write(func(tx *db.Tx) error {
			return b.TickTx(tx, Ticks{OutcomeID: last.ID, By: "sam", Asked: []string{r.ID, calm.ID, "not shown"},
				Misled: []string{r.ID}})
		})
	}
	if s := b.standing(r); s.Asked != 6 || s.Misled != 6 || s.Ticks != 0 {
		t.Errorf("without a check ticks weigh nothing: %+v", s)
	}
	b.write(func(tx *db.Tx) error {
		for i := range 20 {
			for range 2 { // the same check twice counts once
				if err := b.CheckTx(tx,
					Check{ID: fmt.Sprint(i), By: "sam", Misleads: i%4 == 0, Ticked: i%4 == 0}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	s, c := b.standing(r), b.standing(calm)
	if s.Ticks <= 3 || c.Ticks >= 0 || s.Effect >= c.Effect-0.05 {
		t.Errorf("measured: ticked %+v\nnot ticked %+v", s, c)
	}
	b.write(func(tx *db.Tx) error {
		return b.TickTx(tx, Ticks{OutcomeID: last.ID, By: "sam", Asked: []string{r.ID, calm.ID}})
	})
	if got := b.standing(r); got.Misled != 5 || got.Asked != 6 {
		t.Errorf("a later answer takes the earlier one's place: %+v", got)
	}
	b.write(func(tx *db.Tx) error { return b.UndoTx(tx, last.ID) })
	if got := b.standing(r); got.Asked != 5 {
		t.Errorf("ticks of an undone decision: %+v", got)
	}
	ok := b.decide("drawdown", true, r)
	for name, tk := range map[string]Ticks{"approved": {OutcomeID: ok.ID, By: "sam"},
		"undone": {OutcomeID: last.ID, By: "sam"}, "nobody": {OutcomeID: ok.ID}} {
		if err := b.d.Write(context.Background(), func(tx *db.Tx) error { return b.TickTx(tx, tk) }); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Counts that are kept beside the rows say what the rows say, whatever is recorded, ticked and undone in between.
func TestCountsFollowTheRows(t *testing.T) {
	b := setUp(t)
	list := []knowledge.Rule{b.rule(1), b.rule(2), b.rule(3)}
	rapid.Check(t, func(t *rapid.T) {
		var made []Outcome
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			if len(made) > 0 && rapid.Bool().Draw(t, "undo") {
				o := made[rapid.IntRange(0, len(made)-1).Draw(t, "which")]
				b.write(func(tx *db.Tx) error { return b.UndoTx(tx, o.ID) })
				continue
			}
			if by := rapid.SampledFrom([]string{"", "ann", "bob"}).Draw(t, "by"); len(made) > 0 && by != "" {
				o := made[rapid.IntRange(0, len(made)-1).Draw(t, "whose")]
				asked := rapid.SliceOf(rapid.SampledFrom([]string{list[0].ID, list[1].ID, list[2].ID, "other"})).Draw(t,
					"asked")
				misled := rapid.SliceOf(rapid.SampledFrom([]string{list[0].ID, list[1].ID, list[2].ID})).Draw(t,
					"misled")
				b.write(func(tx *db.Tx) error {
					if err := b.TickTx(tx, Ticks{OutcomeID: o.ID, By: by, Asked: asked, Misled: misled}); err != nil &&
						!fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Invalid) {
						return err
					}
					return b.CheckTx(tx,
						Check{ID: fmt.Sprint("check-", rapid.IntRange(0, 9).Draw(t, "check")), By: by,
							Misleads: rapid.Bool().Draw(t, "misleads"), Ticked: rapid.Bool().Draw(t, "ticked")})
				})
			}
			made = append(made, b.decide(rapid.SampledFrom([]string{"x", "y"}).Draw(t, "task"),
				rapid.Bool().Draw(t, "approved"), list[:rapid.IntRange(0, 3).Draw(t, "shown")]...))
		}
		var wrong int
		const shown = `SELECT item_id, 'shown' AS what, agent_id, task, count(*) AS n, sum(approved) AS hits FROM credit
			WHERE agent_id <> '' AND counted = 1 GROUP BY item_id, agent_id, task UNION ALL
			SELECT item_id, 'asked', asked_by, '', count(*), sum(misled) FROM credit
			WHERE asked_by <> '' AND counted = 1 GROUP BY item_id, asked_by`
		const sums = `SELECT item_id, what, agent_id, task, n, hits FROM credit_sum WHERE n <> 0`
		for what, q := range map[string]string{
			"lines": `SELECT count(*) FROM (SELECT * FROM (` + shown + `) a EXCEPT ` + sums + `) b`,
			"sums":  `SELECT count(*) FROM (` + sums + ` EXCEPT SELECT * FROM (` + shown + `) a) b`,
		} {
			if err := b.d.Reader().QueryRow(q).Scan(&wrong); err != nil || wrong > 0 {
				t.Fatalf("%d %s miscounted, %v", wrong, what, err)
			}
		}
	})
}

func TestAnExpertMayDoubtARule(t *testing.T) {
	b := setUp(t)
	r := b.rule(1)
	ctx := context.Background()
	for name, c := range map[string]struct {
		by      knowledge.Person
		reason  string
		version int
		want    fault.Kind
	}{
		"a supervisor":    {knowledge.Person{ID: "s", Roles: []string{"supervisor"}}, "So.", 1, fault.Denied},
		"no reason":       {expert, " ", 1, fault.Invalid},
		"another version": {expert, "So.", 7, fault.Conflict},
	} {
		if err := b.Doubt(ctx, r.ID, c.reason, c.version, c.by); !fault.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := b.Doubt(ctx, r.ID, "It reads oddly.", r.Version, expert); err != nil {
		t.Fatal(err)
	}
	now, err := b.kb.Rule(ctx, r.ID)
	if err != nil || now.Status != knowledge.Quarantined || now.By.ID != expert.ID || now.Reason != "It reads oddly." {
		t.Fatalf("%+v %v", now, err)
	}
	o := b.decide("t", false, r) // what is undone later does not lift what a person did
	b.write(func(tx *db.Tx) error { return b.UndoTx(tx, o.ID) })
	if now, err = b.kb.Rule(ctx, r.ID); err != nil || now.Status != knowledge.Quarantined {
		t.Errorf("%+v %v", now, err)
	}
	if err := b.Settle(ctx, r.ID, true, "It is right.", now.Version, expert); err != nil {
		t.Error(err)
	}
}
