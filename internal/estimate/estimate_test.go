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
	if Rank([]int(nil), .5) != 0 || Rank([]int{1, 2, 3}, .5) != 2 || Rank([]int{1, 2, 3}, 0) != 1 ||
		Rank([]int{1, 2, 3}, 1) != 3 {
		t.Error("the ranks are off")
	}
}

func TestRankIsAValueThatWasMeasured(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 1, 50).Draw(t, "all")
		slices.Sort(all)
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		got := Rank(all, q)
		if !slices.Contains(all, got) {
			t.Fatalf("%d is none of %v", got, all)
		}
		below := 0
		for _, v := range all {
			if v <= got {
				below++
			}
		}
		if float64(below) < q*float64(len(all)) {
			t.Fatalf("only %d of %d are within the %v quantile", below, len(all), q)
		}
	})
}
