package app_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/app"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/fault"
	"preceptor/internal/interaction"
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
	if left, _ := filepath.Glob(s.DB.Path() + ".practice-*"); len(left) > 0 {
		t.Errorf("%v are there while nothing runs", left)
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
	run.Done, run.Base.Seq = 20, run.Base.Seq-1
	if _, err := s.Train(t.Context(), run, nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("after the base changed: %v", err)
	}
}

// A copy in which an agent practises has no people and no customers but those whose words became knowledge. An erasure
// stops the run and takes the copy with it, and what a killed program left goes at the next start.
func TestPracticeCopiesAreErased(t *testing.T) {
	s := openSpine(t)
	s.worked(t, s.plant(t, planted["name"], customerRef, "first"))
	agent, err := s.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Practice.Begin(t.Context(), practice.Plan{AgentID: agent.ID, Kind: practice.Training, Seed: 5, Customers: 400}, nil)
	if err != nil {
		t.Fatal(err)
	}
	copied := s.DB.Path() + ".practice-" + run.ID
	begun, ended := make(chan bool, 400), make(chan error, 1)
	go func() {
		ended <- s.Practice.UnderWay(t.Context(), run.ID, func(ctx context.Context) error {
			_, err := s.Train(ctx, run, func(int) { begun <- true })
			return err
		})
	}()
	select {
	case <-begun:
	case err := <-ended:
		t.Fatalf("it ended at once: %v", err)
	}
	people := append([]string{customerRef, s.supervisor.Account.Email, "$argon2id$"}, strings.Fields(planted["name"])...)
	for _, p := range []string{"goal", "free", "reasoning", "steps", "metadata", "reason", "comment", "draft", "skip", "note"} {
		people = append(people, planted[p])
	}
	for _, end := range []string{"", "-wal"} {
		b, err := os.ReadFile(copied + end)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range people {
			if bytes.Contains(bytes.ToLower(b), bytes.ToLower([]byte(word))) {
				t.Errorf("the copy has %q%s", word, end)
			}
		}
	}
	by := audit.Actor{Kind: audit.Person, ID: "boss", Name: "Bo Boss"}
	if _, err := s.Erase.Erase(t.Context(), erase.Request{How: interaction.ByReference, Subject: customerRef, Why: "Asked", By: by}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(copied + "*"); len(left) > 0 {
		t.Errorf("after the erasure %v are left", left)
	}
	if err := <-ended; err != nil {
		t.Errorf("the run ended with %v", err)
	}
	if run, err := s.Practice.Get(t.Context(), run.ID); err != nil || run.State != practice.Failed || !strings.Contains(run.Error, "erased") {
		t.Errorf("%+v, %v", run, err)
	}
}

func TestCopiesOfAKilledRunGoAtTheNextStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "desk [1].db")
	var other []string
	for _, name := range []string{file + ".practice-1", file + ".practice-1-wal", file + ".practice-2.lock"} {
		if err := os.WriteFile(name, []byte("canary"), 0o600); err != nil {
			t.Fatal(err)
		}
		other = append(other, strings.Replace(name, "desk [1]", "desk 1", 1))
	}
	for _, name := range other { // of another desk
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := app.OpenAlone(t.Context(), file, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.practice-*")); !slices.Equal(left, other) {
		t.Errorf("left %v", left)
	}
}
