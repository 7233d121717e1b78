package refit

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Score is how well a judge tells violations from compliant texts.
type Score struct {
	AUC   float64 `json:"auc"`
	Found int     `json:"found"` // violations found at 1 false alarm in FalseAlarms
}

// Point is a place on the learning curve: what so many labels come to.
type Point struct {
	Labels int `json:"labels"`
	Score
}

// Report is what the labels of a pack come to.
type Report struct {
	Labels     int     `json:"labels"`     // that teach
	Violations int     `json:"violations"` // of them
	Customers  int     `json:"customers"`
	Lacking    string  `json:"lacking,omitempty"` // why nothing was measured; "" when it was
	Tested     int     `json:"tested"`            // texts that what counts now wasn't fitted on
	Of         int     `json:"of"`                // violations among them
	Before     Score   `json:"before"`            // the judge as it counts now
	After      Score   `json:"after"`
	Low        float64 `json:"low"` // of the gain in AUC, 95 % interval
	High       float64 `json:"high"`
	More       int     `json:"more"` // about how many more labels would tell; 0: no telling
	Curve      []Point `json:"curve,omitempty"`
}

// Why nothing was measured.
const (
	FewViolations = "violations"
	FewCompliant  = "compliant"
	FewCustomers  = "customers"
)

// FalseAlarms: of this many compliant texts one may be flagged where found violations are counted.
const FalseAlarms = 20

const (
	draws = 1000
	tail  = draws / 40 // of a 95 % interval
)

// Gain is how much the AUC rose.
func (r Report) Gain() float64 { return r.After.AUC - r.Before.AUC }

// Better reports whether a head from these labels is better for certain.
func (r Report) Better() bool {
	return r.Lacking == "" && r.Low > 0 && r.After.Found >= r.Before.Found
}

// Count counts examples, and says what is lacking before anything can be measured. It needs no features.
func Count(list []Example) Report {
	group, tested := groups(list), map[int]bool{}
	r := Report{Labels: len(list), Customers: len(count(group))}
	for i, e := range list {
		if e.Violation {
			r.Violations++
		}
		if !e.Known {
			tested[group[i]] = true
			r.Tested++
			if e.Violation {
				r.Of++
			}
		}
	}
	bad, fine := Least-r.Of, Least-(r.Tested-r.Of)
	switch {
	case bad > 0 && bad >= fine:
		r.Lacking, r.More = FewViolations, bad+max(fine, 0)
	case fine > 0:
		r.Lacking, r.More = FewCompliant, fine+max(bad, 0)
	case len(tested) < leastCustomers:
		r.Lacking, r.More = FewCustomers, leastCustomers-len(tested)
	}
	return r
}

// Measure holds examples out by customer and says how much better a head that was fitted on the others reads them.
func Measure(list []Example) Report {
	r := Count(list)
	if r.Lacking != "" {
		return r
	}
	group, counts := groups(list), func(i int) bool { return !list[i].Known }
	parts := folds(list, outer)
	now := make([]float64, len(list))
	for i, e := range list {
		now[i] = e.Now
	}
	var after []float64
	for quarter := 1; quarter <= 4; quarter++ {
		var taught int
		after, taught = heldOut(list, group, parts, quarter)
		r.Curve = append(r.Curve, Point{taught, score(list, after, counts)})
	}
	r.Before, r.After = score(list, now, counts), r.Curve[len(r.Curve)-1].Score
	r.Low, r.High = interval(list, group, now, after, counts)
	if gain := r.Gain(); gain > 0 && r.Low <= 0 {
		// An interval narrows as the square root of what it rests on.
		r.More = max(1, int(math.Ceil(float64(r.Tested)*(math.Pow((gain-r.Low)/gain, 2)-1))))
		if r.More > 10*r.Tested {
			r.More = 0
		}
	}
	return r
}

// heldOut are the odds of each example by a head that was fitted on a share of the customers, those of its own part
// left out; and how many labels that share is.
func heldOut(list []Example, group, parts []int, quarters int) (odds []float64, taught int) {
	odds = make([]float64, len(list))
	for i := range list {
		if lot(group[i])%4 < quarters {
			taught++
		}
	}
	for part := range outer {
		var in []Example
		for i, e := range list {
			if parts[i] != part && lot(group[i])%4 < quarters {
				in = append(in, e)
			}
		}
		head := Fit(in)
		for i, e := range list {
			if parts[i] == part {
				odds[i] = e.Odds + head.Add(e.X)
			}
		}
	}
	return odds, taught
}

// lot scatters groups, the same each time.
func lot(group int) int { return int(uint32(group+1) * 2654435761 >> 16) }

// score counts what was held out. Of equal odds half are in order.
func score(list []Example, odds []float64, counts func(int) bool) (s Score) {
	s.AUC = auc(list, order(odds), odds, func(i int) float64 {
		if counts(i) {
			return 1
		}
		return 0
	})
	var fine []float64
	for i, e := range list {
		if counts(i) && !e.Violation {
			fine = append(fine, odds[i])
		}
	}
	slices.SortFunc(fine, func(a, b float64) int { return cmp.Compare(b, a) })
	from := fine[len(fine)/FalseAlarms]
	for i, e := range list {
		if counts(i) && e.Violation && odds[i] > from {
			s.Found++
		}
	}
	return s
}

func order(odds []float64) []int {
	at := make([]int, len(odds))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(odds[a], odds[b]) })
	return at
}

// auc is the share of pairs of a violation and a compliant text in which the violation has the higher odds; NaN where
// there is no pair.
func auc(list []Example, at []int, odds []float64, weight func(int) float64) float64 {
	var fine, bad, pairs float64
	for from := 0; from < len(at); {
		var tiedFine, tiedBad float64
		to := from
		for ; to < len(at) && odds[at[to]] == odds[at[from]]; to++ {
			if w := weight(at[to]); list[at[to]].Violation {
				tiedBad += w
			} else {
				tiedFine += w
			}
		}
		pairs += tiedBad * (fine + tiedFine/2)
		fine, bad, from = fine+tiedFine, bad+tiedBad, to
	}
	return pairs / (fine * bad)
}

// interval is that of the gain in AUC when customers are drawn anew.
func interval(list []Example, group []int, now, after []float64, counts func(int) bool) (low, high float64) {
	var drawn []int // the groups that have something to count
	for i, g := range group {
		if counts(i) && !slices.Contains(drawn, g) {
			drawn = append(drawn, g)
		}
	}
	rng := rand.New(rand.NewPCG(uint64(len(list)), 1))
	atNow, atAfter := order(now), order(after)
	times := make([]float64, len(group)+1)
	weight := func(i int) float64 {
		if counts(i) {
			return times[group[i]]
		}
		return 0
	}
	var gains []float64
	for range draws {
		clear(times)
		for range drawn {
			times[drawn[rng.IntN(len(drawn))]]++
		}
		if gain := auc(list, atAfter, after, weight) - auc(list, atNow, now, weight); !math.IsNaN(gain) {
			gains = append(gains, gain)
		}
	}
	if len(gains) <= 2*tail {
		return -1, 1
	}
	slices.Sort(gains)
	return gains[tail], gains[len(gains)-1-tail]
}

// groups gives examples that share a key the same number, also through others.
func groups(list []Example) []int {
	to := make([]int, len(list))
	for i := range to {
		to[i] = i
	}
	var root func(i int) int
	root = func(i int) int {
		if to[i] != i {
			to[i] = root(to[i])
		}
		return to[i]
	}
	first := map[string]int{}
	for i, e := range list {
		for _, k := range e.Keys {
			if j, ok := first[k]; ok {
				to[root(i)] = root(j)
			} else {
				first[k] = i
			}
		}
	}
	out := make([]int, len(list))
	for i := range list {
		out[i] = root(i)
	}
	return out
}

func count(group []int) map[int]int {
	n := map[int]int{}
	for _, g := range group {
		n[g]++
	}
	return n
}

// folds gives each example the part in which it is held out: whole groups, the large ones first, each to the part that
// has the least of its kind.
func folds(list []Example, parts int) []int {
	group := groups(list)
	size, bad := count(group), map[int]int{}
	for i, e := range list {
		if e.Violation {
			bad[group[i]]++
		}
	}
	var all []int
	for i, g := range group {
		if g == i {
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(lot(a), lot(b)))
	})
	have := make([][2]int, parts) // compliant, violations
	part := map[int]int{}
	for _, g := range all {
		fine, worse := size[g]-bad[g], bad[g]
		best := 0
		for p := range parts {
			if fine*have[p][0]+worse*have[p][1] < fine*have[best][0]+worse*have[best][1] {
				best = p
			}
		}
		part[g] = best
		have[best][0], have[best][1] = have[best][0]+fine, have[best][1]+worse
	}
	out := make([]int, len(list))
	for i, g := range group {
		out[i] = part[g]
	}
	return out
}

// Line is what it comes to in a sentence.
func (r Report) Line() string {
	return fmt.Sprintf("At 1 false alarm in %d it finds %d of %d violations instead of %d; AUC %.3f instead of %.3f",
		FalseAlarms, r.After.Found, r.Of, r.Before.Found, r.After.AUC, r.Before.AUC)
}
