package tally

import "math"

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
