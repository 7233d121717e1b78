package main

import (
	"math"
	"testing"
)

// The goals, on more principles than the command plants.
func TestSimulatedGate(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates thousands of validations; make check runs it")
	}
	s := simulateGate(7, 4000, 30)
	for kind, most := range map[string]float64{"0.5": 0.01, "0.6": 0.05, inverted: 0, vacuous: 0} {
		if s.Ours[kind] > most {
			t.Errorf("%s: %v accepted", kind, s.Ours[kind])
		}
	}
	if s.Ours["0.9"] < 0.8 {
		t.Errorf("0.9: %v", s.Ours["0.9"])
	}
	for kind, want := range map[string]float64{"0.5": 0.172, "0.6": 0.382} {
		if math.Abs(s.SeedGate[kind]-want) > 0.03 {
			t.Errorf("the seed's gate, %s: %v", kind, s.SeedGate[kind])
		}
	}
	for _, kind := range planted {
		if sum := s.Ours[kind] + s.Waits[kind] + s.Rejected[kind]; math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: shares sum to %v", kind, sum)
		}
	}
	if again := simulateGate(7, 4000, 30); again.Ours["0.8"] != s.Ours["0.8"] {
		t.Error("the same seed gave another figure")
	}
}
