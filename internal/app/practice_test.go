package app_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"preceptor/internal/app/apptest"
	"preceptor/internal/fault"
	"preceptor/internal/practice"
)

// A training that is stopped in its midst says so, goes on, and comes out as one that nobody stopped; its copy is gone afterwards.
func TestATrainingGoesOn(t *testing.T) {
	s := apptest.Open(t)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "Advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	begin := func() practice.Run {
		run, err := s.Practice.Begin(t.Context(), practice.Plan{AgentID: agent.ID, Kind: practice.Training, Seed: 5, Customers: 60}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	want, err := s.Train(t.Context(), begin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	run := begin()
	ctx, stop := context.WithCancel(t.Context())
	if _, err := s.Train(ctx, run, func(int) { stop() }); err == nil {
		t.Fatal("it did not stop")
	}
	if run, err = s.Practice.Unfinished(t.Context(), agent.ID); err != nil || run.State != practice.Failed || run.Done == 0 || run.Error == "" {
		t.Fatalf("stopped: %+v, %v", run, err)
	}
	got, err := s.Train(t.Context(), run, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("it came out otherwise: %+v and %+v", got, want)
	}
	if left, _ := filepath.Glob(s.DB.Path() + ".practice-*"); len(left) > 0 {
		t.Errorf("%v are still there", left)
	}
	if _, err := s.Practice.Unfinished(t.Context(), agent.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("unfinished: %v", err)
	}
	run = begin()
	run.Done = 20
	if _, err := s.Train(t.Context(), run, nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("without its copy: %v", err)
	}
	if _, err := os.Stat(s.DB.Path()); err != nil {
		t.Error(err)
	}
}
