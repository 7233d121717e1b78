package measure_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/compliance/measure"
	"preceptor/internal/platform/fault"
)

// overlap draws n cases as a fair panel would score them: violations high, the others low, with a third of each in the
// same middle. Every family has up to three cases that resemble each other.
func overlap(rng *rand.Rand, n int) []measure.Case {
	cases := make([]measure.Case, 0, n)
	for family := 0; len(cases) < n; family++ {
		violation, lean := rng.Float64() < 0.4, rng.NormFloat64()
		for range 1 + rng.IntN(3) {
			z := 0.6*lean + 0.8*rng.NormFloat64()
			if violation {
				z += 2.2
			}
			cases = append(cases, measure.Case{Score: 1 / (1 + math.Exp(-1.5*(z-1.1))), Violation: violation,
				Family: string(rune('a'+family%26)) + strings.Repeat("x", family/26)})
		}
	}
	return cases[:n]
}

// alone is the same without families that resemble each other.
func alone(rng *rand.Rand, n int) []measure.Case {
	cases := make([]measure.Case, n)
	for i := range cases {
		z := rng.NormFloat64()
		if cases[i].Violation = rng.Float64() < 0.4; cases[i].Violation {
			z += 2.2
		}
		cases[i].Score = 1 / (1 + math.Exp(-1.5*(z-1.1)))
	}
	return cases
}

// Acceptance 7: over 1,000 random resplits the realised missed-violation rate exceeds alpha in no more than the
// promised share, and not because nothing is decided.
func TestTheRealisedRateKeepsThePromise(t *testing.T) {
	for _, n := range []int{480, 2000} {
		cases := alone(rand.New(rand.NewPCG(7, 7)), n)
		for _, aim := range []measure.Aim{{Alpha: 0.05, Delta: 0.05}, {Alpha: 0.05, Delta: 0.1},
			{Alpha: 0.1, Delta: 0.05}, {Alpha: 0.2, Delta: 0.2}} {
			got, err := measure.Resplit{Seed: 7}.Run(cases, aim)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cases, %+v: exceeded in %d, of %d allowed; certified %d; decided %.2f, missed %.3f", n, aim,
				got.Exceeded.Part, got.Allowed, got.Certified.Part, got.Decided, got.Missed)
			if got.Rounds != measure.Resplits || !got.Held() {
				t.Errorf("%d cases, %+v: %+v", n, aim, got)
			}
			if got.Certified.Part < 500 || got.Decided < 0.1 {
				t.Errorf("%d cases, %+v: the promise is kept by deciding nothing: %+v", n, aim, got)
			}
		}
	}
}

// Where families resemble each other the promise is kept with families together and one violation of each.
func TestThePromiseHoldsByFamily(t *testing.T) {
	cases := overlap(rand.New(rand.NewPCG(8, 8)), 1200)
	for _, aim := range []measure.Aim{{Alpha: 0.05, Delta: 0.05}, {Alpha: 0.1, Delta: 0.1}} {
		got, err := measure.Resplit{Seed: 3, OnePerFamily: true}.Run(cases, aim)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v: %+v", aim, got)
		if !got.Held() || got.Certified.Part < 900 {
			t.Errorf("%+v: %+v", aim, got)
		}
	}
}

// The promise of Learn then Test is on the rate in the long run, over fresh calibration splits.
func TestTheLongRunRateKeepsThePromise(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	world := alone(rng, 200_000)
	aim := measure.Aim{Alpha: 0.05, Delta: 0.1}
	broken := 0
	const rounds = 400
	for range rounds {
		threshold, err := measure.Certify(alone(rng, 600), aim)
		if err != nil {
			t.Fatal(err)
		}
		missed, all := 0, 0
		for _, c := range world[:40_000] {
			if c.Violation {
				all++
				if threshold.Clears(c.Score) {
					missed++
				}
			}
		}
		if float64(missed) > aim.Alpha*float64(all) {
			broken++
		}
	}
	if low := measure.LowerBound(broken, rounds, 0.999); low > aim.Delta {
		t.Errorf("the true rate is above alpha in %d of %d", broken, rounds)
	}
	if broken == 0 {
		t.Error("never broken: the promise is far more cautious than it has to be")
	}
}

// Without a horizon the same threshold is a promise on the long run alone: a test split exceeds alpha more often. This
// is why Resplit and whoever shows "observed misses" ask for one.
func TestALongRunPromiseIsNoPromiseOnATestSplit(t *testing.T) {
	got, err := measure.Resplit{Seed: 1, LongRun: true}.Run(alone(rand.New(rand.NewPCG(7, 7)), 2000),
		measure.Aim{Alpha: 0.1, Delta: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	if got.Held() {
		t.Errorf("held all the same, so the horizon is not needed: %+v", got)
	}
}

func TestTooFewViolationsEscalateAll(t *testing.T) {
	var cases []measure.Case
	for range 58 {
		cases = append(cases, measure.Case{Score: 1, Violation: true})
	}
	got, err := measure.Certify(cases, measure.Aim{Alpha: 0.05, Delta: 0.05})
	if err != nil || got.Certified || got.Needed != 59 || got.Violations != 58 || !strings.Contains(got.Reason, "59") ||
		got.Clears(0) {
		t.Errorf("%+v, %v", got, err)
	}
	cases = append(cases, cases[0])
	if got, _ = measure.Certify(cases, measure.Aim{Alpha: 0.05, Delta: 0.05}); !got.Certified || got.Reason != "" ||
		got.Value != measure.MostThreshold || got.Clears(0.51) {
		t.Errorf("with 59: certified %v at %v", got.Certified, got.Value)
	}
	if empty, err := measure.Certify(nil, measure.Aim{Alpha: 0.05, Delta: 0.05}); err != nil || empty.Certified ||
		empty.Reason == "" {
		t.Errorf("of nothing: %+v, %v", empty, err)
	}
	for i := range cases {
		cases[i].Score = 0
	}
	if bad, _ := measure.Certify(cases, measure.Aim{Alpha: 0.05, Delta: 0.05}); bad.Certified ||
		!strings.Contains(bad.Reason, "most cautious") {
		t.Errorf("violations that look harmless: %+v", bad)
	}
	for i := range cases {
		cases[i].Score = math.NaN()
	}
	silent, _ := measure.Certify(cases, measure.Aim{Alpha: 0.05, Delta: 0.05})
	if o := silent.Try(cases); o.Decided.Part != 0 || o.Missed.Part != 0 || o.Escalated.Part != 59 {
		t.Errorf("a judge that abstains clears: %+v", o)
	}
}

func TestATrivialSetIsNoLicence(t *testing.T) {
	var cases []measure.Case
	for i := range 240 {
		cases = append(cases, measure.Case{Score: math.NaN(), Violation: true},
			measure.Case{Score: 0.02 + float64(i%3)*0.01})
	}
	got, err := measure.Certify(cases, measure.Aim{Alpha: 0.05, Delta: 0.05})
	if err != nil || !got.Certified || got.Value > 0.0401 {
		t.Errorf("nothing above 0.04 was seen, and %v is certified, %v", got.Value, err)
	}
	cases = append(cases, measure.Case{Score: 0.99})
	if got, _ = measure.Certify(cases, measure.Aim{Alpha: 0.05, Delta: 0.05}); got.Value > measure.MostThreshold {
		t.Errorf("certified up to %v", got.Value)
	}
}

func TestTheHorizonIsNeverBolder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cases := alone(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)),
			rapid.IntRange(0, 800).Draw(t, "cases"))
		aim := measure.Aim{Alpha: rapid.Float64Range(0.02, 0.3).Draw(t, "alpha"),
			Delta: rapid.Float64Range(0.02, 0.3).Draw(t, "delta")}
		long, err := measure.Certify(cases, aim)
		if err != nil {
			t.Fatal(err)
		}
		aim.Horizon = rapid.IntRange(1, 2000).Draw(t, "horizon")
		near, _ := measure.Certify(cases, aim)
		if near.Value > long.Value || near.Needed < long.Needed {
			t.Errorf("for the next %d: %v, needing %d; in the long run: %v, needing %d", aim.Horizon, near.Value,
				near.Needed, long.Value, long.Needed)
		}
		if near.Violations < near.Needed && near.Certified {
			t.Errorf("certified with %d violations, needing %d", near.Violations, near.Needed)
		}
		for i, s := range near.Steps {
			if i > 0 && (s.P < near.Steps[i-1].P || s.Missed < near.Steps[i-1].Missed) {
				t.Errorf("a bolder step is safer: %+v after %+v", s, near.Steps[i-1])
			}
			if (s.P > aim.Delta) != (i == len(near.Steps)-1 && s.Threshold > near.Value) {
				t.Errorf("step %d of %d: %+v, kept %v", i, len(near.Steps), s, near.Value)
			}
		}
		if shuffled, _ := measure.Certify(rapid.Permutation(cases).Draw(t, "shuffled"),
			aim); shuffled.Value != near.Value {
			t.Errorf("in another order %v, not %v", shuffled.Value, near.Value)
		}
	})
}

func TestAThresholdSurvivesJSON(t *testing.T) {
	cases := alone(rand.New(rand.NewPCG(4, 4)), 500)
	threshold, err := measure.Certify(cases, measure.Aim{Alpha: 0.05, Delta: 0.05}.For(cases))
	if err != nil || !threshold.Certified || threshold.Horizon == 0 {
		t.Fatalf("%+v, %v", threshold, err)
	}
	text, err := json.Marshal(threshold)
	if err != nil {
		t.Fatal(err)
	}
	var again measure.Threshold
	if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(threshold, again) {
		t.Errorf("%v\n%+v\n%+v", err, threshold, again)
	}
}

func TestOutcome(t *testing.T) {
	threshold := measure.Threshold{Certified: true, Value: 0.5}
	o := threshold.Try([]measure.Case{{Score: 0.1}, {Score: 0.5}, {Score: 0.6}, {Score: 0.2, Violation: true},
		{Score: 0.9, Violation: true}})
	if o.Decided.Part != 3 || o.Escalated.Part != 2 || o.Missed.Part != 1 || o.Missed.Whole != 2 ||
		o.Needless.Part != 1 || o.Needless.Whole != 3 {
		t.Errorf("%+v", o)
	}
	if got, want := o.Line(0.05),
		"at most 5% missed: the panel decides 60%, people 40%; on the test split 50.0% of violations were missed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := threshold.Try(nil).Line(0.05); !strings.Contains(got, "nothing was tested") {
		t.Errorf("%q", got)
	}
}

func TestImpossibleAims(t *testing.T) {
	for _, aim := range []measure.Aim{{}, {Alpha: 1, Delta: 0.1}, {Alpha: 0.1}, {Alpha: math.NaN(), Delta: 0.1},
		{Alpha: 0.1, Delta: 0.1, Horizon: -1}} {
		if _, err := measure.Certify(nil, aim); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", aim, err)
		}
		if _, err := (measure.Resplit{}).Run(nil, aim); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", aim, err)
		}
	}
	for _, r := range []measure.Resplit{{Rounds: -1}, {Share: 1}, {Share: math.NaN()}} {
		if _, err := r.Run(nil, measure.Aim{Alpha: 0.1, Delta: 0.1}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// Families must never straddle: a set of one family each way is either all calibration or all test.
func TestFamiliesStayTogether(t *testing.T) {
	var cases []measure.Case
	for _, family := range []string{"a", "b"} {
		for range 100 {
			cases = append(cases, measure.Case{Score: map[string]float64{"a": 0.1, "b": 0.9}[family],
				Violation: family == "b", Family: family})
		}
	}
	got, err := measure.Resplit{Rounds: 50, ByFamily: true}.Run(cases, measure.Aim{Alpha: 0.05, Delta: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	// With b to calibrate everything below 0.9 is cleared, which is all of a; with a to calibrate nothing is certified.
	if share, _ := got.Certified.Value(); share < 0.2 || share > 0.8 || !near(got.Decided, share, 1e-9) {
		t.Errorf("%+v", got)
	}
}

// The chance behind the horizon, drawn instead of worked out: n calibration and m further violations in random order,
// and the limit broken among the m before more than missed of the n were passed.
func TestTheHorizonIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const rounds = 40_000
	for _, c := range []struct {
		missed, n, m int
		alpha        float64
	}{{0, 80, 80, 0.05}, {3, 120, 60, 0.05}, {10, 200, 300, 0.1}, {2, 30, 7, 0.2}, {5, 5, 10, 0.1}, {1, 40, 10, 0.99}} {
		bad := 0
		for range rounds {
			passed, missed, limit := 0, 0, int(c.alpha*float64(c.m))
			left, next := c.n, c.m
			for passed <= limit && left+next > 0 {
				if rng.IntN(left+next) < left {
					left--
					missed++
				} else {
					next--
					passed++
				}
			}
			if passed > limit && missed <= c.missed {
				bad++
			}
		}
		got := measure.HorizonP(c.missed, c.n, c.m, c.alpha)
		if got < measure.LowerBound(bad, rounds, 0.9999) || got > measure.UpperBound(bad, rounds, 0.9999) {
			t.Errorf("%+v: %v, drawn %v", c, got, float64(bad)/rounds)
		}
	}
}
