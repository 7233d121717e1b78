package main

import (
	"math"
	"testing"

	"preceptor/internal/feedback/experiment"
)

// Acceptance 5 of the issue, through the code that real experiments go through.
func TestPeekingIsSafeAndThePowerHolds(t *testing.T) {
	a := experiment.DefaultAim
	a.Effect = 0.10
	plan, err := experiment.NewPlan(a)
	if err != nil {
		t.Fatal(err)
	}
	s := simulate(1, 2_000, plan)
	null, effect, harm := s.Scenarios[0], s.Scenarios[1], s.Scenarios[3]
	if null.Shown > 0.05 || null.Covered < 0.95 {
		t.Errorf("A/A: %+v", null)
	}
	if effect.Better < 0.80 || effect.Worse > 0.001 || effect.MeanSize > float64(plan.Total()) {
		t.Errorf("A/B: %+v", effect)
	}
	if harm.Worse < 0.65 {
		t.Errorf("harm: %+v", harm)
	}
	if null.Naive < 0.15 {
		t.Errorf("peeking at an ordinary test shows %v: the simulation does not tell them apart", null.Naive)
	}
	if again := simulate(1, 50, plan); simulate(1, 50, plan).Scenarios[1] != again.Scenarios[1] {
		t.Error("the same seed gave other figures")
	}
}

// The size holds elsewhere, too: other baselines, an uneven split, another error rate.
func TestOtherPlansHoldThem(t *testing.T) {
	for _, a := range []experiment.Aim{
		{Baseline: 0.5, Effect: 0.1, Alpha: 0.05, Power: 0.8, Split: 0.5},
		{Baseline: 0.88, Effect: 0.08, Alpha: 0.05, Power: 0.8, Split: 0.5},
		{Baseline: 0.75, Effect: 0.1, Alpha: 0.05, Power: 0.8, Split: 0.7},
		{Baseline: 0.6, Effect: 0.15, Alpha: 0.1, Power: 0.9, Split: 0.5},
	} {
		plan, err := experiment.NewPlan(a)
		if err != nil {
			t.Fatal(err)
		}
		const runs = 1_000
		s := simulate(7, runs, plan)
		slack := func(p float64) float64 { return 2.6 * math.Sqrt(p*(1-p)/runs) } // of the simulation: 99 %
		if null := s.Scenarios[0]; null.Shown > a.Alpha+slack(a.Alpha) {
			t.Errorf("%+v: A/A %+v", a, null)
		}
		if effect := s.Scenarios[1]; effect.Better < a.Power-slack(a.Power) {
			t.Errorf("%+v: A/B %+v", a, effect)
		}
	}
}
