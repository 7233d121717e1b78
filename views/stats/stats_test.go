package stats

import (
	"testing"
	"time"

	"preceptor/internal/estimate"
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
