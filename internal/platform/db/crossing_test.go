//go:build sqlite_cgo

package db_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/db/dbtest/crossing"
	"preceptor/internal/search"
)

func openForeign(t *testing.T) (*db.DB, crossing.Found) {
	t.Helper()
	path, said := dbtest.Foreign(t)
	var want crossing.Found
	if err := json.Unmarshal(said, &want); err != nil {
		t.Fatalf("%v in %s", err, said)
	}
	d, err := db.Open(ctx, path, db.Options{Clock: dbtest.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d, want
}

// TestBothBuildsSeeTheSame opens a file of the default build with this one, and has the default build read it again
// after this one has written to it.
func TestBothBuildsSeeTheSame(t *testing.T) {
	d, want := openForeign(t)
	got, err := crossing.Look(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the default build sees (-) and this one (+):\n%s", diff)
	}
	if len(got.Sick) > 0 || got.Audit.Bad != nil || got.Audit.Rows != 20 || got.Audit.Erased != 3 ||
		len(got.Jobs) != 3 || len(got.Words) != 5 || len(got.Nearest) != 5 {
		t.Fatalf("the file is not what Fill writes: %+v", got)
	}
	err = d.Write(ctx, func(tx *db.Tx) error {
		index := search.New(d)
		for i := 0; i < 40; i += 7 {
			if err := crossing.Put(tx, index, i); err != nil {
				return err
			}
		}
		return crossing.Record(tx, 20)
	})
	if err != nil {
		t.Fatal(err)
	}
	ours, err := crossing.Look(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	path := d.Path()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	var theirs crossing.Found
	if said := dbtest.Return(t, path); json.Unmarshal(said, &theirs) != nil {
		t.Fatalf("the default build said %s", said)
	}
	if diff := cmp.Diff(ours, theirs); diff != "" || theirs.Audit.Rows != 21 || len(theirs.Sick) > 0 {
		t.Fatalf("of what this build wrote, it sees (-) and the default build (+):\n%s", diff)
	}
}
