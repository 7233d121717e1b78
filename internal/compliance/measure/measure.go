// Package measure is the mathematics of judging judges: how often a judge, a check or a panel misses a violation or
// raises a false alarm, how honest its probabilities are, how many independent voices a panel has, and from which score
// on people must look, with a stated risk.
//
// It is pure: no tables, no clock, no randomness but the seed it is given. Everything that is estimated from few cases
// has its exact interval, and everything that has no value says why.
//
// Words. An item is truly compliant, borderline or non-compliant; a violation is a truly non-compliant item. A missed
// violation is a violation that was passed without a person looking at it; the missed-violation rate is among
// violations. A false alarm is a truly compliant item that was not passed; the rate is among truly compliant items.
// Borderline items are in neither rate: they are in the confusion matrix. A score is the probability of a violation, 0
// to 1.
//
// What it promises.
//   - Binomial intervals are exact (Clopper and Pearson 1934): they hold at least as often as they say.
//   - Calibration is monotone, between 0 and 1, and the same after it was written and read.
//   - A threshold that Certify gives keeps its promise under the one assumption that calibration and later items come
//     from the same source in random order. Where the violations are too few, nothing is certified and everything is
//     escalated.
//
// Decided against: normal approximations (they are worst where it matters, at no misses); a threshold picked for the
// best share on the same items it is judged by; and averaging rates over resplits into one figure without its spread.
package measure

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Confidence is what intervals hold with when nothing else is asked.
const Confidence = 0.95

// Rate is Part of Whole, with its exact 95 % intervals. With Whole 0 nothing is known: Low is 0, High and Upper are 1.
type Rate struct {
	Part  int     `json:"part"`
	Whole int     `json:"whole"`
	Low   float64 `json:"low"`   // two-sided
	High  float64 `json:"high"`  // two-sided
	Upper float64 `json:"upper"` // one-sided: the rate is no more than this
}

// NewRate is k of n.
func NewRate(k, n int) Rate {
	r := Rate{Part: k, Whole: n, Upper: UpperBound(k, n, Confidence)}
	r.Low, r.High = Bounds(k, n, Confidence)
	return r
}

// Value is the share; not ok when there is nothing to divide by.
func (r Rate) Value() (share float64, ok bool) {
	if r.Whole == 0 {
		return 0, false
	}
	return float64(r.Part) / float64(r.Whole), true
}

// Bounds are the two-sided Clopper-Pearson interval of k of n.
func Bounds(k, n int, confidence float64) (low, high float64) {
	tail := (1 + confidence) / 2
	return LowerBound(k, n, tail), UpperBound(k, n, tail)
}

// UpperBound is the one-sided Clopper-Pearson bound: the largest rate at which k or fewer of n still happen with
// probability 1-confidence.
func UpperBound(k, n int, confidence float64) float64 {
	switch {
	case k >= n:
		return 1
	case k == 0: // in closed form, for the last digit
		return -math.Expm1(math.Log1p(-confidence) / float64(n))
	}
	return mathext.InvRegIncBeta(float64(k+1), float64(n-k), confidence)
}

// LowerBound is the same from below.
func LowerBound(k, n int, confidence float64) float64 {
	if k <= 0 {
		return 0
	}
	return 1 - UpperBound(n-k, n, confidence)
}

// AtMost is the probability of k or fewer successes in n trials of probability p.
func AtMost(k, n int, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n || p <= 0:
		return 1
	case p >= 1:
		return 0
	case k == 0:
		return math.Exp(float64(n) * math.Log1p(-p))
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}

// CleanNeeded is how many violations without one missed it takes to claim, with this confidence, that no more than rate
// are missed: 59 for 5 % at 95 %.
func CleanNeeded(rate, confidence float64) int {
	if rate >= 1 {
		return 0
	}
	if rate <= 0 {
		return math.MaxInt
	}
	return int(math.Ceil(math.Log1p(-confidence)/math.Log1p(-rate) - 1e-9))
}

// Figure is a number that may be undefined.
type Figure struct {
	Value     float64 `json:"value"`
	Undefined string  `json:"undefined,omitempty"` // why, for a person; Value is then 0
}

// Defined reports whether there is a value.
func (f Figure) Defined() bool { return f.Undefined == "" }

// share is part of whole, or why not.
func share(part, whole float64, why string) Figure {
	if whole == 0 {
		return Figure{Undefined: why}
	}
	return Figure{Value: part / whole}
}
