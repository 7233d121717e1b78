package stats

import "math"

// Trajectory is the quality, 0 to 1, that the seed expects after a number of consultations (seed 000, "Learning
// Dynamics").
//
// The seed's checkpoints are 90 % at 100, 94.5 % at 1,000, 96.5 % at 5,000 and 97 to 99 % beyond 10,000. Its own
// function misses them: with 0.0005 a consultation from 100 on it is above 1 between 300 and 1,000 and falls to 0.945
// there, and with 0.00005 from 1,000 on it is above 1 again between 2,100 and 5,000. Both slopes are ten times what the
// checkpoints take. Here they are a tenth of that, which meets each checkpoint exactly and joins without a step:
//
//	n ≤ 100            0.6   + 0.003    n
//	100 < n ≤ 1,000    0.9   + 0.00005  (n - 100)
//	1,000 < n ≤ 5,000  0.945 + 0.000005 (n - 1,000)
//	n > 5,000          0.965 + 0.025 (1 - e^(-(n - 5,000) / 10,000))
//
// The last one rises to 0.990 (the seed's to 0.995, which is past its own 99 %): 97.5 % at 10,000, 98.6 % at 23,000, 99
// % in the end.
func Trajectory(n int) float64 {
	x := float64(max(n, 0))
	switch {
	case x <= 100:
		return 0.6 + 0.003*x
	case x <= 1_000:
		return 0.9 + 0.00005*(x-100)
	case x <= 5_000:
		return 0.945 + 0.000005*(x-1_000)
	}
	return 0.965 + 0.025*(1-math.Exp(-(x-5_000)/10_000))
}
