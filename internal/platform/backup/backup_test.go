package backup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

var boss = audit.System("test")

func TestWhichCopiesAreKept(t *testing.T) {
	end := time.Date(2026, 11, 28, 2, 0, 0, 0, time.UTC) // a Saturday
	var made []time.Time
	for day := range 400 {
		made = append(made, end.AddDate(0, 0, -day), end.AddDate(0, 0, -day).Add(-time.Hour))
	}
	for name, c := range map[string]struct {
		p    Plan
		kept []string
	}{
		"days":  {Plan{Days: 3}, []string{"2026-11-28", "2026-11-27", "2026-11-26"}},
		"weeks": {Plan{Days: 1, Weeks: 3}, []string{"2026-11-28", "2026-11-22", "2026-11-15"}},
		"months": {Plan{Days: 2, Weeks: 1, Months: 3},
			[]string{"2026-11-28", "2026-11-27", "2026-10-31", "2026-09-30"}},
	} {
		gone := c.p.expired(slices.Clone(made))
		var left []string
		for _, at := range made {
			if !slices.Contains(gone, at) {
				left = append(left, at.Format("2006-01-02"))
			}
		}
		if !slices.Equal(left, c.kept) || len(gone)+len(left) != len(made) {
			t.Errorf("%s: kept %v, want %v", name, left, c.kept)
		}
	}
}

func TestCopiesByThePlan(t *testing.T) {
	local := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = local })
	clock := dbtest.NewClock() // at nine in the morning
	d, dir, told, open := dbtest.NewAt(t, clock), t.TempDir(), 0, false
	var broken error
	k := New(d, func(ctx context.Context, _ audit.Actor, file string) (db.Copy, error) {
		if broken != nil {
			return db.Copy{}, broken
		}
		return d.Backup(ctx, file)
	}, func(_ *db.Tx, wrong bool) error {
		if open = wrong; wrong {
			told++
		}
		return nil
	})
	copies := func() int {
		list, _ := filepath.Glob(filepath.Join(dir, "preceptor-*.db"))
		return len(list)
	}
	run := func() Plan {
		t.Helper()
		if err := k.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := k.Tell(t.Context()); err != nil {
			t.Fatal(err)
		}
		p, err := k.Plan(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := run(); p.Folder != "" || copies() != 0 || p.Late(clock.Now()) {
		t.Errorf("without a plan: %+v", p)
	}
	for _, p := range []Plan{{Folder: "backups", Days: 1}, {Folder: filepath.Join(dir, "none"), Days: 1}, {Folder: dir},
		{Folder: dir, Days: 1, Hour: 24}, {Folder: dir, Days: 1, Months: -1}} {
		if err := k.Set(t.Context(), p, boss, ""); !fault.Is(err, fault.Invalid) || len(fault.Fields(err)) != 1 {
			t.Errorf("%+v: %v", p, err)
		}
	}
	for _, name := range []string{"preceptor-old.db", "preceptor-2020-01-01-0200.db.txt", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Set(t.Context(), Plan{Folder: dir, Hour: 2, Days: 2}, boss, ""); err != nil {
		t.Fatal(err)
	}
	if p, err := k.Plan(t.Context()); err != nil || p.Next(clock.Now()) != clock.Now() {
		t.Errorf("due at once, and it says %v, %v", p.Next(clock.Now()), err)
	}
	if p := run(); copies() != 2 || p.MadeAt != clock.Now() || p.Failed != "" ||
		p.Next(clock.Now()).Local().Hour() != 2 || !p.Next(clock.Now()).After(clock.Now()) { // beside the one that isn't ours
		t.Errorf("the first: %d copies, %+v", copies(), p)
	}
	if clock.Advance(10 * time.Hour); run().MadeAt != clock.Now().Add(-10*time.Hour) {
		t.Error("a second one on the same day")
	}
	broken = fault.New(fault.Invalid, "The disk is full.")
	clock.Advance(8 * time.Hour) // three at night
	if p := run(); p.Failed != "The disk is full." || p.Late(clock.Now()) || told != 1 || !open {
		t.Errorf("a failure: %+v, told %d times", p, told)
	}
	broken = nil
	if clock.Advance(30 * time.Minute); run().Failed == "" {
		t.Error("it was tried again within the hour")
	}
	if clock.Advance(30 * time.Minute); !func() bool { p, _ := k.Plan(t.Context()); return p.Late(clock.Now()) }() {
		t.Error("two hours after its time it isn't late")
	}
	if p := run(); p.Failed != "" || p.MadeAt != clock.Now() || p.Late(clock.Now()) || copies() != 3 || open {
		t.Errorf("the second: %d copies, %+v", copies(), p)
	}
	clock.Advance(24 * time.Hour)
	if p := run(); copies() != 3 { // the first one went
		t.Errorf("the third: %d copies, %+v", copies(), p)
	}
	if sums, _ := filepath.Glob(filepath.Join(dir, "*.sha256")); len(sums) != 2 {
		t.Errorf("checksums: %v", sums)
	}
	for _, name := range []string{"preceptor-old.db", "preceptor-2020-01-01-0200.db.txt", "notes.txt"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("a file that isn't ours: %v", err)
		}
	}
	if err := k.Set(t.Context(), Plan{Days: 1}, boss, ""); err != nil || run().Late(clock.Now().Add(100*time.Hour)) {
		t.Errorf("switched off: %v", err)
	}
}
