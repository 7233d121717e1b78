package atlas

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/db/dbtest"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/search"
)

func TestTheMapShowsTheGreatestDifferences(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var rows [][]float32
	for i := range 300 { // three clusters in a plane of a space of 20 dimensions, with a little noise
		v := make([]float32, 20)
		for j := range v {
			v[j] = float32(rnd.NormFloat64()) * .02
		}
		v[3+5*(i%3)]++
		rows = append(rows, v)
	}
	xs, ys, shown := project(rows)
	if shown < .9 {
		t.Errorf("it shows %.2f of the differences", shown)
	}
	near, far := 0.0, math.Inf(1)
	for i := range rows {
		for j := range i {
			d := math.Hypot(xs[i]-xs[j], ys[i]-ys[j])
			if i%3 == j%3 {
				near = max(near, d)
			} else {
				far = min(far, d)
			}
		}
	}
	if near >= far {
		t.Errorf("cases of one kind lie up to %.3f apart, of different kinds from %.3f", near, far)
	}
	if low, high := slices.Min(xs), slices.Max(xs); low < 0 || high > 1 || slices.Min(ys) < 0 || slices.Max(ys) > 1 {
		t.Errorf("places from %v to %v", low, high)
	}
	again, _, _ := project(rows)
	if !slices.Equal(xs, again) {
		t.Error("the same cases have other places")
	}
}

func TestFewCasesHaveAMapToo(t *testing.T) {
	for name, rows := range map[string][][]float32{
		"none": nil, "one": {{1, 0}}, "two alike": {{1, 0}, {1, 0}}, "two": {{1, 0, 0}, {0, 1, 0}}, "in a line": {{0, 1}, {0, 2}, {0, 4}},
	} {
		xs, ys, shown := project(rows)
		if len(xs) != len(rows) || math.IsNaN(shown) || shown < 0 || shown > 1 {
			t.Errorf("%s: %d places, %v", name, len(xs), shown)
		}
		for i := range xs {
			if !(xs[i] >= 0 && xs[i] <= 1 && ys[i] >= 0 && ys[i] <= 1) {
				t.Errorf("%s: place %v, %v", name, xs[i], ys[i])
			}
		}
	}
}

func TestAMapIsKeptWhileItIsFresh(t *testing.T) {
	ctx, clock := context.Background(), dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	index := search.New(d)
	kb := knowledge.New(d, index, embedded.New(), knowledge.Options{})
	asked := 0
	a := New(d, kb, func(ctx context.Context, kind string, ids []string) (map[string][]float32, error) {
		asked++
		return index.Vectors(ctx, kind, ids)
	})
	add := func(says string, status string) {
		t.Helper()
		if err := d.Write(ctx, func(tx *db.Tx) error {
			_, err := kb.AddCaseTx(tx, knowledge.Case{Source: knowledge.FromReview, Status: status, Task: "db_transfer", CaseText: knowledge.CaseText{Title: says, Situation: says, Guidance: "About " + says}})
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	look := func(points, times int) *Map {
		t.Helper()
		m, err := a.Map(ctx)
		if err != nil || len(m.Points) != points || asked != times {
			t.Fatalf("%+v, drawn %d times, %v; want %d points, %d times", m, asked, err, points, times)
		}
		return m
	}
	look(0, 1)
	add("a transfer of a final salary pension", knowledge.Active)
	add("tax on a lump sum", knowledge.Active)
	add("something old", knowledge.Retired)
	look(0, 1) // a moment ago it was empty
	clock.Advance(Keep)
	m := look(2, 2)
	if p := m.Points[0]; p.Label != "Case #001" || p.Title == "" || p.Task != "db_transfer" || p.X == m.Points[1].X || m.Cases != 2 {
		t.Errorf("%+v", m)
	}
	clock.Advance(time.Hour)
	look(2, 2) // nothing has changed since
}
