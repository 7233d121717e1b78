package experiment_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"preceptor/internal/feedback/experiment"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

var (
	ctx = context.Background()
	mia = experiment.Person{ID: "p-mia", Name: "Mia"}
)

type fixture struct {
	*experiment.Store
	d     *db.DB
	clock *dbtest.Clock
	rules map[string]experiment.RuleFacts
}

func open(t testing.TB) fixture {
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	rules := map[string]experiment.RuleFacts{"r1": {Label: "R-1", Active: true},
		"r2": {Label: "R-2", Active: true, Protected: true}, "r3": {Label: "R-3"}}
	find := func(_ *db.Tx, id string) (experiment.RuleFacts, error) {
		r, ok := rules[id]
		if !ok {
			return r, fault.New(fault.NotFound, "There is no such rule.")
		}
		return r, nil
	}
	return fixture{experiment.New(d, find, nil), d, clock, rules}
}

func aim(effect float64) experiment.Aim {
	a := experiment.DefaultAim
	a.Effect = effect
	return a
}

func (f fixture) plan(t testing.TB, in experiment.Input, effect float64) *experiment.Experiment {
	t.Helper()
	f.clock.Advance(time.Second)
	if in.Name == "" {
		in.Name = "Does it help?"
	}
	if in.Metric == "" {
		in.Metric = experiment.Approved
	}
	e, err := f.Create(ctx, in, aim(effect), mia)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (f fixture) start(t testing.TB, in experiment.Input, effect float64) *experiment.Experiment {
	t.Helper()
	e := f.plan(t, in, effect)
	if err := f.Start(ctx, e.ID, mia); err != nil {
		t.Fatal(err)
	}
	return e
}

func (f fixture) arm(t testing.TB, q experiment.Ask) experiment.Assignment {
	t.Helper()
	a, err := f.Arm(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (f fixture) outcome(t testing.TB, subject, metric string, good bool) {
	t.Helper()
	if err := f.d.Write(ctx, func(tx *db.Tx) error { return f.OutcomeTx(tx, "", subject, metric, good) }); err != nil {
		t.Fatal(err)
	}
}

func (f fixture) get(t testing.TB, id string) *experiment.Experiment {
	t.Helper()
	e, err := f.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func kind(t testing.TB, what string, err error, k fault.Kind, says string) {
	t.Helper()
	text := fmt.Sprint(fault.Message(err), fault.Fields(err))
	if !fault.Is(err, k) || !strings.Contains(text, says) {
		t.Errorf("%s: %v %s, want %v with %q", what, err, text, k, says)
	}
}

var memory = experiment.Input{Purpose: experiment.Memory}

func TestComplianceRulesAreNeverWithheld(t *testing.T) {
	f := open(t)
	try := func(rule string) error {
		_, err := f.Create(ctx, experiment.Input{Name: "n", Purpose: experiment.Rule, RuleID: rule,
			Metric: experiment.Approved}, aim(0.05), mia)
		return err
	}
	kind(t, "a compliance rule", try("r2"), fault.Invalid, "R-2 is about compliance. Such rules are never withheld")
	kind(t, "a rule that is not in use", try("r3"), fault.Invalid, "not in use")
	kind(t, "no such rule", try("none"), fault.Invalid, "There is no such rule")
	kind(t, "no rule", try(""), fault.Invalid, "Choose a rule")
	e := f.plan(t, experiment.Input{Purpose: experiment.Rule, RuleID: "r1"}, 0.05)
	if e.Treatment != "with R-1" || e.Control != "without R-1" {
		t.Errorf("%+v", e)
	}
	runs := f.start(t, experiment.Input{Purpose: experiment.Rule, RuleID: "r1", AgentID: "g1"}, 0.05)
	if a := f.arm(t, experiment.Ask{AgentID: "g1", User: "u", Subject: "s"}); a.Arm == "" {
		t.Error("it does not run")
	}
	// an expert moved it to compliance since
	f.rules["r1"] = experiment.RuleFacts{Label: "R-1", Active: true, Protected: true}
	if a := f.arm(t, experiment.Ask{AgentID: "g1", User: "u", Subject: "s"}); a.Arm != "" {
		t.Errorf("it is withheld still: %+v", a)
	}
	if got := f.get(t, runs.ID); got.Ended != experiment.Barred || !strings.Contains(got.Note, "about compliance") {
		t.Errorf("%+v", got)
	}
	kind(t, "a rule that became protected", f.Start(ctx, e.ID, mia), fault.Conflict, "about compliance")
}

func TestPlansAreChecked(t *testing.T) {
	f := open(t)
	for name, in := range map[string]experiment.Input{
		"name":      {Purpose: experiment.Memory, Metric: experiment.Vote},
		"purpose":   {Name: "n", Purpose: "colour", Metric: experiment.Vote},
		"metric":    {Name: "n", Purpose: experiment.Memory, Metric: "clicks"},
		"treatment": {Name: "n", Purpose: experiment.Prompt, Control: "prompt 3", Metric: experiment.Vote},
		"control":   {Name: "n", Purpose: experiment.Model, Treatment: "m", Control: "m", Metric: experiment.Vote},
	} {
		_, err := f.Create(ctx, in, aim(0.05), mia)
		kind(t, name, err, fault.Invalid, "{"+name+" ")
	}
	_, err := f.Create(ctx, experiment.Input{Name: "n", Purpose: experiment.Memory, Metric: experiment.Vote}, aim(0.9),
		mia)
	kind(t, "an effect that can't be", err, fault.Invalid, "effect")
	kind(t, "nothing to start", f.Start(ctx, "none", mia), fault.NotFound, "no such experiment")
}

func TestOneAtATimeForAnAgent(t *testing.T) {
	f := open(t)
	one := f.start(t, experiment.Input{Purpose: experiment.Memory, AgentID: "g1", AgentName: "one"}, 0.05)
	every, same := f.plan(t, memory, 0.05),
		f.plan(t, experiment.Input{Purpose: experiment.Prompt, AgentID: "g1", Treatment: "4", Control: "3"}, 0.05)
	kind(t, "for every agent", f.Start(ctx, every.ID, mia), fault.Conflict, "is running for the same agent")
	kind(t, "for the same agent", f.Start(ctx, same.ID, mia), fault.Conflict, "is running for the same agent")
	f.start(t, experiment.Input{Purpose: experiment.Memory, AgentID: "g2"}, 0.05)
	kind(t, "twice", f.Start(ctx, one.ID, mia), fault.Conflict, "already been started")
	kind(t, "without a reason", f.Stop(ctx, one.ID, " ", mia), fault.Invalid, "Say why")
	if err := f.Stop(ctx, one.ID, "The desk is short of people.", mia); err != nil {
		t.Fatal(err)
	}
	kind(t, "stopped twice", f.Stop(ctx, one.ID, "again", mia), fault.Conflict, "already ended")
	kind(t, "never again", f.Start(ctx, one.ID, mia), fault.Conflict, "already been started")
	if err := f.Start(ctx, same.ID, mia); err != nil {
		t.Error(err)
	}
	if list, err := f.List(ctx); err != nil || len(list) != 4 || list[len(list)-1].ID != one.ID ||
		list[len(list)-1].Ended != experiment.ByPerson {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestAssignment(t *testing.T) {
	f := open(t)
	if a := f.arm(t, experiment.Ask{AgentID: "g1", User: "u1", Subject: "s1"}); a != (experiment.Assignment{}) {
		t.Errorf("nothing runs: %+v", a)
	}
	e := f.start(t, memory, 0.05)
	first := f.arm(t, experiment.Ask{AgentID: "g1", User: "u1", Subject: "s1"})
	if first.ExperimentID != e.ID || first.Purpose != experiment.Memory ||
		first.Arm != experiment.ArmOf(e.ID, "u1", 0.5) {
		t.Errorf("%+v", first)
	}
	for i := range 5 { // a retried draft, and the same person later
		if again := f.arm(t, experiment.Ask{AgentID: "g1", User: "u1",
			Subject: fmt.Sprint("s", i/2)}); again.Arm != first.Arm {
			t.Errorf("the arm changed: %+v", again)
		}
	}
	if anew := f.arm(t, experiment.Ask{AgentID: "g1", User: "another", Subject: "s9",
		Earlier: "s1"}); anew.Arm != first.Arm {
		t.Errorf("written anew in another arm: %+v", anew)
	}
	if before := f.arm(t, experiment.Ask{AgentID: "g1", User: "u5", Subject: "s10",
		Earlier: "from before"}); before != (experiment.Assignment{}) {
		t.Errorf("it began before the experiment: %+v", before)
	}
	if got := f.get(t, e.ID); got.Assigned[0]+got.Assigned[1] != 3 { // s0, s1, s2; nothing written anew counts
		t.Errorf("assigned: %+v", got.Assigned)
	}
	people, err := db.Read(ctx, f.d, func(tx *db.Tx) ([]string, error) {
		return db.Column[string](tx, "who took part", `SELECT unit || subject_id FROM experiment_subject`)
	})
	if err != nil || strings.Contains(strings.Join(people, " "), "u1") {
		t.Errorf("a person is named: %s, %v", people, err)
	}
	if err := f.Stop(ctx, e.ID, "enough", mia); err != nil {
		t.Fatal(err)
	}
	if a := f.arm(t, experiment.Ask{AgentID: "g1", User: "u1", Subject: "s1"}); a.Withholds() || a.Arm != "" {
		t.Errorf("after it ended: %+v", a)
	}
}

// People fall into arms by the split, independently between experiments.
func TestTheSplitHolds(t *testing.T) {
	const n = 20_000
	for _, split := range []float64{0.1, 0.5, 0.8} {
		in, both := 0, 0
		for i := range n {
			u := fmt.Sprint("user ", i)
			one := experiment.ArmOf("e1", u, split) == experiment.Treatment
			if one {
				in++
			}
			if one && experiment.ArmOf("e2", u, split) == experiment.Treatment {
				both++
			}
		}
		sd := math.Sqrt(split * (1 - split) / n)
		if got := float64(in) / n; math.Abs(got-split) > 4*sd {
			t.Errorf("%v: %v", split, got)
		}
		if got := float64(both) / n; math.Abs(got-split*split) > 4*math.Sqrt(split*split/n) {
			t.Errorf("%v in both: %v", split, got)
		}
	}
}

func TestOutcomesCountOnce(t *testing.T) {
	f := open(t)
	e := f.start(t, memory, 0.05)
	a := f.arm(t, experiment.Ask{User: "u1", Subject: "s1"})
	f.arm(t, experiment.Ask{User: "u1", Subject: "s2"})
	f.outcome(t, "s1", experiment.Vote, false) // another metric
	f.outcome(t, "unknown", experiment.Approved, true)
	f.outcome(t, "s1", experiment.Approved, true)
	f.outcome(t, "s1", experiment.Approved, false) // the first stands
	f.outcome(t, "s2", experiment.Approved, false) // the same person again
	at := 0
	if a.Arm == experiment.Control {
		at = 1
	}
	got := f.get(t, e.ID)
	if got.Counts.Total() != 1 || got.Counts.N[at] != 1 || got.Counts.Good[at] != 1 {
		t.Errorf("%+v", got.Counts)
	}
	f.arm(t, experiment.Ask{Subject: "s3"}) // nobody known: each is a person of its own
	f.arm(t, experiment.Ask{Subject: "s4"})
	f.outcome(t, "s3", experiment.Approved, true)
	f.outcome(t, "s4", experiment.Approved, true)
	if got := f.get(t, e.ID); got.Counts.Total() != 3 {
		t.Errorf("%+v", got.Counts)
	}
	n := 0
	err := f.d.Write(ctx, func(tx *db.Tx) (err error) { n, err = f.EraseTx(tx, "s1"); return err })
	if err != nil || n != 1 {
		t.Errorf("erased %d, %v", n, err)
	}
	if got := f.get(t, e.ID); got.Counts.Total() != 3 {
		t.Errorf("an erasure changed the figures: %+v", got.Counts)
	}
}

// An experiment ends itself, in the transaction of the outcome that decides it, and counts nothing afterwards.
func TestItEndsItself(t *testing.T) {
	f := open(t)
	e := f.start(t, memory, 0.2)
	i := 0
	for f.get(t, e.ID).State == experiment.Running {
		s := fmt.Sprint("s", i)
		a := f.arm(t, experiment.Ask{User: s, Subject: s})
		f.outcome(t, s, experiment.Approved, a.Arm == experiment.Treatment || i%2 == 0)
		if i++; i > 500 {
			t.Fatal("it never ends")
		}
	}
	got := f.get(t, e.ID)
	l := got.Look()
	if got.Ended != experiment.Better || l.Low <= 0 || got.StoppedAt.IsZero() || got.Counts.Total() != i ||
		got.Counts.Total() > got.Total()+2 {
		t.Errorf("%+v %+v after %d", got, l, i)
	}
	path, err := f.Path(ctx, e.ID)
	if err != nil || len(path) < 10 || path[len(path)-1].N != i || path[len(path)-1].Low != l.Low {
		t.Errorf("%+v, %v", path, err)
	}
	for k := 1; k < len(path); k++ {
		if path[k].Percent <= path[k-1].Percent || path[k].N <= path[k-1].N {
			t.Errorf("out of order: %+v, %+v", path[k-1], path[k])
		}
	}
	f.outcome(t, "s0", experiment.Approved, false)
	if again := f.get(t, e.ID); again.Counts != got.Counts {
		t.Errorf("it counts on: %+v", again.Counts)
	}
}

func TestAnAgentsOwnExperiment(t *testing.T) {
	f := open(t)
	e := f.start(t, experiment.Input{Purpose: experiment.Prompt, AgentID: "g1", Treatment: "prompt 4",
		Control: "prompt 3", Metric: experiment.Satisfaction}, 0.1)
	if a := f.arm(t, experiment.Ask{AgentID: "g1", User: "u", Subject: "s"}); a.Arm != "" {
		t.Errorf("our advisor takes part: %+v", a)
	}
	a, err := f.Assign(ctx, e.ID, experiment.Ask{AgentID: "g1", User: "u1", Subject: "s1"})
	if err != nil || a.Arm != experiment.ArmOf(e.ID, "u1", 0.5) {
		t.Errorf("%+v, %v", a, err)
	}
	_, err = f.Assign(ctx, e.ID, experiment.Ask{AgentID: "g2", User: "u1", Subject: "s1"})
	kind(t, "another agent's", err, fault.NotFound, "not your agent")
	_, err = f.Assign(ctx, e.ID, experiment.Ask{AgentID: "g1", Subject: "s1"})
	kind(t, "nobody", err, fault.Invalid, "user")
	if got, err := f.Outcome(ctx, e.ID, "g1", experiment.Result{Subject: "s1", Good: true}); err != nil || got.Counts.Total() != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := f.Outcome(ctx, e.ID, "g1", experiment.Result{Subject: "s1", Good: false}); err != nil || got.Counts.Good[0]+got.Counts.Good[1] != 1 {
		t.Errorf("again: %+v, %v", got, err)
	}
	_, err = f.Outcome(ctx, e.ID, "g1", experiment.Result{Subject: "s2", Good: true})
	kind(t, "not assigned", err, fault.NotFound, "Ask for its arm first")
	_, err = f.Outcome(ctx, e.ID, "g2", experiment.Result{Subject: "s1", Good: true})
	kind(t, "another agent's", err, fault.NotFound, "not your agent")
	if err := f.Stop(ctx, e.ID, "enough", mia); err != nil {
		t.Fatal(err)
	}
	before, err := f.Get(ctx, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, variant := range []string{"a", "b", before.Treatment} {
		_, err := f.Outcome(ctx, e.ID, "g1", experiment.Result{Variant: variant, Good: true})
		kind(t, "stopped", err, fault.Conflict, "isn't running")
	}
	if after, err := f.Get(ctx, e.ID); err != nil || after.Assigned != before.Assigned {
		t.Errorf("stopped, and %v became %v, %v", before.Assigned, after.Assigned, err)
	}
	_, err = f.Assign(ctx, e.ID, experiment.Ask{AgentID: "g1", User: "u1", Subject: "s9"})
	kind(t, "ended", err, fault.Conflict, "not running")
}

// In an experiment for every agent a subject is its agent's alone, whatever others call theirs, and one user's.
func TestASubjectIsItsAgentsAlone(t *testing.T) {
	f := open(t)
	e := f.start(t, experiment.Input{Purpose: experiment.Prompt, Treatment: "prompt 4", Control: "prompt 3",
		Metric: experiment.Vote}, 0.1)
	assign := func(agent, user, subject string) (experiment.Assignment, error) {
		return f.Assign(ctx, e.ID, experiment.Ask{AgentID: agent, User: user, Subject: subject})
	}
	mine, err := assign("tutor", "u1", "s1")
	if err != nil || mine.Arm != experiment.ArmOf(e.ID, "u1", 0.5) {
		t.Fatalf("%+v, %v", mine, err)
	}
	if again, err := assign("tutor", "u1", "s1"); err != nil || again != mine {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	for _, user := range []string{"u2", "u3", "u4", "u5"} {
		_, err := assign("tutor", user, "s1")
		kind(t, "the same subject for "+user, err, fault.Conflict, "to another user")
	}
	_, err = f.Outcome(ctx, e.ID, "other", experiment.Result{Subject: "s1", Good: false})
	kind(t, "another agent decides it", err, fault.NotFound, "Ask for its arm first")
	for _, agent := range []string{"other", "tutor"} { // by way of a vote on what it calls s1
		if err := f.d.Write(ctx, func(tx *db.Tx) error {
			return f.OutcomeTx(tx, agent, "s1", experiment.Vote, agent == "tutor")
		}); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.get(t, e.ID); got.Counts.Total() != 1 || got.Counts.Good[0]+got.Counts.Good[1] != 1 {
		t.Errorf("another agent's vote counts: %+v", got.Counts)
	}
	if theirs, err := assign("other", "u9", "s1"); err != nil || theirs.Arm != experiment.ArmOf(e.ID, "u9", 0.5) {
		t.Errorf("another agent may call its own the same: %+v, %v", theirs, err)
	}
	if got, err := f.Outcome(ctx, e.ID, "other", experiment.Result{Subject: "s1", Good: false}); err != nil || got.Counts.Total() != 2 {
		t.Errorf("its own outcome: %+v, %v", got, err)
	}
	n := 0
	err = f.d.Write(ctx, func(tx *db.Tx) (err error) { n, err = f.EraseTx(tx, "s1"); return err })
	if err != nil || n != 2 {
		t.Errorf("erased %d, %v", n, err)
	}
}
