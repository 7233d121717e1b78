// Package refit fits what a firm's own labels add to the log odds of the judge in the program, and says whether it is
// worth having.
//
// It owns no table and knows no text: an example is the encoder's features of a text that people judged, and the odds
// that the judge gave it. A head is a small logistic regression beside those odds.
//
// What it promises.
//   - What is measured was never fitted on: examples are held out a customer at a time, with all that hangs together
//     with one (the same customer, the same text, near-duplicates), and how strongly a head is held to the judge is
//     chosen without them, too.
//   - A gain counts only if its whole interval is above nothing: before and after on the same texts, customers drawn
//     anew (paired bootstrap). Labels that say nothing yield no better head in at least 95 of 100 cases (test).
//   - The same examples give the same report.
//
// Decided against: holding out by text (letters to one customer resemble each other), and fitting with gonum's
// optimisers (a few hundred steps on a convex function of 385 numbers need none).
package refit

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Example is a text that people judged.
type Example struct {
	X         []float64 // the encoder's features, at length 1
	Odds      float64   // log odds of a violation of the judge as it comes
	Now       float64   // and of the judge as it counts now
	Violation bool
	Keys      []string // who and what it hangs together with; none: nothing
	Known     bool     // what counts now was fitted on it, so it can't tell which of the two is better
}

// Head is what is added to the judge's log odds.
type Head struct {
	Weights []float32 `json:"weights"`
	Bias    float64   `json:"bias"`
}

// Add is what the head adds for a text; nil adds nothing.
func (h *Head) Add(x []float64) float64 {
	if h == nil || len(h.Weights) != len(x) {
		return 0
	}
	sum := h.Bias
	for i, w := range h.Weights {
		sum += float64(w) * x[i]
	}
	return sum
}

// How strongly a head may be held to the judge as it came; the parts that are left out in turn to choose; the steps of
// a fit.
var holds = []float64{0.2, 2, 20}

const (
	outer, inner   = 5, 3
	steps          = 200
	momentum       = 0.9
	unsureFrom     = 1e-6
	leastCustomers = 2 * outer
)

// Least is how many examples of either kind there must be before a head is fitted.
const Least = 10

// Fit is the head that predicts best what it wasn't fitted on, with one of the strengths; it adds nothing where the
// judge as it came does better.
func Fit(list []Example) Head {
	best, least := Head{}, loss(list, Head{})
	parts := folds(list, inner)
	for _, hold := range holds {
		sum := 0.0
		for part := range inner {
			in, out := split(list, parts, part)
			sum += loss(out, fit(in, hold))
		}
		if sum < least {
			best, least = fit(list, hold), sum
		}
	}
	return best
}

func split(list []Example, parts []int, part int) (in, out []Example) {
	for i, e := range list {
		if parts[i] == part {
			out = append(out, e)
		} else {
			in = append(in, e)
		}
	}
	return in, out
}

// loss is the log loss.
func loss(list []Example, h Head) (sum float64) {
	for _, e := range list {
		p := min(max(chance(e.Odds+h.Add(e.X)), unsureFrom), 1-unsureFrom)
		if !e.Violation {
			p = 1 - p
		}
		sum -= math.Log(p)
	}
	return sum
}

// fit is a logistic regression beside the judge's odds, by gradient steps with momentum.
func fit(list []Example, hold float64) Head {
	if len(list) == 0 {
		return Head{}
	}
	n, width := float64(len(list)), len(list[0].X)
	mean, weights := make([]float64, width), make([]float64, width)
	before, grad := make([]float64, width), make([]float64, width)
	for _, e := range list {
		floats.AddScaled(mean, 1/n, e.X)
	}
	var bias, biasBefore float64
	rate := 2 / (0.5 + hold/n) // stable, whatever the features: they have length 1
	for range steps {
		clear(grad)
		missed, offset := 0.0, bias-floats.Dot(weights, mean)
		for _, e := range list {
			miss := chance(e.Odds + offset + floats.Dot(weights, e.X))
			if e.Violation {
				miss--
			}
			floats.AddScaled(grad, miss/n, e.X)
			missed += miss / n
		}
		floats.AddScaled(grad, -missed, mean)
		floats.AddScaled(grad, hold/n, weights)
		floats.Scale(momentum, before)
		floats.AddScaled(before, -rate, grad)
		floats.Add(weights, before)
		biasBefore = momentum*biasBefore - rate*missed
		bias += biasBefore
	}
	h := Head{Bias: bias - floats.Dot(weights, mean), Weights: make([]float32, width)}
	for k, w := range weights {
		h.Weights[k] = float32(w)
	}
	return h
}

func chance(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
