package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomUnit(r *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return scaled(v)
}

// clustered draws vectors as texts have them: around one of many subjects.
func clustered(r *rand.Rand, centres [][]float32) []float32 {
	c := centres[r.IntN(len(centres))]
	v := make([]float32, len(c))
	for i := range v {
		v[i] = c[i] + float32(r.NormFloat64()*0.9/math.Sqrt(float64(len(c))))
	}
	return scaled(v)
}

func fill(rows, dims int, draw func() []float32) (*shelf, *coder) {
	s, c := newShelf(dims), newCoder(newRotation(dims))
	for i := range rows {
		v, code := draw(), make([]byte, c.groups)
		t := c.encode(v, code)
		s.add(int64(i+1), fmt.Sprint(i), v, code, t)
	}
	return s, c
}

// hits is how many of the n exact best the scan finds.
func hits(s *shelf, c *coder, q []float32, n int) int {
	exact := make([]float32, s.rows)
	for i := range exact {
		for j, x := range s.vector(i) {
			exact[i] += x * q[j]
		}
	}
	slices.SortFunc(exact, func(x, y float32) int { return int(math.Copysign(1, float64(y-x))) })
	b := best{n: n}
	s.scan(c.ready(q), &b)
	found := 0
	for _, x := range b.sorted() {
		if x.cosine >= exact[n-1]-1e-5 {
			found++
		}
	}
	return found
}

func TestScanFindsWhatAnExactSearchFinds(t *testing.T) {
	for _, dims := range []int{8, 96, 384, 768} {
		r := rand.New(rand.NewPCG(7, uint64(dims)))
		centres := make([][]float32, 40)
		for i := range centres {
			centres[i] = randomUnit(r, dims)
		}
		for name, draw := range map[string]func() []float32{"anywhere": func() []float32 { return randomUnit(r, dims) },
			"in clusters": func() []float32 { return clustered(r, centres) }} {
			s, c := fill(3000, dims, draw)
			found := 0
			for range 100 {
				found += hits(s, c, draw(), 10)
			}
			if found < 990 {
				t.Errorf("%d numbers, %s: recall@10 is %.3f", dims, name, float64(found)/1000)
			}
		}
	}
}

func TestBothSumsAreTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, groups := range []int{2, 4, 192, 384, 768} {
		codes, table := make([]byte, 16*groups), make([]byte, 16*groups)
		for i := range codes {
			codes[i], table[i] = byte(r.Uint32()), byte(r.IntN(256)*min(192, groups)/groups)
		}
		var got, want [blockRows]uint16
		sumBlock(codes, table, &got)
		sumPlain(codes, table, &want)
		if got != want {
			t.Errorf("%d groups: %v, want %v", groups, got, want)
		}
	}
}

func TestRemovingKeepsTheRest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	truth := map[int64][]float32{}
	s, c := fill(2100, 128, func() []float32 { return randomUnit(r, 128) })
	for i := range s.rows {
		truth[int64(i+1)] = slices.Clone(s.vector(i))
	}
	for len(truth) > 700 {
		row := r.IntN(s.rows)
		b, i := s.at(row)
		gone := b.entries[i]
		delete(truth, gone)
		s.remove(row)
	}
	for entry, v := range truth {
		b := best{n: 1}
		s.scan(c.ready(v), &b)
		if got := b.sorted(); len(got) != 1 || got[0].entry != entry {
			t.Fatalf("entry %d is not found by its own vector: %v", entry, got)
		}
	}
	for s.rows > 0 {
		s.remove(0)
	}
	if len(s.slabs) != 0 {
		t.Errorf("%d slabs are left", len(s.slabs))
	}
}

func benchmarkScan(b *testing.B, rows int, spread bool, n int) {
	const dims = 384
	r := rand.New(rand.NewPCG(1, 2))
	centres := make([][]float32, 400)
	for i := range centres {
		centres[i] = randomUnit(r, dims)
	}
	draw := func() []float32 {
		if spread {
			return randomUnit(r, dims)
		}
		return clustered(r, centres)
	}
	s, c := fill(rows, dims, draw)
	var qs [][]float32
	found := 0
	for range 40 {
		qs = append(qs, draw())
		found += hits(s, c, qs[len(qs)-1], n)
	}
	i := 0
	b.ResetTimer()
	for b.Loop() {
		t := best{n: n}
		s.scan(c.ready(qs[i%len(qs)]), &t)
		i++
	}
	b.ReportMetric(float64(found)/float64(40*n), "recall")
}

func BenchmarkScan10kClustered(b *testing.B)    { benchmarkScan(b, 10_000, false, 10) }
func BenchmarkScan100kClustered(b *testing.B)   { benchmarkScan(b, 100_000, false, 10) }
func BenchmarkScan100kSpread(b *testing.B)      { benchmarkScan(b, 100_000, true, 10) }
func BenchmarkScan100kClustered60(b *testing.B) { benchmarkScan(b, 100_000, false, 60) }
