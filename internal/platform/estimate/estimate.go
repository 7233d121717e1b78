// Package estimate says how sure a figure is that was counted or measured: intervals of shares and means, and
// quantiles.
//
// It owns no table and knows nothing of the product; every share with an interval, on a page, in the API or at a gate,
// has it from here. Shares and means have Wilson's score interval, which stays on its scale and says something of few
// as well; exact (Clopper-Pearson) bounds, for what is promised, are compliance/measure's. Decided against: intervals
// of the desk's medians (the number beside them says enough).
package estimate

import "math"

// Normal quantiles: of two-sided 95 % and 99 %, and of one-sided 95 %.
const (
	Z95      = 1.959964
	Z99      = 2.575829
	Z95Sided = 1.6448536
)

// Wilson is the score interval of part of whole; 0 to 1 of nothing.
func Wilson(part, whole int, z float64) (low, high float64) {
	if whole == 0 {
		return 0, 1
	}
	return wilson(float64(part)/float64(whole), float64(whole), z)
}

func wilson(p, n, z float64) (low, high float64) {
	mid, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (mid-half)/(1+z*z/n)), min(1, (mid+half)/(1+z*z/n))
}

// Difference is the interval of a share less another, a of n and b of m (Newcombe 1998, method 10); -1 to 1 where one
// is of nothing.
func Difference(a, n, b, m int, z float64) (low, high float64) {
	if n == 0 || m == 0 {
		return -1, 1
	}
	la, ua := Wilson(a, n, z)
	lb, ub := Wilson(b, m, z)
	p, q := float64(a)/float64(n), float64(b)/float64(m)
	return p - q - math.Hypot(p-la, ub-q), p - q + math.Hypot(ua-p, q-lb)
}

// Mean is a mean with its 95 % interval, from the sum and the sum of squares of values that are from least to most;
// both ends are the mean of fewer than two. The interval is Wilson's of as many answers yes or no as would vary so
// much, which can't leave the scale, and is that of n where all values are the same.
func Mean(n int, sum, squares, least, most float64) (mean, low, high float64) {
	if n == 0 {
		return 0, 0, 0
	}
	mean = sum / float64(n)
	if n == 1 {
		return mean, mean, mean
	}
	p := min(max((mean-least)/(most-least), 0), 1)
	worth := float64(n)
	if variance := (squares - sum*mean) / float64(n-1) / (most - least) / (most - least); variance > 1e-9 {
		worth = max(worth, worth*p*(1-p)/variance)
	}
	low, high = wilson(p, worth, Z95)
	return mean, least + low*(most-least), least + high*(most-least)
}

// Quantile is what at least a share q of the sorted values lies within and a share 1-q beyond; 0.5 is the median. Where
// two neighbours both are, it is midway between them (type 2 of Hyndman and Fan). Zero of none.
func Quantile[T ~int64 | ~float64](sorted []T, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	const rounding = 1e-9
	at, last := q*float64(len(sorted))-1, float64(len(sorted)-1)
	low, high := math.Ceil(at-rounding), math.Floor(at+1+rounding)
	return (float64(sorted[int(min(max(low, 0), last))]) + float64(sorted[int(min(max(high, 0), last))])) / 2
}
