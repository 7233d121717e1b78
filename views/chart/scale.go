package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"preceptor/views/ui"
)

// Unit is what a value means and how it is written.
type Unit string

// The units. A Percent is a share from 0 to 1, a Score is from 0 to 10, a Stars from 1 to 5, a Length is in seconds.
// Points are a difference of two shares, -1 to 1, written in percentage points with its sign.
const (
	Percent Unit = "percent"
	Number  Unit = "number"
	Score   Unit = "score"
	Stars   Unit = "stars"
	Length  Unit = "length"
	Points  Unit = "points"
)

// Text writes a value for people.
func (u Unit) Text(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	switch u {
	case Percent:
		return strconv.Itoa(int(math.Round(v*100))) + "%"
	case Score, Stars:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case Length:
		return Span(time.Duration(v * float64(time.Second)))
	case Points:
		return signed(v)
	default:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return ui.Thousands(int(v))
		}
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
}

// Raw writes a value for other programs: shares with four decimals, times in seconds.
func (u Unit) Raw(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	switch u {
	case Percent, Points:
		return strconv.FormatFloat(v, 'f', 4, 64)
	case Score, Stars:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case Length:
		return strconv.FormatFloat(v, 'f', 0, 64)
	default:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
}

// signed writes a difference of shares in points, with its sign.
func signed(v float64) string {
	switch v = math.Round(v * 1000); {
	case v == 0:
		return "0.0"
	case v > 0:
		return fmt.Sprintf("+%.1f", v/10)
	}
	return fmt.Sprintf("−%.1f", -v/10)
}

// around is an axis that is symmetric about nought.
func around(reach float64, label func(float64) string) Axis {
	reach = max(tame(reach), 1e-6)
	a := Axis{Min: -reach, Max: reach}
	for k := range 5 {
		a.Ticks = append(a.Ticks, Tick{At: float64(k) / 4, Label: label(reach * float64(k-2) / 2)})
	}
	return a
}

// most is the end of the unit's range; 0 when it has none. All units begin at 0.
func (u Unit) most() float64 {
	switch u {
	case Percent:
		return 1
	case Score:
		return 10
	case Stars:
		return 5
	}
	return 0
}

// least is the smallest range that an axis shows, so that noise of a point or two does not fill the picture.
func (u Unit) least() float64 {
	switch u {
	case Percent:
		return 0.4
	case Score:
		return 4
	case Stars:
		return 2
	case Length:
		return 60
	}
	return 4
}

// Span is a length of time in two units at most.
func Span(d time.Duration) string {
	switch {
	case d < 0:
		return "–"
	case d < 2*time.Minute:
		return strconv.Itoa(int(d.Seconds())) + "\u00a0s"
	case d < 10*time.Minute && d%time.Minute >= time.Second:
		return fmt.Sprintf("%d\u00a0min %d\u00a0s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Minutes())) + "\u00a0min"
	case d < 48*time.Hour:
		if m := int(d.Minutes()) % 60; m != 0 {
			return fmt.Sprintf("%d\u00a0h %d\u00a0min", int(d.Hours()), m)
		}
		return strconv.Itoa(int(d.Hours())) + "\u00a0h"
	case d < 10*24*time.Hour && d%(24*time.Hour) >= time.Hour:
		return fmt.Sprintf("%d\u00a0days %d\u00a0h", int(d.Hours()/24), int(d.Hours())%24)
	default:
		return strconv.Itoa(int(d.Hours()/24)) + "\u00a0days"
	}
}

// Axis is a range of values with the ticks that are drawn.
type Axis struct {
	Min, Max float64
	Ticks    []Tick
	log      bool
}

// Tick is a line of the grid: its place from 0 to 1, and what it says.
type Tick struct {
	At    float64
	Label string
}

// At is the place of a value on the axis, from 0 to 1; values beyond its ends are at them.
func (a Axis) At(v float64) float64 {
	lo, hi := a.Min, a.Max
	if a.log {
		v, lo, hi = math.Log10(max(v, a.Min)), math.Log10(lo), math.Log10(hi)
	}
	p := (v - lo) / (hi - lo)
	if math.IsNaN(p) {
		return 0
	}
	return min(1, max(0, p))
}

// far is beyond what any figure of ours can be; an axis is kept within it, so that steps stay exact enough.
const far = 1e12

// tame makes a number of anything.
func tame(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(far, max(-far, v))
}

// Scale is an axis in round steps that holds lo and hi, with about want ticks: two at least and want+3 at most.
func Scale(lo, hi float64, want int, label func(float64) string) Axis {
	lo, hi = tame(lo), tame(hi)
	if lo > hi {
		lo, hi = hi, lo
	}
	if least := max(math.Abs(lo), math.Abs(hi)) * 1e-6; hi-lo <= least || hi-lo < 1e-9 {
		hi = lo + max(1, least*10)
	}
	step := niceStep((hi - lo) / float64(max(1, want)))
	from, to := math.Floor(lo/step+1e-9), math.Ceil(hi/step-1e-9)
	if to <= from {
		to = from + 1
	}
	a := Axis{Min: from * step, Max: to * step}
	for k := from; k <= to; k++ {
		a.Ticks = append(a.Ticks, Tick{At: (k - from) / (to - from), Label: label(k * step)})
	}
	return a
}

// niceStep is the smallest of 1, 2, 5 times a power of ten that is not below v; v is above 0.
func niceStep(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 2, 5} {
		if f*p >= v*(1-1e-9) {
			return f * p
		}
	}
	return 10 * p
}

// Axis is the vertical axis for values of the unit between lo and hi.
func (u Unit) Axis(lo, hi float64, whole bool) Axis {
	lo, hi = tame(lo), tame(hi)
	if lo > hi {
		lo, hi = hi, lo
	}
	most, want := u.most(), 4
	if u == Stars {
		want = 5 // in steps of one, which end at five
	}
	if whole && most > 0 {
		return Scale(0, most, want, u.Text)
	}
	if most == 0 { // counts and lengths begin at nothing
		lo = min(lo, 0)
		hi = max(hi, lo+u.least())
		if u == Length {
			return lengths(lo, hi)
		}
		return Scale(lo, hi, 4, u.Text)
	}
	lo, hi = min(max(lo, 0), most), min(max(hi, 0), most)
	if short := u.least() - (hi - lo); short > 0 {
		lo, hi = lo-short/2, hi+short/2
		lo, hi = lo-max(0, hi-most), hi+max(0, -lo)
	}
	return Scale(max(0, lo), min(most, hi), want, u.Text)
}

// steps of a clock, in seconds.
var clock = []float64{15, 30, 60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 4 * 3600, 6 * 3600, 12 * 3600, 86400,
	2 * 86400, 5 * 86400, 7 * 86400, 14 * 86400}

// lengths is an axis in steps that a clock has.
func lengths(lo, hi float64) Axis {
	for _, step := range clock {
		if (hi-lo)/step <= 5 {
			from, to := math.Floor(lo/step), math.Ceil(hi/step)
			a := Axis{Min: from * step, Max: to * step}
			for k := from; k <= to; k++ {
				a.Ticks = append(a.Ticks, Tick{At: (k - from) / (to - from), Label: Length.Text(k * step)})
			}
			return a
		}
	}
	return Scale(lo/86400, hi/86400, 4, func(v float64) string { return Length.Text(v * 86400) }).times(86400)
}

func (a Axis) times(f float64) Axis {
	a.Min, a.Max = a.Min*f, a.Max*f
	return a
}

// Decades is a logarithmic axis of counts that holds lo and hi, with a tick at each power of ten.
func Decades(lo, hi float64) Axis {
	lo, hi = max(1, tame(lo)), max(1, tame(hi))
	if lo > hi {
		lo, hi = hi, lo
	}
	from, to := math.Floor(math.Log10(lo)+1e-9), math.Ceil(math.Log10(hi)-1e-9)
	if to <= from {
		to = from + 1
	}
	a := Axis{Min: math.Pow(10, from), Max: math.Pow(10, to), log: true}
	every := max(1, math.Ceil((to-from)/5))
	for k := from; k <= to; k += every {
		a.Ticks = append(a.Ticks, Tick{At: (k - from) / (to - from), Label: Number.Text(math.Pow(10, k))})
	}
	if to-from <= 2 { // two decades have room for more figures
		for k := from; k < to; k++ {
			for _, m := range []float64{2, 5} {
				a.Ticks = append(a.Ticks,
					Tick{At: (k + math.Log10(m) - from) / (to - from), Label: Number.Text(m * math.Pow(10, k))})
			}
		}
		slices.SortFunc(a.Ticks, func(x, y Tick) int { return cmp.Compare(x.At, y.At) })
	}
	return a
}

// minor are the places of 2 to 9 times each power of ten of a logarithmic axis, within it.
func (a Axis) minor() (out []float64) {
	if !a.log || a.Max/a.Min > 1e6 {
		return nil
	}
	for decade := a.Min; decade < a.Max; decade *= 10 {
		for k := 2.0; k < 10; k++ {
			out = append(out, a.At(k*decade))
		}
	}
	return out
}

// dateTicks are the slots of a time axis that are named: four at most, the last among them.
func dateTicks(short []string) []Tick {
	n := len(short)
	if n == 0 {
		return nil
	}
	every := max(1, (n+3)/4)
	var out []Tick
	for i := n - 1; i >= 0; i -= every {
		out = append(out, Tick{At: slotAt(i, n), Label: short[i]})
	}
	return out
}

// slotAt is the middle of slot i of n.
func slotAt(i, n int) float64 { return (float64(i) + 0.5) / float64(max(1, n)) }
