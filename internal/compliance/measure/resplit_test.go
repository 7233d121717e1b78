package measure

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"preceptor/internal/platform/fault"
)

// Resplits is how often Resplit splits when it is not said.
const Resplits = 1000

// Resplit tries a promise: it splits one set again and again at random, certifies a threshold on one part and counts
// the missed violations of the other.
type Resplit struct {
	Rounds int     // 0 means Resplits
	Share  float64 // of the cases, or families, that calibrate; 0 means half
	Seed   uint64
	// ByFamily keeps families together, so that no near-duplicate is on both sides. The promise assumes that violations
	// come in random order; within families they don't, and the same number of them is worth less. OnePerFamily makes
	// up for that: it calibrates and counts with one violation of each family, drawn at random.
	ByFamily     bool
	OnePerFamily bool
	// LongRun certifies without a horizon. The realised rate of a test split then exceeds alpha more often than delta,
	// as the split itself is a small sample; leave it off to hold the promise for what is counted.
	LongRun bool
}

// ResplitReport is what came of it. The promise held when Exceeded is no larger than delta, but for chance.
type ResplitReport struct {
	Rounds    int     `json:"rounds"`
	Certified Rate    `json:"certified"` // rounds with a threshold; the others escalate all and can't miss
	Exceeded  Rate    `json:"exceeded"`  // rounds whose realised missed-violation rate was above alpha
	Allowed   int     `json:"allowed"`   // rounds that may exceed at a true chance of delta, with probability 99.9 %
	Decided   float64 `json:"mean_decided_by_panel"`
	Missed    float64 `json:"mean_missed_violation_rate"`
	Worst     float64 `json:"worst_missed_violation_rate"`
	Threshold float64 `json:"median_threshold"` // of the certified rounds
}

// Held reports whether the promise was kept.
func (r ResplitReport) Held() bool { return r.Exceeded.Part <= r.Allowed }

// chanceConfidence is how sure a broken promise has to be before it is called one.
const chanceConfidence = 0.999

// allowed is the least number that is not exceeded with chanceConfidence when each of n rounds fails with probability
// p.
func allowed(n int, p float64) int {
	k := 0
	for ; k < n && AtMost(k, n, p) < chanceConfidence; k++ {
	}
	return k
}

// Run splits cases. The horizon of the aim is set to each test split's violations, unless LongRun says otherwise.
func (r Resplit) Run(cases []Case, aim Aim) (ResplitReport, error) {
	if r.Rounds == 0 {
		r.Rounds = Resplits
	}
	if r.Share == 0 {
		r.Share = 0.5
	}
	if err := aim.Check(); err != nil {
		return ResplitReport{}, err
	}
	if r.Rounds < 0 || !(r.Share > 0 && r.Share < 1) {
		return ResplitReport{}, fault.New(fault.Invalid,
			"Splitting needs one round at the least, and a share between 0 and 1.")
	}
	groups := r.groups(cases)
	rng := rand.New(rand.NewPCG(r.Seed, uint64(len(cases))))
	out := ResplitReport{Rounds: r.Rounds, Allowed: allowed(r.Rounds, aim.Delta)}
	exceeded := 0
	var thresholds []float64
	for range r.Rounds {
		t, test, err := r.once(groups, aim, rng)
		if err != nil {
			return ResplitReport{}, err
		}
		n := t.count(test) // without the intervals of Try, which take longer than all else
		missed := float64(n.missed) / float64(max(n.violations, 1))
		if missed > aim.Alpha {
			exceeded++
		}
		if t.Certified {
			thresholds = append(thresholds, t.Value)
		}
		out.Missed += missed / float64(r.Rounds)
		out.Decided += float64(n.decided) / float64(max(len(test), 1)) / float64(r.Rounds)
		out.Worst = max(out.Worst, missed)
	}
	out.Certified, out.Exceeded = NewRate(len(thresholds), r.Rounds), NewRate(exceeded, r.Rounds)
	if n := len(thresholds); n > 0 {
		slices.Sort(thresholds)
		out.Threshold = thresholds[n/2]
	}
	return out, nil
}

// once splits and certifies.
func (r Resplit) once(groups [][]Case, aim Aim, rng *rand.Rand) (t Threshold, test []Case, err error) {
	calibration, test := r.split(groups, rng)
	if aim = aim.For(test); r.LongRun {
		aim.Horizon = 0
	}
	t, err = Certify(calibration, aim)
	return t, test, err
}

// groups are what is kept together.
func (r Resplit) groups(cases []Case) [][]Case {
	if r.ByFamily || r.OnePerFamily {
		return families(cases)
	}
	groups := make([][]Case, len(cases))
	for i := range cases {
		groups[i] = cases[i : i+1]
	}
	return groups
}

func (r Resplit) split(groups [][]Case, rng *rand.Rand) (calibration, test []Case) {
	n := int(r.Share*float64(len(groups)) + 0.5)
	for at, g := range rng.Perm(len(groups)) {
		group := groups[g]
		if r.OnePerFamily {
			group = oneViolation(group, rng)
		}
		if at < n {
			calibration = append(calibration, group...)
		} else {
			test = append(test, group...)
		}
	}
	return calibration, test
}

// oneViolation is the family with all but one of its violations left out.
func oneViolation(family []Case, rng *rand.Rand) []Case {
	n := violations(family)
	if n < 2 {
		return family
	}
	keep := rng.IntN(n)
	out := make([]Case, 0, len(family)-n+1)
	for _, c := range family {
		if c.Violation {
			if keep--; keep != -1 {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

// families gives the cases of each family, in a fixed order; a case without one stands alone.
func families(cases []Case) (groups [][]Case) {
	at := map[string]int{}
	for _, c := range cases {
		i, ok := at[c.Family]
		if !ok || c.Family == "" {
			i = len(groups)
			groups = append(groups, nil)
			at[c.Family] = i
		}
		groups[i] = append(groups[i], c)
	}
	slices.SortStableFunc(groups, func(a, b []Case) int { return cmp.Compare(a[0].Family, b[0].Family) })
	return groups
}
