package knowledge

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

const year = 365 * 24 * time.Hour

func TestACaseFadesByValueAndFreshness(t *testing.T) {
	for _, tt := range []struct {
		name  string
		worth float64
		age   time.Duration
		want  float64
	}{
		{"new, nothing known", 0, 0, 1},
		{"a year old, nothing known", 0, year, 1},
		{"three years old, nothing known", 0, 3 * year, decayFloor + (1-decayFloor)*0.5},
		{"three years old and helpful", 0.25, 3 * year, 1},
		{"new and harmful", -0.25, 0, decayFloor},
		{"somewhat harmful", -0.125, 0, decayFloor + (1-decayFloor)*0.5},
		{"ancient", 0, 80 * year, decayFloor},
	} {
		if got := caseWeight(tt.worth, tt.age); got < tt.want-0.01 || got > tt.want+0.01 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		worth, age := rapid.Float64Range(-1, 1).Draw(t, "worth"),
			time.Duration(rapid.Int64Range(0, int64(100*year)).Draw(t, "age"))
		w := caseWeight(worth, age)
		if w < decayFloor || w > 1 || caseWeight(worth, age+year) > w || caseWeight(min(1, worth+0.1), age) < w {
			t.Fatalf("worth %v, age %v: %v", worth, age, w)
		}
	})
}
