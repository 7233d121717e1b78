package measure_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/compliance/measure"
)

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

// FiftyNine is the number that the rubric of the whole project rests on: so many violations, none of them missed, show
// that no more than 5 % are.
func TestFiftyNineViolationsAreNeeded(t *testing.T) {
	if n := measure.CleanNeeded(0.05, 0.95); n != 59 {
		t.Errorf("%d are needed, want 59", n)
	}
	if up := measure.NewRate(0, 59).Upper; up > 0.05 {
		t.Errorf("0 of 59 leaves %v", up)
	}
	if up := measure.NewRate(0, 58).Upper; up <= 0.05 {
		t.Errorf("0 of 58 leaves no more than %v", up)
	}
	if up := measure.NewRate(1, 59).Upper; up <= 0.05 {
		t.Errorf("1 of 59 leaves no more than %v", up)
	}
	for _, c := range []struct {
		rate, confidence float64
		want             int
	}{{0.1, 0.95, 29}, {0.01, 0.95, 299}, {0.05, 0.99, 90}, {0.5, 0.5, 1}, {1, 0.95, 0}} {
		if n := measure.CleanNeeded(c.rate, c.confidence); n != c.want {
			t.Errorf("for %v at %v: %d are needed, want %d", c.rate, c.confidence, n, c.want)
		}
	}
}

// Published and textbook values; the third is the example of R's binom.test, Mendel's peas.
func TestExactIntervals(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 10, 0, 0.3084971},
		{5, 10, 0.1870860, 0.8129140},
		{682, 925, 0.7076683, 0.7654066},
		{10, 10, 0.6915029, 1},
		{1, 100, 0.0002531, 0.0544594},
		{0, 0, 0, 1},
	} {
		if r := measure.NewRate(c.k, c.n); !near(r.Low, c.low, 1e-6) || !near(r.High, c.high, 1e-6) {
			t.Errorf("%d of %d: %v to %v, want %v to %v", c.k, c.n, r.Low, r.High, c.low, c.high)
		}
	}
}

// The bounds come from the inverse of a beta function; here they are put back into plain sums of binomial terms.
func TestBoundsSolveTheBinomial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		confidence := rapid.Float64Range(0.5, 0.999).Draw(t, "confidence")
		if up := measure.UpperBound(k, n, confidence); k < n && !near(atMost(k, n, up), 1-confidence, 1e-6) {
			t.Errorf("upper bound %v of %d of %d: tail %v, want %v", up, k, n, atMost(k, n, up), 1-confidence)
		}
		if low := measure.LowerBound(k, n, confidence); k > 0 && !near(1-atMost(k-1, n, low), 1-confidence, 1e-6) {
			t.Errorf("lower bound %v of %d of %d", low, k, n)
		}
	})
}

// atMost sums the terms.
func atMost(k, n int, p float64) (sum float64) {
	for i := 0; i <= k; i++ {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(i + 1))
		c, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(a - b - c + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

func TestAtMostIsTheSumOfItsTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 2000).Draw(t, "n")
		k := rapid.IntRange(-1, n+1).Draw(t, "k")
		p := rapid.Float64Range(0.001, 0.999).Draw(t, "p")
		if got, want := measure.AtMost(k, n, p), atMost(min(k, n), n, p); !near(got, want, 1e-9) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

func TestIntervalsContainThePoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 100_000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		r := measure.NewRate(k, n)
		v, ok := r.Value()
		if !(0 <= r.Low && r.Low <= r.High && r.High <= 1 && r.Upper <= r.High) || ok && (v < r.Low || v > r.Upper) {
			t.Errorf("%+v", r)
		}
	})
}

func TestConfusion(t *testing.T) {
	c := measure.NewConfusion("a", "b", "never")
	for _, x := range []struct {
		truth, said string
		n           int
	}{{"a", "a", 8}, {"a", "b", 2}, {"b", "b", 3}, {"b", "a", 1}} {
		for range x.n {
			if err := c.Add(x.truth, x.said); err != nil {
				t.Fatal(err)
			}
		}
	}
	if c.Add("a", "z") == nil || c.Add("z", "a") == nil {
		t.Error("an unknown label was counted")
	}
	s := c.Scores()
	if s[0].Found != 8 || s[0].Missed != 2 || s[0].False != 1 || s[0].Precision.Whole != 9 ||
		!near(s[0].F1.Value, 16.0/19, 1e-12) {
		t.Errorf("label a: %+v", s[0])
	}
	if s[2].F1.Defined() {
		t.Errorf("a label that never occurs has F1 %+v", s[2].F1)
	}
	if m := c.Macro(); !near(m.Value, (16.0/19+6.0/9)/2, 1e-12) {
		t.Errorf("macro %+v", m)
	}
	if m := c.Micro(); m.Part != 11 || m.Whole != 14 {
		t.Errorf("micro %+v", m)
	}
	if m := measure.NewConfusion("a").Macro(); m.Defined() {
		t.Errorf("macro of nothing: %+v", m)
	}
}

func TestIssueCodes(t *testing.T) {
	var c measure.Codes
	c.Add([]string{"A", "B"}, []string{"B", "C", "C"})
	c.Add(nil, nil)
	c.Add([]string{"A"}, []string{"A"})
	s := c.Scores()
	if s.Micro.Found != 2 || s.Micro.False != 1 || s.Micro.Missed != 1 || !near(s.Micro.F1.Value, 2.0/3, 1e-12) {
		t.Errorf("micro %+v", s.Micro)
	}
	if len(s.Codes) != 3 || s.Codes[0].Label != "A" || s.Codes[0].Missed != 1 || s.Codes[2].F1.Value != 0 ||
		!s.Codes[2].F1.Defined() {
		t.Errorf("codes %+v", s.Codes)
	}
	if none := new(measure.Codes).Scores(); none.Micro.F1.Defined() {
		t.Errorf("of nothing: %+v", none.Micro)
	}
}

func TestReliability(t *testing.T) {
	r := measure.NewReliability([]measure.Scored{{0.05, false}, {0.05, false}, {0.95, true}, {0.95, false}, {1, true},
		{math.NaN(), true}})
	if r.Bins[0].Items != 2 || r.Bins[9].Items != 3 || r.Bins[9].Observed.Part != 2 ||
		!near(r.Bins[9].Said, 2.9/3, 1e-12) {
		t.Errorf("bins %+v", r.Bins)
	}
	if want := (0.1 + 0.9) / 5; !near(r.ECE.Value, want, 1e-12) {
		t.Errorf("ECE %+v, want %v", r.ECE, want)
	}
	if want := (2*0.0025 + 0.0025 + 0.9025) / 5; !near(r.Brier.Value, want, 1e-12) {
		t.Errorf("Brier %+v, want %v", r.Brier, want)
	}
	if none := measure.NewReliability(nil); none.ECE.Defined() || none.Brier.Defined() ||
		len(none.Bins) != measure.Bins {
		t.Errorf("of nothing: %+v", none)
	}
}

func TestFiguresDoNotDependOnTheOrderOfItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.SampledFrom(measure.Labels())
		answers := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) measure.Answer {
			return measure.Answer{Truth: label.Draw(t, "truth"), Said: label.Draw(t, "said"),
				Review:    rapid.Bool().Draw(t, "review"),
				Abstained: rapid.Bool().Draw(t, "abstained"), Scored: true,
				Score: float64(rapid.IntRange(0, 64).Draw(t, "score")) / 64}
		}), 1, 30).Draw(t, "answers")
		a, err := measure.Evaluate(answers)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := measure.Evaluate(rapid.Permutation(answers).Draw(t, "shuffled"))
		if a.Missed != b.Missed || a.FalseAlarm != b.FalseAlarm || a.MacroF1 != b.MacroF1 || a.Accuracy != b.Accuracy ||
			!near(a.Reliability.ECE.Value, b.Reliability.ECE.Value, 1e-12) ||
			!near(a.Reliability.Brier.Value, b.Reliability.Brier.Value, 1e-12) {
			t.Errorf("%+v\n%+v", a, b)
		}
	})
}

func TestEvaluate(t *testing.T) {
	r, err := measure.Evaluate([]measure.Answer{
		{Truth: measure.NonCompliant, Said: measure.Compliant},                  // missed
		{Truth: measure.NonCompliant, Said: measure.Compliant, Review: true},    // a person looks
		{Truth: measure.NonCompliant, Said: measure.NonCompliant},               //
		{Truth: measure.NonCompliant, Said: measure.Compliant, Abstained: true}, // said nothing
		{Truth: measure.Compliant, Said: measure.Compliant},                     //
		{Truth: measure.Compliant, Said: measure.Borderline},                    // alarm
		{Truth: measure.Compliant, Said: measure.Compliant, Review: true},       // alarm: an expert's time
		{Truth: measure.Borderline, Said: measure.Compliant},                    // in neither rate
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Missed.Part != 1 || r.Missed.Whole != 4 || r.FalseAlarm.Part != 2 || r.FalseAlarm.Whole != 3 ||
		r.Cleared.Part != 3 || r.Abstained != 1 || r.Confusion.Items() != 7 {
		t.Errorf("%+v", r)
	}
	if _, err := measure.Evaluate([]measure.Answer{{Truth: "fine", Said: measure.Compliant}}); err == nil {
		t.Error("an unknown label is measured")
	}
}
