package measure_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/compliance/measure"
	"preceptor/internal/platform/fault"
)

// labelled draws scores with ties, with violations and others among them.
func labelled(t *rapid.T) []measure.Scored {
	list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) measure.Scored {
		return measure.Scored{Score: float64(rapid.IntRange(-20, 40).Draw(t, "score")) / 20,
			Violation: rapid.Bool().Draw(t, "violation")}
	}), 0, 40).Draw(t, "scored")
	return append(list, measure.Scored{Score: rapid.Float64Range(0, 1).Draw(t, "a violation"), Violation: true},
		measure.Scored{Score: rapid.Float64Range(0, 1).Draw(t, "and one that is none")})
}

func fit(t *rapid.T, method string, list []measure.Scored) measure.Calibration {
	c, err := measure.Fit(method, list)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCalibrationIsMonotoneAndBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fit(t, rapid.SampledFrom([]string{measure.Isotonic, measure.Platt}).Draw(t, "method"), labelled(t))
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		if a > b {
			a, b = b, a
		}
		x, y := c.Apply(a), c.Apply(b)
		if !(0 <= x && x <= y && y <= 1) {
			t.Errorf("%v gives %v, %v gives %v: %+v", a, x, b, y, c)
		}
		for _, s := range []float64{math.Inf(-1), math.Inf(1), math.NaN()} {
			if p := c.Apply(s); !(p >= 0 && p <= 1) {
				t.Errorf("%v gives %v", s, p)
			}
		}
	})
}

func TestIsotonicKeepsTheMeanAndIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := labelled(t)
		c := fit(t, measure.Isotonic, list)
		var said, seen float64
		again := make([]measure.Scored, len(list))
		for i, s := range list {
			again[i] = measure.Scored{Score: c.Apply(s.Score), Violation: s.Violation}
			said += again[i].Score
			if s.Violation {
				seen++
			}
		}
		if !near(said, seen, 1e-9) {
			t.Errorf("the probabilities add up to %v, and there are %v violations", said, seen)
		}
		d := fit(t, measure.Isotonic, again)
		for _, s := range again {
			if !near(d.Apply(s.Score), s.Score, 1e-12) {
				t.Errorf("calibrated again, %v becomes %v", s.Score, d.Apply(s.Score))
			}
		}
	})
}

// Pooling must give the best monotone fit: no monotone step curve over the same points has a smaller squared distance.
func TestIsotonicIsTheBestMonotoneFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := labelled(t)
		c := fit(t, measure.Isotonic, list)
		cut := rapid.Float64Range(-1, 2).Draw(t, "cut")
		low := rapid.Float64Range(0, 1).Draw(t, "below")
		high := rapid.Float64Range(low, 1).Draw(t, "above")
		var ours, theirs float64
		for _, s := range list {
			truth, p := 0.0, low
			if s.Violation {
				truth = 1
			}
			if s.Score > cut {
				p = high
			}
			ours += (c.Apply(s.Score) - truth) * (c.Apply(s.Score) - truth)
			theirs += (p - truth) * (p - truth)
		}
		if ours > theirs+1e-9 {
			t.Errorf("a step at %v does better: %v against %v", cut, theirs, ours)
		}
	})
}

func TestCalibrationDoesNotDependOnTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := labelled(t)
		other := rapid.Permutation(list).Draw(t, "shuffled")
		a, b := fit(t, measure.Isotonic, list), fit(t, measure.Isotonic, other)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%+v\n%+v", a, b)
		}
		p, q := fit(t, measure.Platt, list), fit(t, measure.Platt, other)
		if x := list[0].Score; !near(p.Apply(x), q.Apply(x), 1e-6) {
			t.Errorf("%+v\n%+v", p, q)
		}
	})
}

func TestCalibrationSurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := fit(t, rapid.SampledFrom([]string{measure.Isotonic, measure.Platt}).Draw(t, "method"), labelled(t))
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var d measure.Calibration
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(c, d) {
			t.Errorf("%+v became %+v", c, d)
		}
	})
}

// Platt finds the curve that the truth was drawn from, and is flat where scores point the wrong way.
func TestPlatt(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var list, wrong []measure.Scored
	for range 20_000 {
		x := rng.Float64()*4 - 2
		violation := rng.Float64() < 1/(1+math.Exp(-(3*x-1)))
		list, wrong = append(list, measure.Scored{Score: x, Violation: violation}),
			append(wrong, measure.Scored{Score: -x, Violation: violation})
	}
	c, err := measure.Fit(measure.Platt, list)
	if err != nil || !near(c.Slope, 3, 0.15) || !near(c.Offset, -1, 0.1) {
		t.Errorf("%+v, %v", c, err)
	}
	flat, err := measure.Fit(measure.Platt, wrong)
	if err != nil || flat.Slope != 0 || !near(flat.Apply(0), float64(flat.Violations)/float64(flat.Items), 1e-3) {
		t.Errorf("%+v, %v", flat, err)
	}
	if honest := measure.NewReliability(applied(c, list)); honest.ECE.Value > 0.02 {
		t.Errorf("calibrated, and still off by %v", honest.ECE)
	}
}

func applied(c measure.Calibration, list []measure.Scored) []measure.Scored {
	out := make([]measure.Scored, len(list))
	for i, s := range list {
		out[i] = measure.Scored{Score: c.Apply(s.Score), Violation: s.Violation}
	}
	return out
}

func TestCalibrationRefuses(t *testing.T) {
	good := []measure.Scored{{0.1, false}, {0.9, true}}
	for name, f := range map[string]func() error{
		"no violations":     func() error { _, err := measure.Fit(measure.Isotonic, good[:1]); return err },
		"violations alone":  func() error { _, err := measure.Fit(measure.Platt, good[1:]); return err },
		"an unknown method": func() error { _, err := measure.Fit("magic", good); return err },
		"no number": func() error {
			_, err := measure.Fit(measure.Platt, append(good, measure.Scored{Score: math.NaN()}))
			return err
		},
	} {
		if err := f(); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []measure.Calibration{{}, {Method: measure.Isotonic}, {Method: measure.Platt, Slope: -1},
		{Method: measure.Isotonic, X: []float64{0, 1}, Y: []float64{1, 0}},
		{Method: measure.Isotonic, X: []float64{0}, Y: []float64{2}}} {
		if c.Check() == nil {
			t.Errorf("%+v is taken for a calibration", c)
		}
	}
	if p := (measure.Calibration{}).Apply(0.1); p != 1 {
		t.Errorf("without a calibration a score is %v, and must be a violation", p)
	}
}
