package credit

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func drawCell(t *rapid.T) cell {
	c := cell{shown: rapid.IntRange(0, 200).Draw(t, "shown"),
		typical: rapid.Float64Range(0.05, 0.99).Draw(t, "typical")}
	c.approved = rapid.IntRange(0, c.shown).Draw(t, "approved")
	rest := rapid.IntRange(0, 500).Draw(t, "rest")
	c.decided, c.passed = c.shown+rest, c.approved+rapid.IntRange(0, rest).Draw(t, "passed")
	c.others = float64(c.shown) * rapid.Float64Range(-0.3, 0.3).Draw(t, "others")
	return c
}

// An approval more never lowers an effect, the interval holds it, and one tick more never raises it.
func TestEstimateIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCell(t)
		q := quality{hit: rapid.Float64Range(0.01, 0.99).Draw(t, "hit"),
			false: rapid.Float64Range(0.01, 0.99).Draw(t, "false"), trust: 1}
		if q.hit < q.false {
			q.trust = 0
		}
		a := asked{times: rapid.IntRange(1, 30).Draw(t, "times"), quality: q}
		a.ticked = rapid.IntRange(0, a.times-1).Draw(t, "ticked")
		e := estimate([]cell{c}, []asked{a})
		if math.IsNaN(e.Effect) || e.Low > e.Effect || e.High < e.Effect || e.sd <= 0 || e.sd > effectSD+1e-9 {
			t.Fatalf("%+v", e)
		}
		more := a
		more.ticked++
		if got := estimate([]cell{c}, []asked{more}); got.Ticks < e.Ticks-1e-9 {
			t.Fatalf("a tick more: %v then %v", e.Ticks, got.Ticks)
		}
		if c.approved < c.shown {
			better := c
			better.approved, better.passed = c.approved+1, c.passed+1
			if got := estimate([]cell{better}, []asked{a}); got.Effect < e.Effect-1e-9 {
				t.Fatalf("an approval more: %v then %v", e.Effect, got.Effect)
			}
		}
	})
}

// What ticks say of harm against none is the same whether it is read as a ratio or as an observation.
func TestTickEvidenceKeepsItsRatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratio := rapid.Float64Range(-20, 20).Draw(t, "ratio")
		w, s := tickEvidence(ratio)
		if got := -tickHarm*s - tickHarm*tickHarm*w/2; math.Abs(got-ratio) > 1e-9 {
			t.Fatalf("%v became %v", ratio, got)
		}
	})
}

func TestQuality(t *testing.T) {
	none := qualityOf(counter{}, counter{})
	if none.trust != 0 {
		t.Errorf("unmeasured ticks weigh %v", none.trust)
	}
	all := counter{hits: 30, misleading: 50, falses: 8, harmless: 150}
	good := qualityOf(all, all)
	if good.trust < 0.9 || math.Abs(good.hit-0.59) > 0.03 || math.Abs(good.false-0.06) > 0.02 {
		t.Errorf("good ticks: %+v", good)
	}
	if bad := qualityOf(counter{hits: 1, misleading: 30, falses: 20, harmless: 90}, all); bad.trust != 0 {
		t.Errorf("somebody who ticks the wrong ones among people who tick well: %+v", bad)
	}
	if sloppy := qualityOf(counter{hits: 1, misleading: 5, falses: 2, harmless: 15},
		counter{hits: 1, misleading: 5, falses: 2, harmless: 15}); sloppy.trust > 0.1 {
		t.Errorf("sloppy ticks, little measured: %+v", sloppy)
	}
}
