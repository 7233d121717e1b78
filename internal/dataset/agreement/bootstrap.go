package agreement

import (
	"math"
	"math/rand/v2"
	"slices"

	"preceptor/internal/platform/estimate"
)

// confidence is what the intervals hold with.
const confidence = 0.95

// Bounds of the work. Where nearly every row is different, as with measurements, there are many items and fewer
// resamples do; Interval.Rounds says how many there were.
const (
	maxWork   = 20_000_000 // different rows × resamples of one table
	minRounds = 200        // that are made all the same
	maxPairs  = 50_000_000 // different rows × resamples of all pairs of raters together
)

// affordable is how many of the asked rounds are made over patterns different rows.
func affordable(asked, patterns int) int {
	return min(asked, max(minRounds, maxWork/max(patterns, 1)))
}

// results measures y and, when rounds are asked for, resamples it.
func (y *counter) results(o Options) []Result {
	asked := o.measures()
	s, points := newSums(len(y.scale.Labels)), make([]figure, len(asked))
	y.evaluate(s, y.count, asked, points)
	out := make([]Result, len(asked))
	for i, m := range asked {
		out[i] = Result{Measure: m, Value: points[i].value, Undefined: points[i].why, Items: int(s.pairable),
			Raters: y.raters}
	}
	if o.rounds() > 0 {
		y.intervals(o, s, out)
	}
	return out
}

// intervals sets the intervals of the results that have a value.
func (y *counter) intervals(o Options, s *sums, out []Result) {
	var asked []Measure
	var at []int
	for i, r := range out {
		switch {
		case !r.Defined():
		case r.Measure == AlphaRatio && y.rubs == nil:
			out[i].Interval = &Interval{Missing: slowRatio}
		default:
			asked, at = append(asked, r.Measure), append(at, i)
		}
	}
	if len(asked) == 0 {
		return
	}
	draw := newSampler(y.count, rand.New(rand.NewPCG(o.Seed, uint64(len(y.count)))))
	figures, count := make([]figure, len(asked)), make([]int, len(y.count))
	values := make([][]float64, len(asked))
	rounds := affordable(o.rounds(), len(y.count))
	for range rounds {
		draw.into(count)
		y.evaluate(s, count, asked, figures)
		for i, f := range figures {
			if f.why == "" {
				values[i] = append(values[i], f.value)
			}
		}
	}
	for i := range asked {
		out[at[i]].Interval = interval(values[i], rounds)
	}
}

// interval is made of the rounds that had a value, if they are half of all at least: what is left of fewer says little
// of the whole. There is none where all rounds are the same: from items on which nobody disagreed, resamples of them
// can't tell how often somebody would, and "1 to 1" would say that it is certain.
func interval(values []float64, rounds int) *Interval {
	in := &Interval{Rounds: rounds, Undefined: rounds - len(values)}
	if 2*len(values) < rounds {
		in.Missing = mostlyVoid
		return in
	}
	slices.Sort(values)
	if values[0] == values[len(values)-1] {
		in.Missing = noSpread
		return in
	}
	in.Low, in.High = estimate.Quantile(values, (1-confidence)/2),
		estimate.Quantile(values, (1+confidence)/2)
	return in
}

// sampler draws as many items as there are, with replacement, as a count for each pattern. Few patterns are drawn by
// binomials, one after the other; many by drawing the items themselves.
type sampler struct {
	count []int
	items int
	of    []int32 // the pattern of each item; nil when patterns are few
	rng   *rand.Rand
}

// itemsPerBinomial is how many items can be drawn in the time of one binomial.
const itemsPerBinomial = 20

func newSampler(count []int, rng *rand.Rand) *sampler {
	s := &sampler{count: count, rng: rng}
	for _, c := range count {
		s.items += c
	}
	if s.items > itemsPerBinomial*len(count) {
		return s
	}
	s.of = make([]int32, 0, s.items)
	for p, c := range count {
		for range c {
			s.of = append(s.of, int32(p))
		}
	}
	return s
}

func (s *sampler) into(count []int) {
	if s.of != nil {
		clear(count)
		for range s.items {
			count[s.of[s.rng.IntN(s.items)]]++
		}
		return
	}
	draws, left := s.items, s.items
	for p, c := range s.count {
		count[p] = binomial(s.rng, draws, float64(c)/float64(left))
		draws -= count[p]
		left -= c
	}
}

// binomial draws how many of n trials succeed, exactly: by inversion where few do, by Hörmann's transformed rejection
// (BTRS, "The generation of binomial random variates", 1993) otherwise.
func binomial(rng *rand.Rand, n int, p float64) int {
	switch {
	case n == 0 || p <= 0:
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - binomial(rng, n, 1-p)
	case float64(n)*p < 10:
		return inversion(rng, n, p)
	}
	return rejection(rng, n, p)
}

// inversion walks up the distribution. n·p is less than 10, so that (1-p)ⁿ is no less than 10⁻⁶.
func inversion(rng *rand.Rand, n int, p float64) int {
	odds := p / (1 - p)
	for {
		term, u := math.Exp(float64(n)*math.Log1p(-p)), rng.Float64()
		for k := 0; k <= n; k++ {
			if u < term {
				return k
			}
			u -= term
			term *= odds * float64(n-k) / float64(k+1)
		}
	}
}

func rejection(rng *rand.Rand, n int, p float64) int {
	size := float64(n)
	deviation := math.Sqrt(size * p * (1 - p))
	b := 1.15 + 2.53*deviation
	a := -0.0873 + 0.0248*b + 0.01*p
	c := size*p + 0.5
	squeeze := 0.92 - 4.2/b
	alpha := (2.83 + 5.1/b) * deviation
	mode := math.Floor((size + 1) * p)
	odds := math.Log(p / (1 - p))
	top := logFactorial(mode) + logFactorial(size-mode)
	for {
		u, v := rng.Float64()-0.5, rng.Float64()
		edge := 0.5 - math.Abs(u)
		k := math.Floor((2*a/edge+b)*u + c)
		if k < 0 || k > size {
			continue
		}
		if edge >= 0.07 && v <= squeeze {
			return int(k)
		}
		if math.Log(v*alpha/(a/(edge*edge)+b)) <= top-logFactorial(k)-logFactorial(size-k)+(k-mode)*odds {
			return int(k)
		}
	}
}

func logFactorial(n float64) float64 {
	l, _ := math.Lgamma(n + 1)
	return l
}
