package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/search"
	"preceptor/internal/search/searchtest"
)

func drawn(r *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// Whatever is written, undone, hidden, deleted or rebuilt, and through whichever door, the memory answers as vec0 does.
func TestMemoryAnswersAsTheTablesDo(t *testing.T) {
	if testing.Short() {
		t.Skip("asks thousands of questions twice; make check runs it")
	}
	d := dbtest.New(t)
	tables, memory := search.New(d), search.NewMemory(d)
	const dims = 64
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			door := search.Index(tables)
			if r.IntN(2) == 0 {
				door = memory
			}
			id, kind := fmt.Sprint(r.IntN(40)), []string{search.KindCase, search.KindRule}[r.IntN(2)]
			undo := r.IntN(4) == 0
			err := d.Write(ctx, func(tx *db.Tx) (err error) {
				switch r.IntN(5) {
				case 0:
					err = door.DeleteTx(tx, kind, id)
				case 1:
					if err = door.ActivateTx(tx, kind, id, r.IntN(2) == 0); fault.Is(err, fault.NotFound) {
						err = nil
					}
				default:
					err = door.UpsertTx(tx,
						search.Entry{Kind: kind, ID: id, Active: r.IntN(5) > 0,
							AgentID: []string{"", "me", "you"}[r.IntN(3)],
							Task:    []string{"", "tax", "annuity"}[r.IntN(3)], Title: fmt.Sprint(r.IntN(9)),
							Model: searchtest.Model, Vector: drawn(r, dims)})
				}
				if err == nil && undo {
					err = fault.New(fault.Conflict, "undone")
				}
				return err
			})
			if err != nil && !undo {
				t.Fatal(err)
			}
			f := search.Filter{AgentID: []string{"", "me", search.AnyAgent}[r.IntN(3)],
				Task: []string{"", "tax"}[r.IntN(2)], Kind: []string{"", search.KindCase}[r.IntN(2)]}
			q := drawn(r, dims)
			want, err := tables.Nearest(ctx, searchtest.Model, q, f, 5)
			if err != nil {
				t.Fatal(err)
			}
			got, err := memory.Nearest(ctx, searchtest.Model, q, f, 5)
			if err != nil || len(got) != len(want) {
				t.Fatalf("%+v: %v, want %v (%v)", f, got, want, err)
			}
			for i := range want {
				if got[i].ID != want[i].ID || got[i].Kind != want[i].Kind ||
					math.Abs(got[i].Score-want[i].Score) > 1e-4 {
					t.Fatalf("%+v: %v, want %v", f, got, want)
				}
			}
		}
		if rep, err := memory.Check(ctx); err != nil || len(rep.Problems) > 0 {
			t.Fatalf("%v %v", rep.Problems, err)
		}
	})
}

func TestMemoryFarBehindReadsEverything(t *testing.T) {
	d := dbtest.New(t)
	m := search.NewMemory(d)
	put := func(id string, place int) {
		searchtest.Write(t, d, func(tx *db.Tx) error {
			return m.UpsertTx(tx, search.Entry{Kind: search.KindCase, ID: id, Active: true, Title: id,
				Model: searchtest.Model, Vector: searchtest.Unit(place)})
		})
	}
	first := func(place int) string {
		hits, err := m.Nearest(ctx, searchtest.Model, searchtest.Unit(place), search.Filter{}, 1)
		if err != nil || len(hits) != 1 {
			t.Fatalf("%v %v", hits, err)
		}
		return hits[0].ID
	}
	put("a", 0)
	if first(0) != "a" {
		t.Error("a is not found")
	}
	put("b", 3)
	put("c", 6)
	searchtest.Write(t, d, func(tx *db.Tx) error {
		_, err := tx.Exec(`DELETE FROM search_change WHERE seq < (SELECT max(seq) FROM search_change)`)
		return err
	})
	if first(3) != "b" || first(6) != "c" {
		t.Error("what was written while the changes were forgotten is not found")
	}
}

func TestMemoryWhileOthersWrite(t *testing.T) {
	d := dbtest.New(t)
	m := search.NewMemory(d)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := range 20 {
				place := w*2 + i%2
				id := fmt.Sprint(w, "-", i)
				if err := d.Write(ctx, func(tx *db.Tx) error {
					return m.UpsertTx(tx,
						search.Entry{Kind: search.KindCase, ID: id, Active: true, Title: id, Model: searchtest.Model,
							Vector: searchtest.Unit(place)})
				}); err != nil {
					t.Error(err)
				}
				hits, err := m.Nearest(ctx, searchtest.Model, searchtest.Unit(place), search.Filter{}, 100)
				seen := false
				for _, h := range hits {
					seen = seen || h.ID == id
				}
				if err != nil || !seen {
					t.Errorf("what was committed is not in the next answer: %v", err)
				}
			}
		})
	}
	all.Wait()
	if r, err := m.Check(ctx); err != nil || len(r.Problems) > 0 {
		t.Errorf("%v %v", r.Problems, err)
	}
}
