package measure

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// gonum's is as good; with it come 2 MB of linear algebra.
func TestCorrelationIsPearsons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 50).Draw(t, "n")
		row := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n)
		x, y := row.Draw(t, "x"), row.Draw(t, "y")
		want, got := stat.Correlation(x, y, nil), Correlation(x, y)
		if stat.Variance(x, nil) < 1e-12 || stat.Variance(y, nil) < 1e-12 {
			return // what is left is rounding
		}
		if got.Undefined != "" || math.Abs(got.Value-want) > 1e-9 {
			t.Fatalf("%v and %v: %+v, want %v", x, y, got, want)
		}
	})
	for _, x := range [][]float64{nil, {0.5}, {0.25, 0.25, 0.25}} {
		if got := Correlation(x, x); got.Undefined == "" {
			t.Errorf("%v: %+v", x, got)
		}
	}
}
