package stats

import (
	"time"

	"preceptor/internal/estimate"
)

// Unit says how a value is read.
type Unit string

// The units.
const (
	Ratio   Unit = "share"   // 0 to 1, shown as per cent
	Count   Unit = "count"   // how many
	Seconds Unit = "seconds" // a duration
	Score10 Unit = "of 10"   // 0 to 10
	Score5  Unit = "of 5"    // 1 to 5
)

// Figure is one number of a page. Without Known there is no data, and nothing else of it may be shown; a count of nothing is known and 0.
type Figure struct {
	Key       string // names it in addresses, CSV columns and Rows: "review.approved"
	Unit      Unit
	Known     bool
	Value     float64
	Part, N   int     // of a share: Part of N; otherwise N is how many were measured
	Low, High float64 // the 95% interval; both Value where there is none. Shares: Wilson. Means: normal, from two values on
	Before    *Figure // of the period before; nil when it was not asked for
}

// Interval tells whether Low and High say more than Value.
func (f Figure) Interval() bool { return f.Known && f.Low != f.High }

// fewBefore is below how many in the period before nothing is compared with it.
const fewBefore = 30

// Change is the value less that of the period before; ok is false where either is unknown, or where the period before has too few.
func (f Figure) Change() (by float64, ok bool) {
	if f.Before == nil || !f.Known || !f.Before.Known || f.Before.N < fewBefore {
		return 0, false
	}
	return f.Value - f.Before.Value, true
}

// Sure tells whether the interval of the period before and this one's have nothing in common: the change is more than chance.
func (f Figure) Sure() bool {
	_, ok := f.Change()
	return ok && (f.Interval() || f.Before.Interval()) && (f.Low > f.Before.High || f.High < f.Before.Low)
}

// ShareOf is the figure of a part of a whole, with its Wilson interval.
func ShareOf(key string, part, whole int) Figure {
	s := estimate.Of(part, whole)
	return Figure{Key: key, Unit: Ratio, Known: whole > 0, Value: s.Value(), Part: part, N: whole, Low: s.Low, High: s.High}
}

// counting is the figure of a number of things.
func counting(key string, n int) Figure {
	return Figure{Key: key, Unit: Count, Known: true, Value: float64(n), N: n, Low: float64(n), High: float64(n)}
}

// measured is a figure that is neither a share nor a count.
func measured(key string, unit Unit, value float64, n int) Figure {
	if n == 0 {
		return Figure{Key: key, Unit: unit}
	}
	return Figure{Key: key, Unit: unit, Known: true, Value: value, N: n, Low: value, High: value}
}

// MeanOf is the figure of a mean, with its normal interval, from the sum and the sum of squares.
func MeanOf(key string, unit Unit, n int, sum, squares float64) Figure {
	f := measured(key, unit, 0, n)
	f.Value, f.Low, f.High = estimate.Mean(n, sum, squares)
	return f
}

// Point is one figure of a span of local days.
type Point struct {
	From, To time.Time // local midnights; To is not in it
	Figure
}

// Series is a figure over time, a point for every span of the range, also for those without data.
type Series struct {
	Key    string
	Name   string // "" when it is the only one
	Unit   Unit
	Step   Step
	Points []Point // oldest first
}

// Slice is a figure of one part of the whole: one agent, topic, label, judge.
type Slice struct {
	Key, Name string // Key is what a filter takes
	Figure    Figure
	Volume    int // of everything in the slice: votes, decisions
}

// Beside is the 95% interval of a share less another, of part of whole.
func (f Figure) Beside(part, whole int) (low, high float64) {
	return estimate.Difference(f.Part, f.N, part, whole, estimate.Z95)
}
