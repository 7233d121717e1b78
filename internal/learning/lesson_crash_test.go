package learning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

// runStage works one stage of a lesson as its job would.
func (b *bench) runStage(lessonID, stage string) error {
	do := map[string]func(context.Context, Lesson, *Source) (outcome, error){StageReflect: b.reflect, StageValidate: b.validate, StageRefine: b.refine, StageJudge: b.judge}[stage]
	if stage == StageCase {
		return b.keepCase(b.ctx, lessonID)
	}
	return b.work(b.ctx, lessonID, stage, do)
}

func (b *bench) jobsOf(kind string) int {
	b.t.Helper()
	list, err := b.jobs.List(b.ctx, job.Filter{Kind: kind})
	if err != nil {
		b.t.Fatal(err)
	}
	return len(list)
}

// TestEachJobTwiceHasOneEffect runs every stage's job twice, as after a kill between its commit and its completion.
func TestEachJobTwiceHasOneEffect(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.decide(Source{Kind: Revise, DecisionID: dec, Task: "tax"}) // the decision's hook twice
	lessonID := b.lesson(dec).ID
	for i, stage := range []string{StageReflect, StageValidate, StageRefine, StageJudge} {
		for range 2 {
			if err := b.runStage(lessonID, stage); err != nil {
				t.Fatalf("%s: %v", stage, err)
			}
		}
		l := b.lesson(dec)
		if len(l.Steps) != i+1 || l.Version != i+2 {
			t.Errorf("after %s twice: %d steps, version %d", stage, len(l.Steps), l.Version)
		}
		if i < 3 {
			if next := Stages[i+1]; b.jobsOf("learning."+next) != 1 {
				t.Errorf("after %s twice: %d jobs of %s", stage, b.jobsOf("learning."+next), next)
			}
		}
	}
	b.release(dec)
	b.release(dec)
	for range 2 {
		if err := b.runStage(lessonID, StageCase); err != nil {
			t.Fatal(err)
		}
	}
	b.drain()
	if r, c := len(b.rules("")), len(b.cases()); r != 1 || c != 1 {
		t.Errorf("%d rules and %d cases", r, c)
	}
	if r := b.rule(b.lesson(dec)); len(r.Supporting) != 1 {
		t.Errorf("evidence %v", r.Supporting)
	}
}

// slow is a reasoner that waits inside each answer, so that a twin or an undo can come between.
type slow struct {
	Reasoner
	inside chan string
	goOn   chan struct{}
}

func (s slow) wait(stage string) { s.inside <- stage; <-s.goOn }

func (s slow) Reflect(ctx context.Context, src Source) (Reflection, error) {
	s.wait(StageReflect)
	return s.Reasoner.Reflect(ctx, src)
}

func (s slow) Validate(ctx context.Context, t Trial) (Finding, error) {
	if t.Kind == TestOrigin {
		s.wait(StageValidate)
	}
	return s.Reasoner.Validate(ctx, t)
}

func (s slow) Judge(ctx context.Context, c Candidate) (Judgement, error) {
	s.wait(StageJudge)
	return s.Reasoner.Judge(ctx, c)
}

// guessable is a correction of which nobody stated anything and whose one change is plain: every stage but refine asks
// the reasoner.
func guessable() Source {
	s := dbRevision()
	s.Statements, s.HumanText = nil, draftWithoutWarning+" Ask your scheme for a free estimate."
	return s
}

// TestTwinsAtOnceHaveOneEffect runs two jobs of one stage side by side: both ask, one writes.
func TestTwinsAtOnceHaveOneEffect(t *testing.T) {
	b := open(t, nil, Policy{})
	s := slow{NewEmbedded(nil), make(chan string), make(chan struct{})}
	b.reasoner = s
	dec := b.decide(guessable())
	lessonID := b.lesson(dec).ID
	for i, stage := range []string{StageReflect, StageValidate, StageRefine, StageJudge} {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if err := b.runStage(lessonID, stage); err != nil {
					t.Errorf("%s: %v", stage, err)
				}
			})
		}
		if stage != StageRefine { // which renders, and asks nobody
			<-s.inside
			<-s.inside
			s.goOn <- struct{}{}
			s.goOn <- struct{}{}
		}
		wg.Wait()
		if l := b.lesson(dec); len(l.Steps) != i+1 {
			t.Errorf("after twins at %s: %d steps", stage, len(l.Steps))
		}
	}
	if n := len(b.rules("")); n != 1 {
		t.Errorf("%d rules", n)
	}
}

// TestUndoAtEachStage undoes the decision before, during and after each stage's job.
func TestUndoAtEachStage(t *testing.T) {
	stages := []string{StageReflect, StageValidate, StageRefine, StageJudge}
	for i, stage := range stages {
		t.Run("while "+stage+" runs", func(t *testing.T) {
			if stage == StageRefine {
				t.Skip("it renders, and asks nobody")
			}
			b := open(t, nil, Policy{})
			real := NewEmbedded(nil)
			dec := b.decide(guessable())
			lessonID := b.lesson(dec).ID
			for _, before := range stages[:i] {
				if err := b.runStage(lessonID, before); err != nil {
					t.Fatal(err)
				}
			}
			s := slow{real, make(chan string), make(chan struct{})}
			b.reasoner = s
			done := make(chan error)
			go func() { done <- b.runStage(lessonID, stage) }()
			<-s.inside
			b.undo(dec)
			s.goOn <- struct{}{}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			b.reasoner = real
			b.drain()
			b.gone(dec)
		})
		t.Run("after "+stage, func(t *testing.T) {
			b := open(t, nil, Policy{})
			dec := b.decide(dbRevision())
			lessonID := b.lesson(dec).ID
			for _, s := range stages[:i+1] {
				if err := b.runStage(lessonID, s); err != nil {
					t.Fatal(err)
				}
			}
			b.undo(dec)
			b.undo(dec)
			b.drain()
			b.gone(dec)
		})
	}
	t.Run("after acceptance and the case", func(t *testing.T) {
		b := open(t, nil, Policy{})
		dec := b.decide(dbRevision())
		b.release(dec)
		b.drain()
		l := b.lesson(dec)
		if _, err := b.Accept(b.ctx, l.ID, nil, l.Version, expert); err != nil {
			t.Fatal(err)
		}
		b.undo(dec)
		b.gone(dec)
	})
	t.Run("of an approval", func(t *testing.T) {
		b := open(t, nil, Policy{})
		dec := b.decide(approval(1))
		b.undo(dec)
		b.release(dec)
		b.drain()
		b.gone(dec)
	})
}

// gone checks that nothing of a decision is in use.
func (b *bench) gone(dec string) {
	b.t.Helper()
	if l := b.lesson(dec); l.State != Withdrawn || l.Outcome == "" {
		b.t.Errorf("the lesson is %s: %q", l.State, l.Outcome)
	}
	for _, status := range []string{knowledge.Active, knowledge.Candidate} {
		if n := len(b.rules(status)); n != 0 {
			b.t.Errorf("%d rules are %s", n, status)
		}
	}
	if n := len(b.cases()); n != 0 {
		b.t.Errorf("%d cases are left", n)
	}
}

// flaky fails each question a few times first.
type flaky struct {
	Reasoner
	left *int
	err  error
}

func (f flaky) Reflect(ctx context.Context, s Source) (Reflection, error) {
	if *f.left > 0 {
		*f.left--
		if f.err == nil {
			panic("a reasoner's own")
		}
		return Reflection{}, f.err
	}
	return f.Reasoner.Reflect(ctx, s)
}

func TestFailuresAreRetriedThenSaid(t *testing.T) {
	for _, c := range []struct {
		name  string
		err   error
		times int
		ends  string
		says  string
	}{
		{"gets over it", fault.New(fault.Unavailable, "The model does not answer."), 2, Waiting, ""},
		{"never does", fault.New(fault.Unavailable, "The model does not answer."), 99, Failed,
			"Reflection failed: The model does not answer."},
		{"hopeless", fault.New(fault.Invalid, "The key is refused."), 1, Failed,
			"Reflection failed: The key is refused."},
		{"panics", nil, 99, Failed, "Reflection failed: " + fault.InternalMessage},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, nil, Policy{Attempts: 3})
			left := c.times
			b.reasoner = flaky{b.reasoner, &left, c.err}
			dec := b.decide(guessable())
			for range 6 {
				b.drain()
				b.clock.Advance(20 * time.Minute)
			}
			l := b.lesson(dec)
			if l.State != c.ends || c.says != "" && l.Outcome != c.says {
				t.Fatalf("%s: %q", l.State, l.Outcome)
			}
			if c.ends != Failed {
				return
			}
			if last := l.Steps[len(l.Steps)-1]; last.State != StepFailed ||
				!strings.Contains(string(last.Output), "error") {
				t.Errorf("last step %+v", last)
			}
			if n, err := b.Counts(b.ctx); err != nil || n.Failed != 1 || n.Reflect != 1 {
				t.Errorf("counts %+v %v", n, err)
			}
			left = 0
			if err := b.Retry(b.ctx, l.ID, supervisor); err != nil {
				t.Fatal(err)
			}
			b.drain()
			if l := b.lesson(dec); l.State != Waiting || l.Stage != StageAccept {
				t.Errorf("after the retry %s/%s: %q", l.Stage, l.State, l.Outcome)
			}
			if err := b.Retry(b.ctx, l.ID, supervisor); !fault.Is(err, fault.Conflict) {
				t.Errorf("retrying what has not failed: %v", err)
			}
		})
	}
}

func TestAStoppedJobIsNoFailure(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	l := b.lesson(dec)
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	if err := b.failed(ctx, l, 0, new(spent), context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if got := b.lesson(dec); got.Attempts != 0 || got.State != Running {
		t.Errorf("%d attempts, %s", got.Attempts, got.State)
	}
}

// TestAnyOrderLeavesOneRuleOrNone plays decisions, undos, jobs, releases, acceptances and rejections in any order.
func TestAnyOrderLeavesOneRuleOrNone(t *testing.T) {
	if testing.Short() {
		t.Skip("tries many orders; make check runs it")
	}
	rapid.Check(t, func(rt *rapid.T) {
		b := open(t, nil, Policy{})
		var decisions []string
		undone := map[string]bool{}
		pick := func() string { return rapid.SampledFrom(decisions).Draw(rt, "decision") }
		for range rapid.IntRange(3, 14).Draw(rt, "steps") {
			op := rapid.SampledFrom([]string{"decide", "undo", "stage", "stage", "drain", "release", "accept",
				"reject"}).Draw(rt, "op")
			if len(decisions) == 0 {
				op = "decide"
			}
			switch op {
			case "decide":
				decisions = append(decisions, b.decide(dbRevision()))
			case "undo":
				d := pick()
				undone[d] = true
				b.undo(d)
			case "stage":
				l := b.lesson(pick())
				if err := b.runStage(l.ID,
					rapid.SampledFrom([]string{StageReflect, StageValidate, StageRefine, StageJudge, StageCase}).
						Draw(rt, "stage")); err != nil {
					rt.Fatal(err)
				}
			case "drain":
				b.drain()
			case "release":
				if d := pick(); !undone[d] {
					b.release(d)
				}
			case "accept":
				l := b.lesson(pick())
				if _, err := b.Accept(b.ctx, l.ID, nil, l.Version, expert); err != nil &&
					!fault.Is(err, fault.Conflict) {
					rt.Fatal(err)
				}
			case "reject":
				l := b.lesson(pick())
				if err := b.Reject(b.ctx, l.ID, "no", l.Version, expert); err != nil && !fault.Is(err, fault.Conflict) {
					rt.Fatal(err)
				}
			}
			b.invariants(rt, undone)
		}
		b.drain()
		b.invariants(rt, undone)
		for _, d := range decisions {
			if l := b.lesson(d); l.State == Running {
				rt.Fatalf("a lesson is left running: %s", l.Summary())
			}
		}
	})
}

func (b *bench) invariants(rt *rapid.T, undone map[string]bool) {
	living := append(b.rules(knowledge.Active), b.rules(knowledge.Candidate)...)
	if len(living) > 1 {
		rt.Fatalf("%d rules of one lesson: %s", len(living), fmt.Sprint(living))
	}
	for _, r := range living {
		l, err := b.Get(b.ctx, r.CreatedFrom)
		if err != nil {
			rt.Fatalf("rule R-%d leads back to no lesson: %v", r.Number, err)
		}
		if l.RuleID != r.ID || l.SameAs || undone[l.DecisionID] ||
			!slices.Contains([]string{Waiting, Accepted}, l.State) {
			rt.Fatalf("rule R-%d (%s) belongs to a lesson that is %s (undone: %v)", r.Number, r.Status, l.State,
				undone[l.DecisionID])
		}
	}
	if err := b.d.Read(b.ctx, func(tx *db.Tx) error {
		all, err := lessonsTx(tx, `WHERE 0 = 0`)
		for _, l := range all {
			if undone[l.DecisionID] && l.State != Withdrawn {
				rt.Fatalf("an undone decision's lesson is %s", l.State)
			}
		}
		return err
	}); err != nil {
		rt.Fatal(err)
	}
}
