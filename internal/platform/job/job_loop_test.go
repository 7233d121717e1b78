package job_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

func (b bench) loop(t *testing.T, name string) job.Loop {
	t.Helper()
	list, err := b.Loops(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		if l.Name == name {
			return l
		}
	}
	t.Fatalf("%s is not among %v", name, list)
	return job.Loop{}
}

func (b bench) act(t *testing.T, f func(tx *db.Tx) error) {
	t.Helper()
	if err := b.d.Write(ctx, f); err != nil {
		t.Fatal(err)
	}
}

// What a person paused does nothing until they resume it, also over a restart; a run that fell out is made up for at
// once.
func TestPeriodicIsPausedAndResumed(t *testing.T) {
	b := open(t)
	runs := 0
	var failing error
	b.Periodic("test.sweep", time.Hour, func(context.Context) error { runs++; return failing })
	if l := b.loop(t, "test.sweep"); l.Every != time.Hour || l.Runs != 0 || l.Paused() || !l.NextAt.IsZero() {
		t.Fatalf("before the first run: %+v", l)
	}
	once := func() {
		t.Helper()
		b.act(t, func(tx *db.Tx) error { return b.RunNowTx(tx, "test.sweep") })
		b.drain(t)
	}
	once()
	l := b.loop(t, "test.sweep")
	if runs != 1 || l.Runs != 1 || l.Outcome != job.LoopDone || !l.StartedAt.Equal(b.clock.Now()) ||
		!l.NextAt.Equal(b.clock.Now().Add(time.Hour)) {
		t.Fatalf("after a run: %d, %+v", runs, l)
	}
	pause := func() (changed bool) {
		b.act(t, func(tx *db.Tx) (err error) { changed, err = b.PauseTx(tx, "test.sweep", "Ada"); return err })
		return changed
	}
	if !pause() || pause() {
		t.Fatal("pausing twice is one change")
	}
	if l = b.loop(t, "test.sweep"); !l.Paused() || l.PausedBy != "Ada" || !l.NextAt.IsZero() || l.Runs != 1 {
		t.Fatalf("paused: %+v", l)
	}
	if err := b.d.Write(ctx, func(tx *db.Tx) error {
		return b.RunNowTx(tx, "test.sweep")
	}); !fault.Is(err, fault.Conflict) {
		t.Fatalf("a paused one runs: %v", err)
	}
	if err := b.Start(ctx); err != nil { // periodic tasks run at the start
		t.Fatal(err)
	}
	waitFor(t, "the paused run is over", func() bool {
		return len(b.list(t, job.Filter{Kind: "test.sweep", State: job.Done})) == 2
	})
	if err := b.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if runs != 1 {
		t.Fatalf("it ran while paused: %d", runs)
	}
	b.clock.Advance(2 * time.Hour)
	failing = fault.New(fault.Invalid, "The moon is full.")
	resume := func() (changed bool) {
		b.act(t, func(tx *db.Tx) (err error) { changed, err = b.ResumeTx(tx, "test.sweep"); return err })
		return changed
	}
	if !resume() || resume() {
		t.Fatal("resuming twice is one change")
	}
	b.drain(t)
	if l = b.loop(t, "test.sweep"); runs != 2 || l.Paused() || l.Outcome != job.LoopFailed ||
		l.Error != "The moon is full." {
		t.Fatalf("resumed: %d, %+v", runs, l)
	}
	pause()
	resume()
	b.drain(t)
	if runs != 2 {
		t.Fatalf("nothing fell out, and it ran: %d", runs)
	}
	for what, f := range map[string]func(tx *db.Tx) error{
		"pause":  func(tx *db.Tx) error { _, err := b.PauseTx(tx, "other", "Ada"); return err },
		"resume": func(tx *db.Tx) error { _, err := b.ResumeTx(tx, "other"); return err },
		"run":    func(tx *db.Tx) error { return b.RunNowTx(tx, "other") },
	} {
		if err := b.d.Write(ctx, f); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s what is not there: %v", what, err)
		}
	}
}

// What takes as long as the file is large is not cut off by the limit of a job, begun by its time or by a person; the
// others are.
func TestUnhurriedPeriodicHasNoLimit(t *testing.T) {
	b := open(t)
	var limited sync.Map
	look := func(name string) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, has := ctx.Deadline()
			limited.Store(name, has)
			return nil
		}
	}
	b.Periodic("test.sweep", time.Hour, look("test.sweep"))
	b.PeriodicUnhurried("test.copy", time.Hour, look("test.copy"))
	for name, want := range map[string]bool{"test.sweep": true, "test.copy": false} {
		b.act(t, func(tx *db.Tx) error { return b.RunNowTx(tx, name) })
		b.drain(t)
		if got, ran := limited.Load(name); !ran || got != want {
			t.Errorf("%s: ran %v, with a limit %v", name, ran, got)
		}
	}
	limited.Clear()
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for { // until its time has come; the test's own limit ends it
		if got, ran := limited.Load("test.copy"); ran {
			if got == true {
				t.Error("by its time it has a limit")
			}
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := b.Stop(ctx); err != nil {
		t.Fatal(err)
	}
}
