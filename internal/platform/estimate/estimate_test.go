package estimate

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestWilsonIsTheRootOfItsEquation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 500).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		for _, z := range []float64{Z95, Z99, Z95Sided} {
			low, high := Wilson(k, n, z)
			p := float64(k) / float64(n)
			for _, q := range []float64{low, high} {
				if q < 0 || q > 1 || math.Abs((p-q)*(p-q)-z*z*q*(1-q)/float64(n)) > 1e-9 {
					t.Fatalf("%d of %d: %v", k, n, q)
				}
			}
		}
	})
}

func TestOfNothing(t *testing.T) {
	if low, high := Wilson(0, 0, Z95); low != 0 || high != 1 {
		t.Errorf("got %v to %v, want 0 to 1", low, high)
	}
	if mean, low, high := Mean(1, 4, 16, 0, 10); mean != 4 || low != 4 || high != 4 {
		t.Errorf("got %v, %v to %v, want 4", mean, low, high)
	}
	if Quantile([]int64(nil), .5) != 0 || Quantile([]int64{1, 2, 4}, .5) != 2 || Quantile([]int64{1, 2}, 0) != 1 ||
		Quantile([]int64{106, 122}, .5) != 114 || Quantile([]float64{1, 2, 3}, 1) != 3 {
		t.Error("the quantiles are off")
	}
}

// "Half within this, nine in ten within that" is true of the values, and a median has as many above as below.
func TestAShareLiesWithinItsQuantile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 1, 50).Draw(t, "all")
		slices.Sort(all)
		q := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0.1, 0.5, 0.9})).Draw(t, "q")
		got, within, beyond := Quantile(all, q), 0, 0
		for _, v := range all {
			if float64(v) <= got {
				within++
			}
			if float64(v) >= got {
				beyond++
			}
		}
		if n := float64(len(all)); float64(within) < q*n-1e-6 || float64(beyond) < (1-q)*n-1e-6 {
			t.Fatalf("%d within and %d beyond %v, the %v quantile of %v", within, beyond, got, q, all)
		}
		if m := len(all) / 2; len(all)%2 == 0 && Quantile(all, 0.5) != float64(all[m-1]+all[m])/2 {
			t.Fatalf("the median of %v is %v", all, Quantile(all, 0.5))
		}
	})
}
