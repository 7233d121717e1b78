package preference

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The American League of 1987, games between seven teams of its East, home and away together: the example of Agresti,
// Categorical Data Analysis (2nd edition 2002, 10.6), with his estimates against Baltimore.
var league = []struct {
	name string
	wins [7]int
	log  float64
}{
	{"Milwaukee", [7]int{0, 7, 9, 7, 7, 9, 11}, 1.58},
	{"Detroit", [7]int{6, 0, 7, 5, 11, 9, 9}, 1.44},
	{"Toronto", [7]int{4, 6, 0, 7, 7, 8, 12}, 1.29},
	{"New York", [7]int{6, 8, 6, 0, 6, 7, 10}, 1.25},
	{"Boston", [7]int{6, 2, 6, 7, 0, 7, 12}, 1.11},
	{"Cleveland", [7]int{4, 4, 5, 6, 6, 0, 6}, 0.68},
	{"Baltimore", [7]int{2, 4, 1, 3, 1, 7, 0}, 0},
}

func TestRankIsThePublishedFit(t *testing.T) {
	var list []Contest
	for i := range league {
		for j := i + 1; j < len(league); j++ {
			list = append(list, Contest{One: league[i].name, Two: league[j].name, Ones: league[i].wins[j],
				Twos: league[j].wins[i]})
		}
	}
	r := Rank(list)
	if len(r.Groups) != 1 || !r.Groups[0].Ranked || r.Groups[0].Message != "" || r.Message != "" {
		t.Fatalf("%+v", r)
	}
	members := r.Groups[0].Members
	last := members[len(members)-1]
	for i, m := range members {
		if m.Name != league[i].name || math.Abs(m.Log-last.Log-league[i].log) > 0.006 {
			t.Errorf("%d is %s with %.3f, want %s with %.2f", i, m.Name, m.Log-last.Log, league[i].name, league[i].log)
		}
	}
	if m := members[0]; m.Wins != 50 || m.Losses != 28 || m.Low > 0.35 || m.Low < 0 || m.High < m.Log {
		t.Errorf("%+v", m)
	}
}

// With two makers the interval is that of a logit, in closed form: the logarithms are ± half of log(a/b), their
// deviations half of √(1/a + 1/b).
func TestTwoMakersInClosedForm(t *testing.T) {
	r := Rank([]Contest{{One: "a", Two: "b", Ones: 30, Twos: 12}})
	m := r.Groups[0].Members[0]
	want, se := math.Log(30.0/12)/2, math.Sqrt(1.0/30+1.0/12)/2
	if m.Name != "a" || math.Abs(m.Log-want) > 1e-9 || math.Abs(m.High-m.Log-z95*se) > 1e-9 ||
		math.Abs(m.Chance-logistic(want)) > 1e-12 {
		t.Errorf("%+v, want %v ± %v", m, want, z95*se)
	}
}

// drawn are contests in which everybody is connected and nobody won or lost everything: a ring both ways, and more.
func drawn(t *rapid.T) []Contest {
	n := rapid.IntRange(2, 6).Draw(t, "makers")
	var list []Contest
	for i := range n {
		for j := i + 1; j < n; j++ {
			next := j == i+1 || i == 0 && j == n-1
			if next || rapid.Bool().Draw(t, "met") {
				least := 0
				if next {
					least = 1
				}
				list = append(list, Contest{One: fmt.Sprint("m", i), Two: fmt.Sprint("m", j),
					Ones: rapid.IntRange(least, 30).Draw(t, "ones"),
					Twos: rapid.IntRange(least, 30).Draw(t, "twos"), Ties: rapid.IntRange(0, 15).Draw(t, "ties")})
			}
		}
	}
	return list
}

func byName(t interface{ Fatalf(string, ...any) }, r Ranking) map[string]Strength {
	if len(r.Groups) != 1 || !r.Groups[0].Ranked {
		t.Fatalf("not one ranking: %+v", r)
	}
	m := map[string]Strength{}
	for _, s := range r.Groups[0].Members {
		m[s.Name] = s
	}
	return m
}

// At the maximum each maker's wins and half its ties are as many as the model expects of it, and so are all ties; the
// logarithms sum to 0.
func TestRankSolvesTheEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawn(t)
		r := Rank(list)
		m := byName(t, r)
		nu := r.Groups[0].Tie
		got, expected := map[string]float64{}, map[string]float64{}
		ties, sum := 0.0, 0.0
		for _, c := range list {
			n := float64(c.Ones + c.Twos + c.Ties)
			a, b := math.Exp((m[c.One].Log-m[c.Two].Log)/2), math.Exp((m[c.Two].Log-m[c.One].Log)/2)
			all := a + b + nu
			got[c.One] += float64(c.Ones) + float64(c.Ties)/2
			got[c.Two] += float64(c.Twos) + float64(c.Ties)/2
			expected[c.One] += n * (a + nu/2) / all
			expected[c.Two] += n * (b + nu/2) / all
			ties += float64(c.Ties) - n*nu/all
		}
		for name, s := range m {
			sum += s.Log
			if math.Abs(got[name]-expected[name]) > 1e-5 {
				t.Fatalf("%s has %v, the model says %v", name, got[name], expected[name])
			}
			if !(s.Low < s.Log && s.Log < s.High && s.ChanceLow < s.Chance && s.Chance < s.ChanceHigh) {
				t.Fatalf("no interval: %+v", s)
			}
		}
		if math.Abs(sum) > 1e-8 || math.Abs(ties) > 1e-5 {
			t.Fatalf("sum %v, ties off by %v", sum, ties)
		}
	})
}

// Other names, another order of contests, and the two of a contest swapped change nothing.
func TestRankKnowsNoNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawn(t)
		names := rapid.Permutation([]string{"m0", "m1", "m2", "m3", "m4", "m5"}).Draw(t, "names")
		other := map[string]string{}
		for i, n := range names {
			other[fmt.Sprint("m", i)] = n
		}
		var again []Contest
		for _, c := range list {
			d := Contest{One: other[c.One], Two: other[c.Two], Ones: c.Ones, Twos: c.Twos, Ties: c.Ties}
			if rapid.Bool().Draw(t, "swap") {
				d = Contest{One: d.Two, Two: d.One, Ones: d.Twos, Twos: d.Ones, Ties: d.Ties}
			}
			again = append(again, d)
		}
		again = rapid.Permutation(again).Draw(t, "order")
		a, b := byName(t, Rank(list)), byName(t, Rank(again))
		for name, s := range a {
			o := b[other[name]]
			if math.Abs(s.Log-o.Log) > 1e-6 || math.Abs(s.Low-o.Low) > 1e-6 || math.Abs(s.High-o.High) > 1e-6 ||
				s.Wins != o.Wins || s.Losses != o.Losses || s.Ties != o.Ties {
				t.Fatalf("%s %+v became %+v", name, s, o)
			}
		}
	})
}

// Where every pair won as often as it lost, all are equal.
func TestSymmetricAnswersGiveEqualStrength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawn(t)
		for i := range list {
			list[i].Ones, list[i].Twos = max(1, list[i].Ones), max(1, list[i].Ones)
		}
		for name, s := range byName(t, Rank(list)) {
			if math.Abs(s.Log) > 1e-9 || math.Abs(s.Chance-0.5) > 1e-9 {
				t.Fatalf("%s: %+v", name, s)
			}
		}
	})
}

// Twice the answers narrow the interval by √2 and move nothing.
func TestMoreOfTheSameNarrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawn(t)
		twice := slices.Clone(list)
		for i := range twice {
			twice[i].Ones, twice[i].Twos, twice[i].Ties = 2*twice[i].Ones, 2*twice[i].Twos, 2*twice[i].Ties
		}
		a, b := byName(t, Rank(list)), byName(t, Rank(twice))
		for name := range a {
			if math.Abs(a[name].Log-b[name].Log) > 1e-6 ||
				math.Abs((a[name].High-a[name].Log)-math.Sqrt2*(b[name].High-b[name].Log)) > 1e-5 {
				t.Fatalf("%+v and %+v", a[name], b[name])
			}
		}
	})
}

func TestWhatCarriesNoRankingIsSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		list   []Contest
		groups int
		ranked bool
		says   string
	}{
		"nothing": {nil, 0, false, "Nothing has been compared yet"},
		"two groups": {[]Contest{{One: "a", Two: "b", Ones: 3, Twos: 2},
			{One: "c", Two: "d", Ones: 1, Twos: 2}}, 2, true, "never compared with each other"},
		"only ties": {[]Contest{{One: "a", Two: "b", Ties: 4}}, 1, false,
			"All answers so far are ties"},
		"never lost": {[]Contest{{One: "a", Two: "b", Ones: 4}, {One: "b", Two: "c", Ones: 2, Twos: 2}},
			1, true, "a never lost to the others"},
		"two on top": {[]Contest{{One: "a", Two: "b", Ones: 4, Twos: 1}, {One: "b", Two: "c", Ones: 2}},
			1, true, "a and b never lost to the others"},
		"with itself": {[]Contest{{One: "a", Two: "a", Ones: 4}}, 0, false,
			"Nothing has been compared yet"},
		"a tie alone bounds nothing": {[]Contest{{One: "a", Two: "b", Ones: 4, Ties: 1}}, 1, true, "a never lost"},
		"a tie beside a circle does": {[]Contest{{One: "a", Two: "b", Ones: 4, Ties: 1},
			{One: "b", Two: "c", Ones: 2, Twos: 1}}, 1, true, ""},
	} {
		r := Rank(tt.list)
		all := r.Message
		ranked := len(r.Groups) > 0
		for _, g := range r.Groups {
			all += " " + g.Message
			ranked = ranked && g.Ranked
			for _, s := range g.Members {
				if math.IsNaN(s.Log) || math.IsInf(s.High, 0) {
					t.Errorf("%s: %+v", name, s)
				}
			}
		}
		if len(r.Groups) != tt.groups || ranked != tt.ranked || !strings.Contains(all, tt.says) ||
			tt.says == "" && strings.TrimSpace(all) != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
