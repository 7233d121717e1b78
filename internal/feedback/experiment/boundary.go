package experiment

import "math"

// How peeking is paid for.
//
// Let H be the information so far, n_t·n_c/(n_t+n_c), and H* the planned one. The score (difference × H / spread) is a
// Brownian motion in t = H/H* for large numbers, started at 0, with drift when there is an effect. If the path may
// leave the band ±c at any time in [0, 1] with probability alpha when there is no drift, then the interval
//
//	difference ± c · spread · √H* / H
//
// covers the true difference at every look at once with probability 1 − alpha (a repeated confidence interval: Jennison
// and Turnbull, "Interim analyses: the repeated confidence interval approach", JRSS B 51, 1989; the boundary is O'Brien
// and Fleming's, Biometrics 35, 1979, looked at without a break, which is alpha spending in the sense of Lan and
// DeMets, Biometrika 70, 1983). The chance that a Brownian motion leaves the band is exact (the reflection principle),
// and looking only after outcomes can't leave it oftener, so alpha is kept at every sample size for which the normal
// approximation holds. Where it does not, early, the band is far wider than any binomial can reach: after a tenth of
// the way the difference must exceed 7 standard errors. Shares are shrunk as Agresti and Caffo do (one success and one
// failure more in each arm), and nothing is decided before leastEach outcomes in each.
//
// The approximation is a little too bold for shares near 0 and 1 and for small plans, as the ordinary interval of two
// shares is (it covers 94.8 % where it promises 95); so the band spends only the part spent of alpha, and the rest is
// for that.
//
// The price. One look at the end needs a drift of z(1−alpha/2) + z(power); the band needs more, by a factor in size of
// about 1.06 at 5 % and 80 %, and 1.10 with spent. discrete adds what is lost because the path is seen at outcomes
// only, and reserve what the early stop for futility takes away: 1.18 in all.

const (
	spent     = 0.85   // of alpha, by the band
	leastEach = 10     // outcomes in each arm before any stop rule is looked at
	reserve   = 0.02   // of power, kept for paths that stop as futile and would have crossed later, and for uneven arms
	discrete  = 0.5826 // Siegmund, Sequential Analysis, 1985: mean overshoot of a random walk, in steps
)

// normal is the distribution function of the standard normal.
func normal(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// quantile is its inverse.
func quantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// leaves is the chance that a Brownian motion leaves ±c before time 1 (Feller, An Introduction to Probability Theory
// II, X.5).
func leaves(c float64) float64 {
	stays := 0.0
	for k := range 200 {
		odd := float64(2*k + 1)
		term := math.Exp(-odd*odd*math.Pi*math.Pi/(8*c*c)) / odd
		if k%2 == 1 {
			term = -term
		}
		stays += term
		if math.Abs(term) < 1e-15 {
			break
		}
	}
	return 1 - 4/math.Pi*stays
}

// boundaryOf is the half-width c of the band that is left with probability alpha.
func boundaryOf(alpha float64) float64 {
	return bisect(0.1, 10, func(c float64) bool { return leaves(c) > alpha })
}

// crosses is the chance that a Brownian motion with this drift reaches c before time 1.
func crosses(c, drift float64) float64 {
	return normal(drift-c) + math.Exp(2*c*drift)*normal(-c-drift)
}

// driftFor is the drift that reaches c with this probability.
func driftFor(c, power float64) float64 {
	return bisect(0, 20, func(d float64) bool { return crosses(c, d) < power })
}

// bisect finds where low, true at from and false at to, changes.
func bisect(from, to float64, low func(float64) bool) float64 {
	for range 100 {
		mid := (from + to) / 2
		if low(mid) {
			from = mid
		} else {
			to = mid
		}
	}
	return (from + to) / 2
}
