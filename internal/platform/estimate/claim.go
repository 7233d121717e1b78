package estimate

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Few is below how many, on either side, nothing is called significant.
const Few = 30

// TooFew says that n are too few to compare with; "" where they are enough.
func TooFew(n int) string {
	if n >= Few {
		return ""
	}
	return "too few to compare (" + strconv.Itoa(n) + ")"
}

// Claim is the level of one sentence that says "significantly". A page has at most ten, and each is tested over all
// that it could have named (Holm), so that at most one page in twenty calls significant what differs by chance.
const Claim = 0.05 / 10

// ZClaim is the normal quantile of Claim, two-sided.
const ZClaim = 2.8070338

// Differ is the p-value of two shares, a of n and b of m, being the same (chi-square with Yates' correction); NaN of
// fewer than Few.
func Differ(a, n, b, m int) float64 {
	if n < Few || m < Few {
		return math.NaN()
	}
	yes, all := float64(a+b), float64(n+m)
	apart := math.Abs(float64(a)*float64(m-b)-float64(b)*float64(n-a)) - all/2
	if apart <= 0 || yes == 0 || yes == all {
		return 1
	}
	return math.Erfc(math.Sqrt(all*apart/float64(n)*apart/float64(m)/yes/(all-yes)) / math.Sqrt2)
}

// Holm tells which p-values are significant for a sentence that could have named any of them (Holm 1979). NaN is none
// that it could.
func Holm(ps []float64) []bool {
	var order []int
	for i, p := range ps {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	out := make([]bool, len(ps))
	for k, i := range order {
		if ps[i] > Claim/float64(len(order)-k) {
			break
		}
		out[i] = true
	}
	return out
}
