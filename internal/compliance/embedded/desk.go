package embedded

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"sync/atomic"

	"preceptor/internal/compliance"
	"preceptor/internal/llm/tuned"
)

// Desk is what this desk's experts ruled: a small model of how their line differs from the one that the judge came with. It is safe for
// concurrent use, and nil is a desk where nobody ruled anything.
type Desk struct {
	learned atomic.Pointer[learned]
	reads   tuned.Memory[*reading] // of what was ruled, which is learned from again and again
}

// Ruled is a text on which experts said what it is.
type Ruled struct {
	Subject   compliance.Subject
	Violation bool
}

// leastRuled is how many rulings of either kind there must be before they count.
const leastRuled = 10

// Fit of a desk's model: how strongly it may be held to the judge as it came, of which the rulings themselves choose; the parts that
// are left out in turn to choose; and the steps of a fit.
var deskHolds = []float64{0.1, 1, 5, 25}

const (
	deskParts = 5
	deskSteps = 300
)

// learned adds to the log odds of a violation.
type learned struct {
	name   string // the same for the same rulings
	mean   []float64
	weight []float64
	bias   float64
}

// Learn replaces what was learned. It reads what it hasn't read before, and fails only when ctx ends.
func (d *Desk) Learn(ctx context.Context, list []Ruled) error {
	hash, violations := sha256.New(), 0
	for _, r := range list {
		fmt.Fprintf(hash, "%q %q %v\n", r.Subject.Situation.Question, r.Subject.Text, r.Violation)
		if r.Violation {
			violations++
		}
	}
	if min(violations, len(list)-violations) < leastRuled {
		d.learned.Store(nil)
		return nil
	}
	name := fmt.Sprintf("%x", hash.Sum(nil)[:12])
	if d.name() == name {
		return nil
	}
	m := loaded()
	x, base, y := make([][]float64, len(list)), make([]float64, len(list)), make([]float64, len(list))
	for i, r := range list {
		about, text, sentences := shown(&r.Subject)
		head := m.headOf(r.Subject.Situation.Pack)
		read, err := d.reads.Get(readKey(about, text, head), func() (*reading, error) { return m.read(ctx, about, text, sentences, head) })
		if err != nil {
			return err
		}
		x[i], base[i] = unit(read.pooled), m.odds(read)
		if r.Violation {
			y[i] = 1
		}
	}
	l := choose(x, base, y)
	l.name = name
	d.learned.Store(l)
	return nil
}

// choose fits what predicts best rulings that it wasn't fitted on: with one of the strengths, or nothing but the judge as it came.
func choose(x [][]float64, base, y []float64) *learned {
	best, least := &learned{}, (&learned{}).miss(x, base, y, func(int) bool { return true })
	for _, hold := range deskHolds {
		miss := 0.0
		for part := range deskParts {
			out := func(i int) bool { return i%deskParts == part }
			miss += fit(x, base, y, hold, func(i int) bool { return !out(i) }).miss(x, base, y, out)
		}
		if miss < least {
			best, least = fit(x, base, y, hold, func(int) bool { return true }), miss
		}
	}
	return best
}

// miss is the log loss on some of the rulings.
func (l *learned) miss(x [][]float64, base, y []float64, of func(int) bool) (sum float64) {
	for i := range x {
		if of(i) {
			p := min(max(chance(base[i]+l.dot(x[i])), 1e-6), 1-1e-6)
			sum -= y[i]*math.Log(p) + (1-y[i])*math.Log(1-p)
		}
	}
	return sum
}

// fit is a logistic regression beside the judge's own log odds (base), of some of the rulings, by gradient steps with momentum.
func fit(x [][]float64, base, y []float64, hold float64, of func(int) bool) *learned {
	n, width := 0.0, len(x[0])
	l := &learned{mean: make([]float64, width), weight: make([]float64, width)}
	for i, v := range x {
		if of(i) {
			n++
			for k := range v {
				l.mean[k] += v[k]
			}
		}
	}
	for k := range l.mean {
		l.mean[k] /= n
	}
	before, grad := make([]float64, width+1), make([]float64, width+1)
	const rate, momentum = 2.0, 0.9
	for range deskSteps {
		clear(grad)
		for i, v := range x {
			if !of(i) {
				continue
			}
			miss := chance(base[i]+l.dot(v)) - y[i]
			for k := range v {
				grad[k] += miss * (v[k] - l.mean[k]) / n
			}
			grad[width] += miss / n
		}
		for k := range l.weight {
			before[k] = momentum*before[k] - rate*(grad[k]+hold*l.weight[k]/n)
			l.weight[k] += before[k]
		}
		before[width] = momentum*before[width] - rate*grad[width]
		l.bias += before[width]
	}
	return l
}

func (l *learned) dot(v []float64) float64 {
	sum := l.bias
	for k, w := range l.weight {
		sum += w * (v[k] - l.mean[k])
	}
	return sum
}

// unit is a vector at length 1.
func unit(v []float32) []float64 {
	square, out := 0.0, make([]float64, len(v))
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	for k, x := range v {
		out[k] = float64(x) / math.Sqrt(square+1e-12)
	}
	return out
}

// moves is what the desk's rulings add to the log odds of a violation.
func (d *Desk) moves(pooled []float32) float64 {
	if d == nil {
		return 0
	}
	l := d.learned.Load()
	if l == nil {
		return 0
	}
	return l.dot(unit(pooled))
}

// name tells one list that was learned from another; "" is none.
func (d *Desk) name() string {
	if d != nil {
		if l := d.learned.Load(); l != nil {
			return l.name
		}
	}
	return ""
}
