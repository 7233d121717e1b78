package estimate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFewSayNothing(t *testing.T) {
	for _, c := range [][4]int{{0, 3, 22, 38}, {0, 29, 900, 1000}, {30, 30, 0, 29}, {0, 0, 5, 9}} {
		if p := Differ(c[0], c[1], c[2], c[3]); !math.IsNaN(p) {
			t.Errorf("%v: %v", c, p)
		}
	}
	if p := Differ(3, 30, 850, 1000); p > 1e-9 {
		t.Errorf("3 of 30 beside 850 of 1000: %v", p)
	}
	if p := Differ(24, 30, 850, 1000); p < .1 {
		t.Errorf("24 of 30 beside 850 of 1000: %v", p)
	}
	if got := Holm([]float64{.004, math.NaN(), .0001, .0024, 1}); !slices.Equal(got,
		[]bool{false, false, true, false, false}) {
		t.Errorf("%v", got)
	}
	if got := Holm([]float64{.004, math.NaN(), .0001, .0016}); !slices.Equal(got, []bool{true, false, true, true}) {
		t.Errorf("%v", got)
	}
}

// Whatever is measured from 0 to 10, the interval holds the mean, stays on the scale, and has a width from two values
// on.
func TestAMeansIntervalStaysOnItsScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, .01, 5, 9.9, 10, 10}), 1, 60).Draw(t, "values")
		sum, squares := 0.0, 0.0
		for _, v := range list {
			sum, squares = sum+v, squares+v*v
		}
		mean, low, high := Mean(len(list), sum, squares, 0, 10)
		if low < 0 || high > 10 || low > mean+1e-9 || high < mean-1e-9 || len(list) == 1 && low != high ||
			len(list) > 1 && high-low < 1e-4 {
			t.Fatalf("%v: %v, from %v to %v", list, mean, low, high)
		}
	})
}

// Of scores at the end of a scale the interval holds the true mean about as often as it says.
func TestAMeansIntervalHoldsTheMean(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{5, 20, 100} {
		held := 0
		for range 2000 {
			sum, squares := 0.0, 0.0
			for range n { // 10 less a die's pips, mostly none: mean 9.65
				v := 10.0
				if r.IntN(10) == 0 {
					v -= float64(1 + r.IntN(6))
				}
				sum, squares = sum+v, squares+v*v
			}
			if _, low, high := Mean(n, sum, squares, 0, 10); low <= 9.65 && 9.65 <= high {
				held++
			}
		}
		if held < 1720 {
			t.Errorf("of %d values %d of 2000 intervals hold the mean", n, held)
		}
	}
}
