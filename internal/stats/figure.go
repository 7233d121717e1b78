package stats

import (
	"math"
	"time"

	"preceptor/internal/platform/estimate"
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

// Figure is one number of a page. Without Known there is no data, and nothing else of it may be shown; a count of
// nothing is known and 0.
type Figure struct {
	Key       string // names it in addresses, CSV columns and Rows: "review.approved"
	Unit      Unit
	Known     bool
	Value     float64
	Part, N   int     // of a share: Part of N; otherwise N is how many were measured
	Low, High float64 // the 95% interval; both Value where there is none. Wilson's; of means from two values on
	About     bool    // within 2.5 %, from sums: there are too many rows to read
	Before    *Figure // of the period before; nil when it was not asked for
}

// Interval reports whether Low and High say more than Value.
func (f Figure) Interval() bool { return f.Known && f.Low != f.High }

// Change is the value less that of the period before; ok is false where either is unknown, or where the period before
// has too few.
func (f Figure) Change() (by float64, ok bool) {
	if f.Before == nil || !f.Known || !f.Before.Known || f.Before.N < estimate.Few {
		return 0, false
	}
	return f.Value - f.Before.Value, true
}

// Earlier is the value of the period before, or what pages, files and reports say instead of it: that there is none, or
// that it has too few to compare. A count is its own n.
func (f Figure) Earlier() (v float64, instead string) {
	b := f.Before
	if b == nil || !b.Known {
		return 0, "no data"
	}
	if f.Unit == Count {
		return b.Value, ""
	}
	return b.Value, estimate.TooFew(b.N)
}

// Sure reports whether the change is more than chance, of claims such changes that a page may name.
func (f Figure) Sure(claims int) bool {
	by, ok := f.Change()
	if !ok || f.N < estimate.Few {
		return false
	}
	level := 10 * estimate.Claim / float64(claims)
	if f.isShare() && f.Before.isShare() {
		return estimate.Differ(f.Part, f.N, f.Before.Part, f.Before.N) <= level
	}
	far := math.Hypot(f.Value-f.Low, f.Before.High-f.Before.Value)
	if by < 0 {
		far = math.Hypot(f.High-f.Value, f.Before.Value-f.Before.Low)
	}
	return far > 0 && math.Erfc(math.Abs(by)/far*estimate.Z95/math.Sqrt2) <= level
}

// isShare tells a part of a whole from a mean of values from 0 to 1.
func (f Figure) isShare() bool { return f.Unit == Ratio && (f.Part > 0 || f.Value == 0) }

// ShareOf is the figure of a part of a whole, with its Wilson interval.
func ShareOf(key string, part, whole int) Figure {
	s := estimate.Of(part, whole)
	return Figure{Key: key, Unit: Ratio, Known: whole > 0, Value: s.Value(), Part: part, N: whole, Low: s.Low,
		High: s.High}
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

// MeanOf is the figure of a mean, with its interval, from the sum and the sum of squares.
func MeanOf(key string, unit Unit, n int, sum, squares float64) Figure {
	f := measured(key, unit, 0, n)
	scale := map[Unit][2]float64{Ratio: {0, 1}, Score10: {0, 10}, Score5: {1, 5}}[unit]
	f.Value, f.Low, f.High = estimate.Mean(n, sum, squares, scale[0], scale[1])
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

// Apart says which shares differ significantly from all others together: -1 for lower, 1 for higher, else 0.
func Apart(list []Slice) []int {
	part, whole := 0, 0
	for _, s := range list {
		part, whole = part+s.Figure.Part, whole+s.Figure.N
	}
	ps, out := make([]float64, len(list)), make([]int, len(list))
	for i, s := range list {
		ps[i] = estimate.Differ(s.Figure.Part, s.Figure.N, part-s.Figure.Part, whole-s.Figure.N)
	}
	for i, sure := range estimate.Holm(ps) {
		switch f := list[i].Figure; {
		case sure && f.Part*(whole-f.N) < (part-f.Part)*f.N:
			out[i] = -1
		case sure:
			out[i] = 1
		}
	}
	return out
}
