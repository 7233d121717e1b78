package stats

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/estimate"
	"preceptor/internal/stats/desk"
)

func TestTheChartStaysInItsFrame(t *testing.T) {
	day := rapid.Custom(func(t *rapid.T) desk.Day {
		return desk.Day{Approved: rapid.IntRange(0, 5000).Draw(t, "a"), Revised: rapid.IntRange(0, 50).Draw(t, "r"), Denied: rapid.IntRange(0, 50).Draw(t, "d"), Date: time.Unix(0, 0)}
	})
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.SliceOfN(day, 0, 60).Draw(t, "days")
		bars, grid := columns(days)
		if len(bars) != len(days) || len(grid) < 2 || len(grid) > 7 {
			t.Fatalf("%d bars for %d days, %d lines", len(bars), len(days), len(grid))
		}
		for _, b := range bars {
			if b.X < left || b.X+b.W > width {
				t.Fatalf("a bar from %d to %d", b.X, b.X+b.W)
			}
			at := height - low
			for _, s := range b.Segments {
				if s.Y+s.H != at || s.H < 1 || s.Y < top-3 {
					t.Fatalf("segments that don't stand on each other: %+v", b.Segments)
				}
				at = s.Y
			}
		}
	})
}

func TestStepsAreRound(t *testing.T) {
	for most, want := range map[int]int{1: 1, 4: 1, 5: 2, 9: 2, 10: 5, 24: 5, 25: 10, 499: 100, 5000: 2000} {
		if got := niceStep(most); got != want {
			t.Errorf("up to %d: steps of %d, want %d", most, got, want)
		}
	}
}

func TestFiguresAreHonest(t *testing.T) {
	if percent(estimate.Share{}) != "–" || interval(estimate.Share{}) != "no decisions yet" {
		t.Error("nothing counted has a figure")
	}
	if got := interval(estimate.Of(3, 4)); got != "3 of 4; 95% CI 30–95%" {
		t.Error(got)
	}
	for d, want := range map[time.Duration]string{0: "–", 5 * time.Second: "5\u00a0s", 61 * time.Second: "61\u00a0s", 90 * time.Minute: "90\u00a0min", 72 * time.Hour: "3\u00a0days"} {
		if got := duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
