//go:build sqlite_cgo

package search_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/db/dbtest/crossing"
	"preceptor/internal/search"
)

// TestIndexesOfTheDefaultBuild searches, breaks and mends indexes that the default build made: 0.1.9 of sqlite-vec
// wrote them and this build's 0.1.6 reads them.
func TestIndexesOfTheDefaultBuild(t *testing.T) {
	ctx := context.Background()
	path, said := dbtest.Foreign(t)
	var want crossing.Found
	if err := json.Unmarshal(said, &want); err != nil {
		t.Fatalf("%v in %s", err, said)
	}
	d, err := db.Open(ctx, path, db.Options{Clock: dbtest.NewClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	look := func(when string) {
		t.Helper()
		got, err := crossing.Look(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got.Words) == 0 || len(got.Nearest) == 0 {
			t.Fatalf("%s, the default build sees (-) and this one (+):\n%s", when, diff)
		}
	}
	look("as written")
	index := search.New(d)
	if err := d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec("DELETE FROM entry_vector WHERE entry_id = (SELECT max(entry_id) FROM entry_vector)")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if r, err := index.Check(ctx); err != nil || len(r.Problems) == 0 {
		t.Fatalf("a lost vector goes unnoticed: %+v (%v)", r, err)
	}
	if err := index.Rebuild(ctx, ""); err != nil {
		t.Fatal(err)
	}
	look("after a rebuild")
}
