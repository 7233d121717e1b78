// Package searchtest holds any search.Index to what package search promises.
package searchtest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/search"
)

// Model is the embedder's name in these tests, and Dims the length of its vectors.
const (
	Model = "test/1"
	Dims  = 8
)

// Unit is a vector that points to place, with a little of the next.
func Unit(place int) []float32 {
	v := make([]float32, Dims)
	v[place%Dims] = 1
	v[(place+1)%Dims] = 0.1
	return v
}

type bench struct {
	t     *testing.T
	d     *db.DB
	index search.Index
}

// Write runs f in a write transaction of d.
func Write(t testing.TB, d *db.DB, f func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Write(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

func (b bench) put(e search.Entry) {
	b.t.Helper()
	Write(b.t, b.d, func(tx *db.Tx) error { return b.index.UpsertTx(tx, e) })
}

func (b bench) words(text string, f search.Filter) (ids []string) {
	b.t.Helper()
	hits, err := b.index.Lexical(context.Background(), text, f, 20)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func (b bench) near(place int, f search.Filter) (ids []string) {
	b.t.Helper()
	hits, err := b.index.Nearest(context.Background(), Model, Unit(place), f, 20)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func (b bench) sound() {
	b.t.Helper()
	r, err := b.index.Check(context.Background())
	if err != nil || len(r.Problems) > 0 {
		b.t.Errorf("Check: %+v, %v", r, err)
	}
}

func (b bench) want(what string, got []string, want ...string) {
	b.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func entry(id string, place int, text string) search.Entry {
	return search.Entry{Kind: search.KindCase, ID: id, Active: true, Title: text, Body: "", Model: Model,
		Vector: Unit(place)}
}

// Contract runs the suite; open makes an index on an empty database.
func Contract(t *testing.T, open func(d *db.DB) search.Index) {
	run := func(name string, f func(b bench)) {
		t.Run(name, func(t *testing.T) {
			d := dbtest.New(t)
			f(bench{t, d, open(d)})
		})
	}
	all := search.Filter{AgentID: search.AnyAgent}
	run("finds by words, stemmed, and by meaning", func(b bench) {
		b.put(entry("a", 0, "drawing an adjustable income"))
		b.put(entry("b", 3, "guaranteed incomes for life"))
		b.want("stem", b.words("income", all), "a", "b")
		b.want("one", b.words("guarantee", all), "b")
		if got := b.near(3, all); got[0] != "b" {
			b.t.Errorf("nearest to b: %v", got)
		}
		b.sound()
	})
	run("what changes is found anew, and no longer as it was", func(b bench) {
		b.put(entry("a", 0, "final salary"))
		b.put(entry("z", 4, "annuity"))
		b.put(entry("a", 5, "divorce"))
		b.want("old words", b.words("salary", all))
		b.want("new words", b.words("divorce", all), "a")
		if got := b.near(5, all); got[0] != "a" || len(got) != 2 {
			b.t.Errorf("nearest: %v", got)
		}
		b.sound()
	})
	run("a changed text without a vector is found by words until it gets one", func(b bench) {
		b.put(entry("a", 0, "final salary"))
		b.put(search.Entry{Kind: search.KindCase, ID: "a", Active: true, Title: "divorce"})
		b.want("words", b.words("divorce", all), "a")
		b.want("meaning", b.near(0, all))
		p, err := b.index.Pending(context.Background(), Model, 0, 10)
		if err != nil || len(p) != 1 || p[0].ID != "a" {
			b.t.Fatalf("pending: %v, %v", p, err)
		}
		Write(b.t, b.d, func(tx *db.Tx) error {
			ok, err := b.index.SetVectorTx(tx, p[0], Model, Unit(6))
			if !ok {
				b.t.Error("the vector was not taken")
			}
			return err
		})
		b.want("meaning, embedded", b.near(6, all), "a")
		b.sound()
	})
	run("a vector for a text that changed meanwhile is not taken", func(b bench) {
		b.put(search.Entry{Kind: search.KindCase, ID: "a", Active: true, Title: "old"})
		p, _ := b.index.Pending(context.Background(), Model, 0, 10)
		b.put(search.Entry{Kind: search.KindCase, ID: "a", Active: true, Title: "new"})
		Write(b.t, b.d, func(tx *db.Tx) error {
			ok, err := b.index.SetVectorTx(tx, p[0], Model, Unit(6))
			if ok {
				b.t.Error("a stale vector was taken")
			}
			return err
		})
	})
	run("inactive entries are kept and not found", func(b bench) {
		b.put(entry("a", 0, "final salary"))
		set := func(active bool) {
			Write(b.t, b.d, func(tx *db.Tx) error { return b.index.ActivateTx(tx, search.KindCase, "a", active) })
		}
		set(false)
		set(false)
		b.want("words", b.words("salary", all))
		b.want("meaning", b.near(0, all))
		b.sound()
		set(true)
		b.want("words again", b.words("salary", all), "a")
		b.want("meaning again", b.near(0, all), "a")
		b.sound()
		err := b.d.Write(context.Background(), func(tx *db.Tx) error {
			return b.index.ActivateTx(tx, search.KindCase, "nobody", true)
		})
		if !fault.Is(err, fault.NotFound) {
			b.t.Errorf("activating nothing: %v", err)
		}
	})
	run("deleting forgets words and vectors", func(b bench) {
		b.put(entry("a", 0, "final salary"))
		b.put(entry("b", 1, "final year"))
		Write(b.t, b.d, func(tx *db.Tx) error { return b.index.DeleteTx(tx, search.KindCase, "a") })
		Write(b.t, b.d, func(tx *db.Tx) error { return b.index.DeleteTx(tx, search.KindCase, "a") })
		b.want("words", b.words("final", all), "b")
		b.want("meaning", b.near(0, all), "b")
		b.sound()
	})
	run("what is rolled back was never there", func(b bench) {
		b.put(entry("a", 0, "final salary"))
		_ = b.d.Write(context.Background(), func(tx *db.Tx) error {
			if err := b.index.UpsertTx(tx, entry("b", 1, "ghost")); err != nil {
				return err
			}
			if err := b.index.DeleteTx(tx, search.KindCase, "a"); err != nil {
				return err
			}
			return fault.New(fault.Conflict, "no")
		})
		b.want("words", b.words("ghost salary", all), "a")
		b.want("meaning", b.near(1, all), "a")
		b.sound()
	})
	run("filters by kind, task and agent", func(b bench) {
		for _, e := range []search.Entry{
			{Kind: search.KindCase, ID: "shared", Task: "annuity"},
			{Kind: search.KindCase, ID: "mine", Task: "tax", AgentID: "me"},
			{Kind: search.KindCase, ID: "theirs", Task: "tax", AgentID: "them"}, {Kind: search.KindRule, ID: "rule"},
			{Kind: search.KindCase, ID: "pensions", Task: "tax", AgentID: search.SharedBy("pension")},
			{Kind: search.KindCase, ID: "shops", AgentID: search.SharedBy("shop")},
		} {
			e.Active, e.Title, e.Model, e.Vector = true, "pension", Model, Unit(len(e.ID))
			b.put(e)
		}
		for _, c := range []struct {
			f    search.Filter
			want map[string]bool
		}{
			{all, map[string]bool{"shared": true, "mine": true, "theirs": true, "rule": true, "pensions": true,
				"shops": true}},
			{search.Filter{Pack: "shop"}, map[string]bool{"shared": true, "rule": true, "shops": true}},
			{search.Filter{AgentID: "me", Pack: "pension", Task: "tax"},
				map[string]bool{"mine": true, "pensions": true}},
			{search.Filter{}, map[string]bool{"shared": true, "rule": true}},
			{search.Filter{AgentID: "me"}, map[string]bool{"shared": true, "mine": true, "rule": true}},
			{search.Filter{AgentID: "me", Kind: search.KindCase}, map[string]bool{"shared": true, "mine": true}},
			{search.Filter{AgentID: "me", Task: "tax"}, map[string]bool{"mine": true}},
			{search.Filter{AgentID: search.AnyAgent, Task: "tax"},
				map[string]bool{"mine": true, "theirs": true, "pensions": true}},
			{search.Filter{Kind: search.KindRule}, map[string]bool{"rule": true}},
			{search.Filter{Task: "nothing"}, map[string]bool{}},
		} {
			for leg, got := range map[string][]string{"words": b.words("pension", c.f), "meaning": b.near(1, c.f)} {
				if len(got) != len(c.want) {
					b.t.Errorf("%+v by %s: %v, want %v", c.f, leg, got, c.want)
				}
				for _, id := range got {
					if !c.want[id] {
						b.t.Errorf("%+v by %s finds %s", c.f, leg, id)
					}
				}
			}
		}
	})
	run("refuses vectors that would poison the index", func(b bench) {
		b.put(entry("a", 0, "final salary"))
		nan := float32(math.NaN())
		for name, v := range map[string][]float32{"NaN": {nan, 1, 0, 0, 0, 0, 0, 0},
			"infinite": {float32(math.Inf(1)), 1, 0, 0, 0, 0, 0, 0},
			"zero":     make([]float32, Dims), "short": {1, 0}, "empty": {}} {
			e := entry("b", 1, "poison")
			e.Vector = v
			if err := b.d.Write(context.Background(), func(tx *db.Tx) error {
				return b.index.UpsertTx(tx, e)
			}); !fault.Is(err, fault.Invalid) {
				b.t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := b.index.Nearest(context.Background(), Model, []float32{nan, 0}, all, 5); !fault.Is(err,
			fault.Invalid) {
			b.t.Errorf("a NaN was asked for: %v", err)
		}
		b.want("words", b.words("poison", all))
		b.sound()
	})
	run("another model's vectors wait until the index changes over", func(b bench) {
		b.put(entry("a", 0, "final salary"))
		b.put(entry("b", 1, "annuity"))
		pending, err := b.index.Pending(context.Background(), "test/2", 0, 10)
		if err != nil || len(pending) != 2 {
			b.t.Fatalf("pending: %v, %v", pending, err)
		}
		long := func(place int) []float32 { return append(Unit(place), make([]float32, 4)...) }
		Write(b.t, b.d, func(tx *db.Tx) error {
			for i, p := range pending {
				if _, err := b.index.SetVectorTx(tx, p, "test/2", long(i+4)); err != nil {
					return err
				}
			}
			return nil
		})
		if got := b.near(0, all); len(got) != 2 || got[0] != "a" {
			b.t.Errorf("the old vectors no longer serve: %v", got)
		}
		b.sound()
		if err := b.index.Rebuild(context.Background(), "test/2"); err != nil {
			b.t.Fatal(err)
		}
		hits, err := b.index.Nearest(context.Background(), "test/2", long(5), all, 5)
		if err != nil || len(hits) != 2 || hits[0].ID != "b" || hits[0].Score < 0.99 {
			b.t.Errorf("after the change: %v, %v", hits, err)
		}
		if got := b.near(0, all); len(got) != 0 {
			b.t.Errorf("the old model still finds %v", got)
		}
		if m, _ := b.index.Model(context.Background()); m != "test/2" {
			b.t.Errorf("the model is %q", m)
		}
		b.sound()
		if err := b.index.Rebuild(context.Background(), "test/3"); !fault.Is(err, fault.Conflict) {
			b.t.Errorf("changing to vectors that are not there: %v", err)
		}
	})
	run("agrees with an exact search, through changes and rebuilds", exact)
	run("an empty index answers nothing", func(b bench) {
		b.want("words", b.words("anything", all))
		b.want("meaning", b.near(0, all))
		b.sound()
		if err := b.index.Rebuild(context.Background(), ""); err != nil {
			b.t.Error(err)
		}
	})
}

// exact compares Nearest with the plain sum over a random history.
func exact(b bench) {
	r := rand.New(rand.NewPCG(1, 2))
	truth := map[string][]float32{}
	random := func() []float32 {
		v := make([]float32, Dims)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	for i := range 300 {
		id := fmt.Sprint(r.IntN(60))
		Write(b.t, b.d, func(tx *db.Tx) error {
			if r.IntN(5) == 0 {
				delete(truth, id)
				return b.index.DeleteTx(tx, search.KindCase, id)
			}
			truth[id] = random()
			e := entry(id, 0, "entry "+id)
			e.Vector = truth[id]
			return b.index.UpsertTx(tx, e)
		})
		if i == 150 {
			if err := b.index.Rebuild(context.Background(), ""); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	for range 20 {
		q := random()
		hits, err := b.index.Nearest(context.Background(), Model, q, search.Filter{}, 5)
		if err != nil || len(hits) != 5 {
			b.t.Fatalf("%v, %v", hits, err)
		}
		better := 0
		for _, v := range truth {
			if cosine(q, v) > hits[4].Score+1e-5 {
				better++
			}
		}
		if better > 4 {
			b.t.Errorf("%d entries are nearer than the fifth answer", better)
		}
		for _, h := range hits {
			if math.Abs(h.Score-cosine(q, truth[h.ID])) > 1e-4 {
				b.t.Errorf("the score of %s is %f, its cosine %f", h.ID, h.Score, cosine(q, truth[h.ID]))
			}
		}
	}
	b.sound()
}

func cosine(a, b []float32) float64 {
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(x*y)
}
