package stats

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/platform/estimate"
)

func TestStepsAreRound(t *testing.T) {
	for most, want := range map[int]int{1: 1, 4: 1, 5: 2, 9: 2, 10: 5, 24: 5, 25: 10, 499: 100, 5000: 2000} {
		if got := NiceStep(most); got != want {
			t.Errorf("up to %d: steps of %d, want %d", most, got, want)
		}
	}
}

func TestFiguresAreHonest(t *testing.T) {
	if percent(estimate.Share{}) != "–" {
		t.Error("nothing counted has a figure")
	}
	for d, want := range map[time.Duration]string{0: "–", 5 * time.Second: "5\u00a0s", 61 * time.Second: "61\u00a0s",
		90 * time.Minute: "90\u00a0min", 72 * time.Hour: "3\u00a0days"} {
		if got := duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// A case is late by the policy that it came under, and there are several: the tile names no number of hours.
func TestTheTileOfExpertsNamesNoTarget(t *testing.T) {
	for _, n := range []borderline.Counts{{Waiting: 3, Late: 3}, {Waiting: 1, Adjudication: 2, Late: 1}, {Waiting: 2}} {
		var b strings.Builder
		if err := expertsFigure(Overview{Experts: n}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(b.String(), " past the target</"); said != (n.Late > 0) ||
			strings.Contains(b.String(), "24 h") {
			t.Errorf("%+v: %s", n, b.String())
		}
	}
}
