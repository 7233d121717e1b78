package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/estimate"
	"preceptor/internal/search"
)

const (
	nearestRows = 100_000
	nearestDims = 384
	nearestTop  = 10
	nearestWith = 16 // callers at once
	nearestName = "bench/1"
	nearestAsks = 50 // questions, whose exact answers are known
)

// nearestRow is one index at one size.
type nearestRow struct {
	Index  string  `json:"index"`
	Cases  int     `json:"cases"`
	Rules  int     `json:"rules"`
	P50    float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
	Many   float64 `json:"p99_16_callers_ms"` // 0 where it was not measured
	Recall float64 `json:"recall_at_10"`      // against exact
	Faster float64 `json:"times_vec0"`        // p50 of vec0 by this one's
	Start  float64 `json:"start_ms"`          // what reading the vectors took; 0 for vec0
	RSS    float64 `json:"rss_mb"`            // what the process had more afterwards; vec0's pages stand in the engine's cache
}

// nearest compares our index with plain vec0, on the same file and the same vectors. Cases lie around four hundred subjects, as
// texts do; there is a rule to ten cases. Questions are drawn as cases are.
func (b *bencher) nearest() error {
	for _, rows := range []int{b.few, b.many, b.most} {
		if n := len(b.near); n > 0 && b.near[n-1].Cases == rows {
			continue
		}
		if err := b.nearestAt(rows); err != nil {
			return err
		}
	}
	return nil
}

func (b *bencher) nearestAt(rows int) error {
	d, err := db.Open(b.t.Ctx, filepath.Join(b.dir, fmt.Sprintf("nearest-%d.db", rows)), db.Options{})
	if err != nil {
		return err
	}
	defer d.Close()
	draw := drawer(rows)
	cases, err := b.fillNearest(d, rows, draw)
	if err != nil {
		return err
	}
	asks := make([][]float32, nearestAsks)
	limits := make([]float64, nearestAsks)
	for i := range asks {
		asks[i] = draw()
		limits[i] = tenth(cases, asks[i])
	}
	cases = nil
	before := memory("VmRSS:")
	vec0, err := b.timeNearest("vec0", search.New(d), rows, min(b.n, 100), asks, limits)
	if err != nil {
		return err
	}
	vec0.Faster, vec0.RSS = 1, memory("VmRSS:")-before
	ours := search.NewMemory(d)
	before = memory("VmRSS:")
	began := time.Now()
	if err := ours.Warm(b.t.Ctx); err != nil {
		return err
	}
	start := ms(time.Since(began))
	row, err := b.timeNearest("memory", ours, rows, b.n, asks, limits)
	if err != nil {
		return err
	}
	row.Start, row.RSS, row.Faster = start, memory("VmRSS:")-before, vec0.P50/max(row.P50, 1e-3)
	row.Many, err = b.manyNearest(ours, asks)
	b.near = append(b.near, vec0, row)
	return err
}

// drawer makes vectors around subjects; the same ones for the same seed.
func drawer(seed int) func() []float32 {
	r := rand.New(rand.NewPCG(uint64(seed), 384))
	some := func(around []float32, spread float64) []float32 {
		v := make([]float32, nearestDims)
		var n float64
		for i := range v {
			v[i] = float32(r.NormFloat64() * spread / math.Sqrt(nearestDims))
			if around != nil {
				v[i] += around[i]
			}
			n += float64(v[i]) * float64(v[i])
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(n))
		}
		return v
	}
	subjects := make([][]float32, 400)
	for i := range subjects {
		subjects[i] = some(nil, 1)
	}
	return func() []float32 { return some(subjects[r.IntN(len(subjects))], 0.9) }
}

// fillNearest writes the cases and a tenth as many rules, through the index itself.
func (b *bencher) fillNearest(d *db.DB, rows int, draw func() []float32) (cases [][]float32, err error) {
	const batch = 500
	index := search.New(d)
	bar := b.t.Progress("Vectors")
	all := rows + rows/10
	for from := 0; from < all; from += batch {
		if err := d.Write(b.t.Ctx, func(tx *db.Tx) error {
			for i := from; i < min(from+batch, all); i++ {
				e := search.Entry{Kind: search.KindCase, ID: fmt.Sprint(i), Task: fmt.Sprint("task ", i%8), Active: true, Title: fmt.Sprint("n", i), Model: nearestName, Vector: draw()}
				if i >= rows {
					e.Kind = search.KindRule
				} else {
					cases = append(cases, e.Vector)
				}
				if err := index.UpsertTx(tx, e); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
		bar(min(from+batch, all), all)
	}
	return cases, nil
}

// tenth is the exact cosine of the tenth nearest.
func tenth(cases [][]float32, q []float32) float64 {
	all := make([]float64, len(cases))
	for i, v := range cases {
		for j, x := range v {
			all[i] += float64(x) * float64(q[j])
		}
	}
	slices.Sort(all)
	return all[max(0, len(all)-nearestTop)]
}

func (b *bencher) timeNearest(name string, index search.Index, rows, n int, asks [][]float32, limits []float64) (nearestRow, error) {
	took := make([]time.Duration, n)
	found, wanted := 0, 0
	f := search.Filter{Kind: search.KindCase, AgentID: search.AnyAgent}
	for i := range n {
		began := time.Now()
		hits, err := index.Nearest(b.t.Ctx, nearestName, asks[i%len(asks)], f, nearestTop)
		if err != nil {
			return nearestRow{}, err
		}
		took[i] = time.Since(began)
		wanted += nearestTop
		for _, h := range hits {
			if h.Score >= limits[i%len(asks)]-1e-5 {
				found++
			}
		}
	}
	slices.Sort(took)
	return nearestRow{Index: name, Cases: rows, Rules: rows / 10, P50: ms(estimate.Rank(took, 0.5)), P99: ms(estimate.Rank(took, 0.99)),
		Recall: float64(found) / float64(wanted)}, nil
}

// manyNearest is the 99th percentile with sixteen callers at once, each of whom asks again as soon as it is answered.
func (b *bencher) manyNearest(index search.Index, asks [][]float32) (float64, error) {
	took := make([][]time.Duration, nearestWith)
	ctx, cancel := context.WithCancelCause(b.t.Ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for w := range nearestWith {
		all.Go(func() {
			for i := range max(20, b.n/4) {
				began := time.Now()
				_, err := index.Nearest(ctx, nearestName, asks[(w*7+i)%len(asks)], search.Filter{Kind: search.KindCase, AgentID: search.AnyAgent}, nearestTop)
				if err != nil {
					cancel(err)
					return
				}
				took[w] = append(took[w], time.Since(began))
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	every := slices.Concat(took...)
	slices.Sort(every)
	return ms(estimate.Rank(every, 0.99)), nil
}
