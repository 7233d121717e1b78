package counter

import (
	"maps"
	"math"
	"slices"
	"time"
)

// exact is up to where a bucket of seconds is one second wide; from there each is step wider than the one before.
const (
	exact = 60
	step  = 1.05
)

// Bucket is the bucket of a number of seconds.
func Bucket(seconds int64) int {
	if seconds <= exact {
		return int(max(seconds, 0))
	}
	b := exact + 1 + int(math.Log(float64(seconds)/exact)/math.Log(step))
	for float64(seconds) > upper(b) { // what the logarithm rounds away
		b++
	}
	for b > exact+1 && float64(seconds) <= upper(b-1) {
		b--
	}
	return b
}

func upper(b int) float64 { return exact * math.Pow(step, float64(b-exact)) }

// Middle is the number of seconds that stands for a bucket: at most 2.5 % from any that is in it.
func Middle(b int) float64 {
	if b <= exact {
		return float64(b)
	}
	return (upper(b-1) + upper(b)) / 2
}

// Hist is a histogram: of each bucket how many.
type Hist map[int]int64

// Add adds a stored histogram.
func (h Hist) Add(packed []byte) error {
	return Unpack(packed, func(bucket int, n, _, _ int64) { h[bucket] += n })
}

// Quantile is the middle of the bucket with the smallest value that at least a share q of its n does not exceed.
func (h Hist) Quantile(q float64) (seconds float64, n int) {
	buckets, seen := slices.Sorted(maps.Keys(h)), int64(0)
	for _, b := range buckets {
		n += int(h[b])
	}
	for _, b := range buckets {
		if seen += h[b]; float64(seen) >= q*float64(n) {
			return Middle(b), n
		}
	}
	return 0, n
}

// Length is Quantile as a duration; 0 without any.
func (h Hist) Length(q float64) time.Duration {
	v, _ := h.Quantile(q)
	return time.Duration(v * float64(time.Second))
}
