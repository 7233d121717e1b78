package practice

import (
	"context"
	"errors"
	"testing"

	"preceptor/internal/db/dbtest"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/search"
)

func runs(t *testing.T) (*Runs, Run) {
	t.Helper()
	d := dbtest.New(t)
	s := NewRuns(d, knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{}))
	run, err := s.Begin(t.Context(), Plan{AgentID: "a", Kind: Training, Customers: 40}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, run
}

// A person stops a run: what is under way ends, and the run says who stopped it, and can go on.
func TestARunIsStopped(t *testing.T) {
	s, run := runs(t)
	began := make(chan struct{})
	ended := make(chan error)
	go func() {
		ended <- s.UnderWay(context.Background(), run.ID, func(ctx context.Context) error {
			close(began)
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	<-began
	if err := s.Stop(t.Context(), run.ID, "Morag Sinclair"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("a run that a person stopped failed: %v", err)
	}
	if run, err := s.Get(t.Context(), run.ID); err != nil || run.State != Failed {
		t.Errorf("%+v, %v", run, err)
	}
	if err := s.Stop(t.Context(), run.ID, "Sam"); !fault.Is(err, fault.Conflict) {
		t.Errorf("stopped twice: %v", err)
	}
}

// The name of who stopped it stays, although what was cut off fails with its own words.
func TestAStoppedRunNamesWho(t *testing.T) {
	s, run := runs(t)
	err := s.UnderWay(t.Context(), run.ID, func(ctx context.Context) error {
		if err := s.Stop(ctx, run.ID, "Morag Sinclair"); err != nil {
			return err
		}
		return errors.Join(context.Canceled, s.Fail(context.WithoutCancel(ctx), run.ID, context.Canceled))
	})
	run, err2 := s.Get(t.Context(), run.ID)
	if err != nil || err2 != nil || run.State != Failed || run.Error != "Morag Sinclair stopped this run." {
		t.Errorf("%q, %v, %v", run.Error, err, err2)
	}
}

// Others' failures stay theirs.
func TestARunThatFailsIsNotStopped(t *testing.T) {
	s, run := runs(t)
	broken := errors.New("no disk")
	if err := s.UnderWay(t.Context(), run.ID, func(context.Context) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}
