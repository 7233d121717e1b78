package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"preceptor/internal/feedback/experiment"
)

// experiments is how experiments under one plan end when the truth is known.
type experiments struct {
	Seed      uint64     `json:"seed"`
	Runs      int        `json:"runs"` // of each kind
	Baseline  float64    `json:"baseline"`
	Effect    float64    `json:"effect"` // that the plan looks for, and that A/B runs have
	Alpha     float64    `json:"alpha"`
	Power     float64    `json:"power"`
	Fixed     int        `json:"fixed_per_arm"`
	Size      int        `json:"size_per_arm"`
	Price     float64    `json:"price"` // Size ÷ Fixed
	Boundary  float64    `json:"boundary"`
	Scenarios []scenario `json:"scenarios"`
}

// scenario is what came of runs with one true effect. Shares are of the runs.
type scenario struct {
	Name   string  `json:"name"`
	Truth  float64 `json:"truth"`  // treatment less control
	Better float64 `json:"better"` // ended as better
	Worse  float64 `json:"worse"`
	Futile float64 `json:"futile"`
	Full   float64 `json:"full"`
	// Shown is Better and Worse together: a difference was shown. Of A/A runs these are the false positives.
	Shown float64 `json:"difference_shown"`
	// Covered is how often the interval held the truth at every look up to the end.
	Covered  float64 `json:"covered_at_every_look"`
	MeanSize float64 `json:"mean_outcomes"` // both arms, when it ended
	Median   int     `json:"median_outcomes"`
	// Naive is how often an ordinary 95 % interval, looked at after every outcome, would have shown a difference.
	Naive float64 `json:"naive_peeking_shown"`
	// OneLook is how often it would have with one look, at Fixed outcomes per arm.
	OneLook float64 `json:"one_look_shown"`
}

// simulate runs so many experiments of each kind through the code that real ones go through, with a look after every
// outcome. People come one after the other; each is assigned by chance. The same seed gives the same figures.
func simulate(seed uint64, runs int, p experiment.Plan) experiments {
	out := experiments{Seed: seed, Runs: runs, Baseline: p.Baseline, Effect: p.Effect, Alpha: p.Alpha, Power: p.Power,
		Fixed: p.Fixed, Size: max(p.SizeT, p.SizeC),
		Price: p.Price(), Boundary: p.Boundary}
	kinds := []scenario{
		{Name: "A/A, no difference"},
		{Name: "A/B, the effect that is sought", Truth: p.Effect},
		{Name: "A/B, half of it", Truth: p.Effect / 2},
		{Name: "A/B, as much harm", Truth: -math.Min(p.Effect, p.Baseline-0.01)},
	}
	for i, k := range kinds {
		rnd := rand.New(rand.NewPCG(seed, uint64(i)))
		k.run(rnd, runs, p)
		out.Scenarios = append(out.Scenarios, k)
	}
	return out
}

func (k *scenario) run(rnd *rand.Rand, runs int, p experiment.Plan) {
	one, sizes := 1/float64(runs), make([]int, 0, runs)
	for range runs {
		r := oneRun(rnd, p, p.Baseline, p.Baseline+k.Truth)
		for _, end := range []struct {
			why   string
			share *float64
		}{{experiment.Better, &k.Better}, {experiment.Worse, &k.Worse}, {experiment.Futile, &k.Futile},
			{experiment.Full, &k.Full}} {
			if r.ended == end.why {
				*end.share += one
			}
		}
		if r.covered {
			k.Covered += one
		}
		if r.naive {
			k.Naive += one
		}
		if r.oneLook {
			k.OneLook += one
		}
		k.MeanSize += float64(r.size) * one
		sizes = append(sizes, r.size)
	}
	k.Shown = k.Better + k.Worse
	slices.Sort(sizes)
	k.Median = sizes[len(sizes)/2]
	for _, v := range []*float64{&k.Better, &k.Worse, &k.Futile, &k.Full, &k.Shown, &k.Covered, &k.Naive, &k.OneLook} {
		*v = math.Round(*v*float64(runs)) / float64(runs)
	}
}

type oneEnd struct {
	ended                   string
	size                    int
	covered, naive, oneLook bool
}

// oneRun goes on with outcomes after the end, up to what one look needs, so that the other ways are seen on the same
// ones.
func oneRun(rnd *rand.Rand, p experiment.Plan, control, treatment float64) oneEnd {
	r, z := oneEnd{covered: true}, -math.Sqrt2*math.Erfcinv(2-p.Alpha)
	var c experiment.Counts
	for r.ended == "" || c.Total() < 2*p.Fixed {
		arm, share := 0, treatment
		if rnd.Float64() >= p.Split {
			arm, share = 1, control
		}
		c.N[arm]++
		if rnd.Float64() < share {
			c.Good[arm]++
		}
		if r.ended == "" {
			l := p.Look(c)
			r.covered = r.covered && l.Low <= treatment-control && treatment-control <= l.High
			if l.Ended != "" {
				r.ended, r.size = l.Ended, c.Total()
			}
		}
		if c.Total() <= 2*p.Fixed && !r.oneLook && (!r.naive || c.Total() == 2*p.Fixed) && plain(c, z) {
			r.naive = true
			r.oneLook = r.oneLook || c.Total() == 2*p.Fixed
		}
	}
	return r
}

// plain is the ordinary test, as if this were the only look.
func plain(c experiment.Counts, z float64) bool {
	if min(c.N[0], c.N[1]) < 10 {
		return false
	}
	a, b := float64(c.Good[0])/float64(c.N[0]), float64(c.Good[1])/float64(c.N[1])
	spread := math.Sqrt(a*(1-a)/float64(c.N[0]) + b*(1-b)/float64(c.N[1]))
	return math.Abs(a-b) > z*spread
}
