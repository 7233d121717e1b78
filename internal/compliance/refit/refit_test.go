package refit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// ruled makes up rulings: noise says how little the features tell, 0 is everything, and below 0 nothing.
func ruled(seed uint64, customers, each, width int, signal float64) (list []Example) {
	rng := rand.New(rand.NewPCG(seed, 7))
	for c := range customers {
		own := rng.NormFloat64() * 0.3 // what a customer's texts have in common
		for range each {
			e := Example{Violation: rng.IntN(2) == 0, X: make([]float64, width)}
			e.Keys = []string{fmt.Sprint("customer ", c)}
			for k := range e.X {
				e.X[k] = rng.NormFloat64() + own
			}
			side := -1.0
			if e.Violation {
				side = 1
			}
			e.X[0] += signal * side
			length := 0.0
			for _, v := range e.X {
				length += v * v
			}
			for k := range e.X {
				e.X[k] /= math.Sqrt(length)
			}
			e.Odds = side*0.4 + rng.NormFloat64()
			e.Now = e.Odds
			list = append(list, e)
		}
	}
	return list
}

func share(of int, better func(seed uint64) bool) float64 {
	n := 0
	for seed := range of {
		if better(uint64(seed)) {
			n++
		}
	}
	return float64(n) / float64(of)
}

// Labels that say nothing about the features are no reason to offer anything, whether they are few or many, alone or
// several a customer.
func TestNoSignalIsNotOffered(t *testing.T) {
	kinds := []struct{ customers, each int }{{30, 1}, {15, 3}, {60, 2}}
	if testing.Short() {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		got := share(200, func(seed uint64) bool {
			return Measure(ruled(seed, kind.customers, kind.each, 12, 0)).Better()
		})
		if got > 0.05 {
			t.Errorf("%+v: offered in %.3f of the cases", kind, got)
		}
	}
}

// A line that differs clearly from the built-in one is found.
func TestAStrongSignalIsOffered(t *testing.T) {
	seeds := 40
	if testing.Short() {
		seeds = 8
	}
	for _, kind := range []struct {
		customers, each int
		signal          float64
	}{{60, 1, 2.5}, {40, 3, 2}, {100, 2, 1.5}} {
		got := share(seeds, func(seed uint64) bool {
			return Measure(ruled(seed, kind.customers, kind.each, 12, kind.signal)).Better()
		})
		if got < 0.95 {
			t.Errorf("%+v: offered in %.3f of the cases", kind, got)
		}
	}
}

// What one customer's texts have in common tells nothing about another's: held out by text it would look like a gain.
func TestCustomersAreHeldOutWhole(t *testing.T) {
	byCustomer := func(seed uint64) []Example {
		rng := rand.New(rand.NewPCG(seed, 9))
		var list []Example
		for c := range 24 {
			x := make([]float64, 40)
			x[c] = 1
			for range 4 {
				odds := rng.NormFloat64()
				e := Example{X: x, Odds: odds, Now: odds, Violation: c%2 == 0}
				e.Keys = []string{fmt.Sprint(c)}
				list = append(list, e)
			}
		}
		return list
	}
	if got := share(40, func(seed uint64) bool { return Measure(byCustomer(seed)).Better() }); got > 0.05 {
		t.Errorf("offered in %.3f of the cases", got)
	}
	byText := func(seed uint64) bool {
		list := byCustomer(seed)
		for i := range list {
			list[i].Keys = nil
		}
		return Measure(list).Better()
	}
	if got := share(10, byText); got < 0.9 {
		t.Errorf("the trap is none: offered in %.3f of the cases", got)
	}
	list := ruled(3, 20, 4, 8, 1)
	list[0].Keys, list[5].Keys = append(list[0].Keys, "text"), append(list[5].Keys, "text") // one text, two customers
	for _, parts := range []int{outer, inner} {
		at := folds(list, parts)
		for i := range list {
			for j := range list {
				if groups(list)[i] == groups(list)[j] && at[i] != at[j] {
					t.Fatalf("%d and %d hang together and are in parts %d and %d", i, j, at[i], at[j])
				}
			}
		}
		for part := range parts {
			if !slices.Contains(at, part) {
				t.Errorf("part %d of %d is empty", part, parts)
			}
		}
	}
	if g := groups(list); g[0] != g[5] {
		t.Error("the same text is held out apart")
	}
}

// Too little is said as what is lacking, and what was measured says about how much more would tell.
func TestTooLittleIsSaid(t *testing.T) {
	list := ruled(1, 40, 1, 6, 2)
	fine := slices.DeleteFunc(slices.Clone(list), func(e Example) bool { return e.Violation })
	bad := slices.DeleteFunc(slices.Clone(list), func(e Example) bool { return !e.Violation })
	for name, c := range map[string]struct {
		list    []Example
		lacking string
		more    int
	}{
		"nothing":        {nil, FewViolations, 20},
		"no violations":  {fine, FewViolations, 10},
		"few violations": {append(slices.Clone(fine), bad[:7]...), FewViolations, 3},
		"few compliant":  {append(slices.Clone(bad), fine[:4]...), FewCompliant, 6},
		"one customer":   {ruled(2, 1, 60, 6, 2), FewCustomers, 9},
	} {
		if r := Measure(c.list); r.Lacking != c.lacking || r.More != c.more || r.Better() {
			t.Errorf("%s: %+v", name, r)
		}
	}
	known := ruled(4, 40, 1, 6, 2)
	for i := range known {
		if known[i].Known = i < 10; !known[i].Known {
			known[i].Keys = []string{fmt.Sprint("new customer ", i/10)}
		}
	}
	if r := Measure(known); r.Lacking != FewCustomers || r.Tested != 30 {
		t.Errorf("all that is new comes from three customers: %+v", r)
	}
	more := 0
	for seed := range uint64(20) {
		r := Measure(ruled(seed, 40, 1, 12, 0.7))
		if r.Lacking != "" || r.Low > r.Gain() || r.High < r.Gain() || r.Better() && r.More > 0 {
			t.Fatalf("%+v", r)
		}
		if r.More > 0 {
			more++
		}
	}
	if more == 0 {
		t.Error("it never says how many more would tell")
	}
}

// A version is compared with the one that counts on what that one wasn't fitted on.
func TestWhatCountsNowIsTheMeasure(t *testing.T) {
	list := ruled(5, 120, 1, 12, 2.5)
	head := Fit(list[:60])
	for i := range list {
		list[i].Known = i < 60
		list[i].Now = list[i].Odds + head.Add(list[i].X)
	}
	r := Measure(list)
	if r.Tested != 60 || r.Labels != 120 || r.Before.AUC < 0.85 || r.Better() {
		t.Errorf("a version as good as the new one: %+v", r)
	}
	if again := Measure(list); !reflect.DeepEqual(r, again) {
		t.Errorf("%+v, again %+v", r, again)
	}
}

// More labels find more, and the curve ends at what is offered.
func TestLearningCurve(t *testing.T) {
	r := Measure(ruled(8, 160, 2, 24, 2))
	if len(r.Curve) != 4 || r.Curve[3].Labels != 320 || r.Curve[3].Score != r.After {
		t.Fatalf("%+v", r)
	}
	if r.Curve[0].Labels >= r.Curve[1].Labels || r.Curve[0].AUC >= r.Curve[3].AUC || r.After.Found <= r.Before.Found ||
		r.After.Found > r.Of {
		t.Errorf("%+v", r)
	}
}

func TestAUCIsTheShareOfPairs(t *testing.T) {
	list := ruled(11, 50, 1, 4, 1)
	for i := range list {
		list[i].Odds = math.Round(list[i].Odds) // ties
	}
	odds := make([]float64, len(list))
	for i, e := range list {
		odds[i] = e.Odds
	}
	pairs, right := 0.0, 0.0
	for i, a := range list {
		for j, b := range list {
			if a.Violation && !b.Violation {
				pairs++
				if odds[i] > odds[j] {
					right++
				} else if odds[i] == odds[j] {
					right += 0.5
				}
			}
		}
	}
	if got := auc(list, order(odds), odds, func(int) float64 { return 1 }); math.Abs(got-right/pairs) > 1e-12 {
		t.Errorf("%f, want %f", got, right/pairs)
	}
}

// What teaches most is unsure and new: not what the judge is sure of, what is known, or the twin of what was chosen.
func TestWhatTeachesMostComesFirst(t *testing.T) {
	at := func(odds float64, x ...float64) Example { return Example{X: x, Now: odds} }
	candidates := []Example{at(6, 0, 1, 0), at(0.1, 0, 0, 1), at(0.2, 0, 0, 1), at(0, 1, 0, 0), at(-1, 0, 1, 0)}
	if got := TeachMost(candidates, []Example{at(0, 1, 0, 0)}, 3); !slices.Equal(got, []int{1, 4, 0}) {
		t.Errorf("%v: the sure one comes before the twin and the one that is known alone", got)
	}
	if got := TeachMost(candidates, nil, 99); len(got) != 5 || got[0] != 3 {
		t.Errorf("%v", got)
	}
	if got := TeachMost(nil, candidates, 3); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
