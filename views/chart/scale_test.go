package chart

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var units = []Unit{Percent, Number, Score, Stars, Length}

// check holds an axis to what every axis promises.
func check(t interface{ Fatalf(string, ...any) }, a Axis, lo, hi float64, what string) {
	if len(a.Ticks) < 2 || len(a.Ticks) > 8 {
		t.Fatalf("%s of %v to %v has %d ticks", what, lo, hi, len(a.Ticks))
	}
	if math.IsNaN(a.Min) || math.IsNaN(a.Max) || math.IsInf(a.Min, 0) || math.IsInf(a.Max, 0) || a.Min >= a.Max {
		t.Fatalf("%s of %v to %v reaches from %v to %v", what, lo, hi, a.Min, a.Max)
	}
	before := -1.0
	seen := map[string]bool{}
	for _, tick := range a.Ticks {
		if math.IsNaN(tick.At) || tick.At < 0 || tick.At > 1 || tick.At <= before {
			t.Fatalf("%s of %v to %v: ticks %+v", what, lo, hi, a.Ticks)
		}
		if tick.Label == "" || strings.Contains(tick.Label, "NaN") || strings.Contains(tick.Label, "Inf") {
			t.Fatalf("%s of %v to %v: a tick says %q", what, lo, hi, tick.Label)
		}
		before = tick.At
		seen[tick.Label] = true
	}
	for _, v := range []float64{lo, hi, a.Min, a.Max, math.NaN(), math.Inf(1), math.Inf(-1), 0} {
		if p := a.At(v); math.IsNaN(p) || p < 0 || p > 1 {
			t.Fatalf("%s of %v to %v puts %v at %v", what, lo, hi, v, p)
		}
	}
}

// anything is a number as it may come out of a division.
func anything() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1, 2), rapid.Float64Range(0, 1e6),
		rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64,
			math.MaxFloat64, -math.MaxFloat64, 1e-300}))
}

func TestEveryAxisIsOfNumbersWithTicksInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo, hi := anything().Draw(t, "lo"), anything().Draw(t, "hi")
		check(t, Scale(lo, hi, rapid.IntRange(2, 5).Draw(t, "want"), func(v float64) string { return Number.Text(v) }),
			lo, hi, "scale")
		check(t, Decades(lo, hi), lo, hi, "decades")
		u := rapid.SampledFrom(units).Draw(t, "unit")
		check(t, u.Axis(lo, hi, rapid.Bool().Draw(t, "whole")), lo, hi, string(u))
	})
}

func TestAnAxisHoldsItsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.SampledFrom(units).Draw(t, "unit")
		most := u.most()
		if most == 0 {
			most = 1e9
		}
		lo, hi := rapid.Float64Range(0, most).Draw(t, "lo"), rapid.Float64Range(0, most).Draw(t, "hi")
		if lo > hi {
			lo, hi = hi, lo
		}
		a := u.Axis(lo, hi, false)
		if a.Min > lo+1e-9*most || a.Max < hi-1e-9*most {
			t.Fatalf("%s: %v to %v does not hold %v to %v", u, a.Min, a.Max, lo, hi)
		}
		if m := u.most(); m > 0 && (a.Min < -1e-9 || a.Max > m+1e-9) {
			t.Fatalf("%s: the axis from %v to %v leaves the unit's range", u, a.Min, a.Max)
		}
		labels := map[string]bool{}
		for _, tick := range a.Ticks {
			if labels[tick.Label] {
				t.Fatalf("%s: two ticks say %q: %+v", u, tick.Label, a.Ticks)
			}
			labels[tick.Label] = true
		}
	})
}

func FuzzScale(f *testing.F) {
	f.Add(0.0, 1.0)
	f.Add(0.1, 0.1)
	f.Add(math.MaxFloat64, -1.0)
	f.Fuzz(func(t *testing.T, lo, hi float64) {
		check(t, Scale(lo, hi, 4, func(v float64) string { return Number.Text(v) }), lo, hi, "scale")
		check(t, Decades(lo, hi), lo, hi, "decades")
		for _, u := range units {
			check(t, u.Axis(lo, hi, false), lo, hi, string(u))
		}
	})
}

func TestDateTicksAreFewAndHoldTheLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		short := rapid.SliceOfN(rapid.StringN(1, 5, 8), 1, 400).Draw(t, "days")
		ticks := dateTicks(short)
		if len(ticks) < 1 || len(ticks) > 4 || ticks[0].Label != short[len(short)-1] {
			t.Fatalf("%d ticks of %d, the last %q", len(ticks), len(short), ticks[0].Label)
		}
		for _, tick := range ticks {
			if tick.At < 0 || tick.At > 1 {
				t.Fatalf("a tick at %v", tick.At)
			}
		}
	})
}

func TestUnitsAreWrittenAsPeopleReadThem(t *testing.T) {
	for _, c := range []struct {
		unit      Unit
		v         float64
		text, raw string
	}{
		{Percent, 0.956, "96%", "0.9560"}, {Number, 1250, "1,250", "1250"}, {Score, 7.25, "7.2", "7.25"},
		{Length, 95, "95\u00a0s", "95"}, {Length, 4 * 3600, "4\u00a0h", "14400"},
		{Length, 5*3600 + 600, "5\u00a0h 10\u00a0min", "18600"}, {Length, 300 * 86400, "300\u00a0days", "25920000"},
		{Percent, math.NaN(), "–", ""}, {Number, math.Inf(1), "–", ""},
	} {
		if got := c.unit.Text(c.v); got != c.text {
			t.Errorf("%s of %v reads %q, want %q", c.unit, c.v, got, c.text)
		}
		if got := c.unit.Raw(c.v); got != c.raw {
			t.Errorf("%s of %v is written %q, want %q", c.unit, c.v, got, c.raw)
		}
	}
	if got := Interval(Percent, 0.72, 0.91); got != "72–91%" {
		t.Errorf("interval %q", got)
	}
}
