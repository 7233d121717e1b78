package embedded

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"io"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Labelled is a sentence on which people said what it is.
type Labelled struct {
	Class int // of Classes; 0 is fine
	Text  string
	Desk  string // of one from this desk, who said so and when; its words are a customer's letter, so they are not kept
	Of    string // and the hash of the text that it stood in, which it says nothing of
}

// Precedents finds the labelled sentences nearest to a sentence: by the features that they share, each weighed by how much it says
// about steering (the spread of its weights over the classes) and how rare it is.
type Precedents struct {
	list   []Labelled
	norms  []float32
	shared map[int32][]int32 // by feature, the sentences that have it
	tells  []float32         // by feature, what it weighs; 0 for one that none has
}

// Bounds, chosen with authors left out.
const (
	termsKept  = 32   // features of a sentence that are compared, the weightiest
	neighbours = 12   // how many precedents speak
	lookedFrom = 0.04 // the probability of steering from which a sentence is looked up
	looked     = 8    // and how many of a text are, those that steer most
	nearFrom   = 0.12 // the cosine from which a sentence is a precedent
	prior      = 0.4  // what stands against each answer, of which a twentieth speaks of a violation
	ofDesk     = 4    // how many of the precedents that ship one of the desk's own weighs as much as; not fitted
)

// NewPrecedents reads labelled sentences.
func NewPrecedents(w *Weights, list []Labelled) *Precedents {
	p := &Precedents{shared: map[int32][]int32{}, tells: make([]float32, Dimensions)}
	vectors := make([][]Feature, len(list))
	count := make([]float64, Dimensions)
	for i, one := range list {
		vectors[i] = alone(one.Text)
		for _, f := range vectors[i] {
			count[f.At]++
		}
	}
	for at, n := range count {
		if n > 0 {
			p.tells[at] = float32(w.spread(at) * math.Log(float64(len(list)+1)/n))
		}
	}
	for i, x := range vectors {
		p.add(list[i], x)
	}
	return p
}

func (p *Precedents) add(one Labelled, x []Feature) {
	terms, norm := p.terms(x)
	for _, at := range terms {
		p.shared[at] = append(p.shared[at], int32(len(p.list)))
	}
	p.list, p.norms = append(p.list, one), append(p.norms, float32(norm))
}

// with are these precedents and more, which are weighed by what these find telling.
func (p *Precedents) with(more []Labelled) *Precedents {
	out := &Precedents{list: slices.Clone(p.list), norms: slices.Clone(p.norms), shared: make(map[int32][]int32, len(p.shared)), tells: p.tells}
	for at, list := range p.shared {
		out.shared[at] = slices.Clip(list)
	}
	for _, one := range more {
		x := alone(one.Text)
		one.Text = ""
		out.add(one, x)
	}
	return out
}

// alone is the vector of a sentence by itself.
func alone(text string) []Feature {
	read := pensions().ReadSentence(text)
	return sentenceReader().vector(read, 0, person{}, nil, nil)
}

// spread is how far a feature tells the classes of sentences apart.
func (w *Weights) spread(at int) float64 {
	mean, sum := 0.0, 0.0
	row := w.packed[at][:len(Classes)]
	for _, v := range row {
		mean += float64(v) / float64(len(row))
	}
	for _, v := range row {
		sum += (float64(v) - mean) * (float64(v) - mean)
	}
	return math.Sqrt(sum)
}

// terms are the weightiest features of a sentence, and the length of the vector that they make.
func (p *Precedents) terms(x []Feature) (terms []int32, norm float64) {
	terms = make([]int32, 0, len(x))
	for _, f := range x {
		if p.tells[f.At] > 0 {
			terms = append(terms, f.At)
		}
	}
	slices.SortFunc(terms, func(a, b int32) int {
		if p.tells[a] != p.tells[b] {
			return cmp.Compare(p.tells[b], p.tells[a])
		}
		return int(a - b)
	})
	terms = slices.Compact(terms)
	terms = terms[:min(len(terms), termsKept)]
	for _, at := range terms {
		norm += float64(p.tells[at]) * float64(p.tells[at])
	}
	return terms, math.Sqrt(norm)
}

// Near is a precedent with its likeness to a sentence, a cosine.
type Near struct {
	Labelled
	Cosine float64
}

// weight is how much it counts.
func (n Near) weight() float64 {
	if n.Desk != "" {
		return ofDesk * n.Cosine
	}
	return n.Cosine
}

// Nearest are the precedents of a sentence, the likest first; use, where given, says which may be.
func (p *Precedents) Nearest(x []Feature, use func(int) bool) []Near {
	terms, norm := p.terms(x)
	sums := make([]float32, len(p.list))
	for _, t := range terms {
		square := p.tells[t] * p.tells[t]
		for _, at := range p.shared[t] {
			sums[at] += square
		}
	}
	type hit struct {
		cosine float64
		at     int
	}
	var best []hit // the likest, in order
	least := float32(nearFrom * norm)
	for at, sum := range sums {
		if sum < least*p.norms[at] {
			continue
		}
		h := hit{float64(sum) / (norm * float64(p.norms[at])), at}
		if len(best) == neighbours && h.cosine <= best[neighbours-1].cosine || use != nil && !use(at) {
			continue
		}
		place := sort.Search(len(best), func(i int) bool { return best[i].cosine < h.cosine })
		if len(best) < neighbours {
			best = append(best, hit{})
		}
		copy(best[place+1:], best[place:])
		best[place] = h
	}
	out := make([]Near, len(best))
	for i, h := range best {
		out[i] = Near{p.list[h.at], h.cosine}
	}
	return out
}

// Said is what precedents say of a text: of its worst sentence the share of the nearest that are violations, by likeness, with them and
// the sentence's place; -1 where none has a precedent.
func (p *Precedents) Said(e *Evidence, steers [][]float64, use func(int) bool) (worst float64, nearest []Near, sentence int) {
	sentence = -1
	for _, i := range steepest(steers) {
		near := p.Nearest(e.Vectors[i], use)
		if len(near) == 0 {
			continue
		}
		bad, all := 0.0, 0.0
		for _, n := range near {
			all += n.weight()
			if n.Class > 0 {
				bad += n.weight()
			}
		}
		if share := (bad + prior/20) / (all + prior); sentence < 0 || share > worst {
			worst, nearest, sentence = share, near, i
		}
	}
	return worst, nearest, sentence
}

// steepest are the places of the sentences that are looked up, in their order.
func steepest(steers [][]float64) (at []int) {
	for i, p := range steers {
		if 1-p[0] >= lookedFrom {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(steers[a][0], steers[b][0]) })
	at = at[:min(len(at), looked)]
	slices.Sort(at)
	return at
}

// precedentsGz is the labelled sentences that ship, one a line with the letter of its class first; made by tools/fit.
//
//go:embed precedents.txt.gz
var precedentsGz []byte

var shipped = sync.OnceValue(func() *Precedents {
	z, err := gzip.NewReader(bytes.NewReader(precedentsGz))
	if err != nil {
		panic(err) // the file is part of the program
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	var list []Labelled
	for line := range strings.Lines(string(text)) {
		letter, sentence, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if class := strings.Index(Letters, letter); ok && class >= 0 {
			list = append(list, Labelled{Class: class, Text: sentence})
		}
	}
	return NewPrecedents(loaded(), list)
})

// Letters stand for Classes in files of sentences.
const Letters = "CPDNGUF"
