package learning

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/job"
	"preceptor/internal/privacy"
	"preceptor/internal/search"
)

// A real process is killed with SIGKILL at each commit of the whole path: before it, inside the transaction where that
// reads the clock, and right after it. The child is this test program; what kills it is the clock that it gives its
// database, so nothing of this is in the product. The points are n = 1, 2, 3 ... until the child gets to the end.

const (
	killFile = "PRECEPTOR_TEST_KILL_FILE"
	killAt   = "PRECEPTOR_TEST_KILL_AT"
	killDec  = "decision-to-be-killed"
)

// killClock stands still and kills the process the n-th time that a write reads it; n = 0 never does.
type killClock struct {
	left atomic.Int64
	on   bool
}

func (c *killClock) Now() time.Time {
	if c.on && insideWrite() && c.left.Add(-1) == 0 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal is on its way
	}
	return dbtest.Start
}

// insideWrite reports whether the clock is read by a write transaction: at its begin, within, or after its commit.
func insideWrite() bool {
	pcs := make([]uintptr, 40)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "db.(*DB).Write") {
			return true
		}
		if !more {
			return false
		}
	}
}

// pathOn opens the path on a file as a start of the program does.
func pathOn(file string, n int) (*Pipeline, func() error, error) {
	c := &killClock{}
	d, err := db.Open(context.Background(), file, db.Options{Clock: c.Now, Holder: "kill"})
	if err != nil {
		return nil, nil, err
	}
	log := slog.New(slog.DiscardHandler)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	p := New(d, job.New(d, log), kb, NewEmbedded(nil), privacy.New(), Policy{}, log)
	c.left.Store(int64(n))
	c.on = n > 0
	return p, d.Close, nil
}

// walkPath takes one revision from the decision to the accepted rule and its case, going on from wherever the file
// stands.
func walkPath(p *Pipeline) error {
	ctx := context.Background()
	s := dbRevision()
	s.DecisionID, s.InteractionID, s.AgentID, s.AgentName, s.By, s.Situation.At = killDec, "interaction-1", "agent-1",
		"pension-advisor", "Sam", dbtest.Start
	if err := p.d.Write(ctx, func(tx *db.Tx) error { return p.FromDecisionTx(tx, s) }); err != nil {
		return err
	}
	if err := p.jobs.Drain(ctx); err != nil {
		return err
	}
	if err := p.d.Write(ctx, func(tx *db.Tx) error { return p.ReleasedTx(tx, killDec) }); err != nil {
		return err
	}
	if err := p.jobs.Drain(ctx); err != nil {
		return err
	}
	list, err := p.ForInteraction(ctx, "interaction-1")
	if err != nil || len(list) != 1 {
		return errors.Join(err, fmt.Errorf("%d lessons", len(list)))
	}
	if l := list[0]; l.Stage == StageAccept && l.State == Waiting {
		if _, err := p.Accept(ctx, l.ID, nil, l.Version, expert); err != nil {
			return err
		}
	}
	return p.jobs.Drain(ctx)
}

// killChild is the whole child process.
func killChild(file string) int {
	n, err := strconv.Atoi(os.Getenv(killAt))
	if err == nil {
		var p *Pipeline
		var stop func() error
		if p, stop, err = pathOn(file, n); err == nil {
			err = errors.Join(walkPath(p), stop())
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestKilledAtEachCommitOfThePath(t *testing.T) {
	if testing.Short() {
		t.Skip("kills are left out of short runs")
	}
	every := 3
	if n, err := strconv.Atoi(os.Getenv("PRECEPTOR_CRASH_EVERY")); err == nil && n > 0 {
		every = n
	}
	dir := t.TempDir()
	before := filepath.Join(dir, "before.db")
	dbtest.Lay(t, before)
	twoCases(t, before)
	start, err := os.ReadFile(before)
	if err != nil {
		t.Fatal(err)
	}
	kills := 0
	for n := 1; ; n += every {
		file := filepath.Join(dir, fmt.Sprintf("at-%d.db", n))
		if err := os.WriteFile(file, start, 0o600); err != nil {
			t.Fatal(err)
		}
		if ended := runChild(t, file, n); ended {
			once(t, file, n)
			break
		}
		kills++
		if n%2 == 0 && !runChild(t, file, 1+n%5) { // and once more while it picks itself up
			kills++
		}
		p, stop, err := pathOn(file, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(walkPath(p), stop()); err != nil {
			t.Fatalf("killed at %d, it does not get to the end: %v", n, err)
		}
		once(t, file, n)
		if t.Failed() || n > 400 {
			t.Fatalf("stopped at %d", n)
		}
		os.Remove(file)
	}
	t.Logf("%d kills, every %d. point", kills, every)
	if kills < 12/every {
		t.Errorf("only %d kills", kills)
	}
}

// twoCases leaves approved cases for the rule to be tried on.
func twoCases(t *testing.T, file string) {
	t.Helper()
	p, stop, err := pathOn(file, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		s := corrected(n)
		s.DecisionID, s.InteractionID, s.AgentID, s.By, s.Situation.At = fmt.Sprint("approved-", n),
			fmt.Sprint("approved-", n), "agent-1", "Sam", dbtest.Start
		if err := p.d.Write(t.Context(), func(tx *db.Tx) error {
			return errors.Join(p.FromDecisionTx(tx, s), p.ReleasedTx(tx, s.DecisionID))
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(p.jobs.Drain(t.Context()), stop()); err != nil {
		t.Fatal(err)
	}
}

// runChild reports whether the child got to the end; it is killed otherwise.
func runChild(t *testing.T, file string, n int) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killFile+"="+file, killAt+"="+strconv.Itoa(n))
	out, err := cmd.CombinedOutput()
	if err == nil {
		return true
	}
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || s.Signal() != syscall.SIGKILL {
		t.Fatalf("the child killed at %d ended otherwise: %v\n%s", n, err, out)
	}
	return false
}

// once checks that everything happened, and nothing twice or by half.
func once(t *testing.T, file string, n int) {
	t.Helper()
	p, stop, err := pathOn(file, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	ctx := t.Context()
	list, err := p.ForInteraction(ctx, "interaction-1")
	if err != nil || len(list) != 1 {
		t.Fatalf("killed at %d: %d lessons (%v)", n, len(list), err)
	}
	l, err := p.Get(ctx, list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string]int{}
	for _, s := range l.Steps {
		if s.State == StepDone {
			steps[s.Name]++
		}
	}
	for _, stage := range []string{StageReflect, StageValidate, StageRefine, StageJudge, StageAccept, StageCase} {
		if steps[stage] != 1 {
			t.Errorf("killed at %d: %s was done %d times", n, stage, steps[stage])
		}
	}
	if l.State != Accepted || l.CaseState != CaseKept || l.Helpful != 2 || l.Attempts != 0 {
		t.Errorf("killed at %d: %s, case %s, helped %d, %d failed tries: %q", n, l.State, l.CaseState, l.Helpful,
			l.Attempts, l.Outcome)
	}
	rules, _, err := p.kb.Rules(ctx, knowledge.Filter{Limit: 50})
	if err != nil || len(rules) != 1 || rules[0].Status != knowledge.Active || rules[0].CreatedFrom != l.ID ||
		len(rules[0].Supporting) != 3 {
		t.Errorf("killed at %d: %d rules (%v): %+v", n, len(rules), err, rules)
	}
	cases, _, err := p.kb.Cases(ctx, knowledge.Filter{Status: knowledge.Active, Limit: 50})
	if err != nil || len(cases) != 3 {
		t.Errorf("killed at %d: %d cases (%v)", n, len(cases), err)
	}
	left, err := p.jobs.Counts(ctx)
	if err != nil || left[job.Waiting]+left[job.Parked] != 0 {
		t.Errorf("killed at %d: jobs are left: %v (%v)", n, left, err)
	}
}
