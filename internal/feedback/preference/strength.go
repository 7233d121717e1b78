package preference

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"preceptor/internal/platform/lists"
)

// Contest is what judges said of two makers, over all their pairs.
type Contest struct {
	One, Two         string
	Ones, Twos, Ties int
}

// Strength is where a maker stands.
type Strength struct {
	Name               string
	Wins, Losses, Ties int
	Log                float64 // natural logarithm of its worth, against the average of its group: 0 is average
	Low, High          float64 // 95% interval of Log
	Chance             float64 // to be preferred to an average one, where one of the two is
	ChanceLow          float64
	ChanceHigh         float64
}

// Group are makers that can be compared with each other, strongest first.
type Group struct {
	Members []Strength
	Ranked  bool    // false: the answers carry no ranking, Message says why
	Tie     float64 // Davidson's ν: how readily judges call two level ones a tie; 0 without ties
	Message string  // what a reader must know; "" when nothing
}

// Ranking is one group, or several that nothing connects.
type Ranking struct {
	Groups  []Group
	Message string
}

// half is how much is added to both sides of each compared pair where a maximum of the likelihood does not exist.
const half = 0.5

// z95 is the 97.5 % point of the normal distribution.
const z95 = 1.959963984540054

// Rank fits the model of Bradley and Terry (Biometrika 39, 1952) with ties as Davidson's (JASA 65, 1970) by maximum
// likelihood:
//
//	P(i before j) = √(πi/πj) / (√(πi/πj) + √(πj/πi) + ν),   P(level) = ν / (…)
//
// Intervals come from the inverse of the observed information, for each logarithm less the mean of its group. A ranking
// exists only among makers that a chain of comparisons connects, and is finite only where nobody won, or lost, all
// comparisons with the rest (Ford, American Mathematical Monthly 64, 1957); both are checked and said.
func Rank(list []Contest) Ranking {
	f := field{index: map[string]int{}}
	for _, c := range list {
		if c.One != c.Two && c.Ones+c.Twos+c.Ties > 0 {
			f.add(c)
		}
	}
	r := Ranking{}
	for _, members := range f.components() {
		r.Groups = append(r.Groups, f.group(members))
	}
	switch {
	case len(r.Groups) == 0:
		r.Message = "Nothing has been compared yet."
	case len(r.Groups) > 1:
		r.Message = fmt.Sprintf("These fall into %d groups that were never compared with each other, so each group "+
			"has its own ranking. One pair of answers between two groups joins them.", len(r.Groups))
	}
	return r
}

// field are all makers and contests.
type field struct {
	index map[string]int
	names []string
	games []game
}

// game is a contest by places; the counts are fractions once something was added.
type game struct {
	i, j     int
	a, b, ti float64
}

func (f *field) at(name string) int {
	i, ok := f.index[name]
	if !ok {
		i = len(f.names)
		f.index[name] = i
		f.names = append(f.names, name)
	}
	return i
}

func (f *field) add(c Contest) {
	f.games = append(f.games, game{f.at(c.One), f.at(c.Two), float64(c.Ones), float64(c.Twos), float64(c.Ties)})
}

// components groups the makers that comparisons connect, largest group first.
func (f *field) components() [][]int {
	near := make([][]int, len(f.names))
	for _, g := range f.games {
		near[g.i], near[g.j] = append(near[g.i], g.j), append(near[g.j], g.i)
	}
	seen := make([]bool, len(f.names))
	var out [][]int
	for i := range f.names {
		if !seen[i] {
			out = append(out, reach(i, near, seen))
		}
	}
	slices.SortStableFunc(out, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(f.first(a), f.first(b)))
	})
	return out
}

func (f *field) first(members []int) string {
	least := f.names[members[0]]
	for _, m := range members {
		least = min(least, f.names[m])
	}
	return least
}

// reach lists what can be got to from i, and marks it.
func reach(i int, near [][]int, seen []bool) []int {
	seen[i] = true
	out := []int{i}
	for at := 0; at < len(out); at++ {
		for _, k := range near[out[at]] {
			if !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
	}
	return out
}

// group ranks the makers of one component.
func (f *field) group(members []int) Group {
	place := map[int]int{}
	slices.SortFunc(members, func(a, b int) int { return cmp.Compare(f.names[a], f.names[b]) })
	g := Group{Members: make([]Strength, len(members))}
	for k, m := range members {
		place[m] = k
		g.Members[k].Name = f.names[m]
	}
	var games []game
	decided, ties := 0.0, 0.0
	for _, x := range f.games {
		i, ok := place[x.i]
		if !ok {
			continue
		}
		j := place[x.j]
		games = append(games, game{i, j, x.a, x.b, x.ti})
		decided, ties = decided+x.a+x.b, ties+x.ti
		for _, side := range []struct {
			at        int
			won, lost float64
		}{{i, x.a, x.b}, {j, x.b, x.a}} {
			s := &g.Members[side.at]
			s.Wins, s.Losses, s.Ties = s.Wins+int(side.won), s.Losses+int(side.lost), s.Ties+int(x.ti)
		}
	}
	if decided == 0 {
		g.Message = "All answers so far are ties, so there is no leader."
		return g
	}
	if unbeaten := unbounded(g.Members, games); unbeaten != "" {
		g.Message = unbeaten
		for k := range games {
			games[k].a += half
			games[k].b += half
		}
	}
	m := fit(len(members), games, ties > 0)
	if !m.ok {
		g.Message = "There are too few answers for a ranking. More comparisons are needed."
		return g
	}
	g.Ranked, g.Tie = true, m.nu
	for k := range g.Members {
		s := &g.Members[k]
		s.Log = m.log[k]
		s.Low, s.High = s.Log-z95*m.se[k], s.Log+z95*m.se[k]
		s.Chance, s.ChanceLow, s.ChanceHigh = logistic(s.Log), logistic(s.Low), logistic(s.High)
	}
	slices.SortStableFunc(g.Members, func(a, b Strength) int {
		return cmp.Or(cmp.Compare(b.Log, a.Log), cmp.Compare(a.Name, b.Name))
	})
	return g
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// unbounded says who never lost, or never won, against the rest, when somebody did so: then the maximum is infinite. A
// tie holds two together as a win on each side would, as long as there is a circle of wins anywhere: without one, ν can
// grow together with all distances, and a tie bounds nothing.
func unbounded(members []Strength, games []game) string {
	beats, beaten := links(members, games, false)
	if circle(beats) {
		beats, beaten = links(members, games, true)
	}
	var top []string
	for i := range members {
		// Whoever can reach i by wins stands above it; those that reach each other stand together.
		above := reach(i, beaten, make([]bool, len(members)))
		below := reach(i, beats, make([]bool, len(members)))
		if len(above) == len(members) && len(below) == len(members) {
			return ""
		}
		if isSubset(above, below) {
			top = append(top, members[i].Name)
		}
	}
	return fmt.Sprintf("%s never lost to the others, so the answers set no upper limit to the lead. Half an answer "+
		"was added to each side of every comparison to draw one; the order is right, the distances are a guess.",
		lists.And(top))
}

// links are who won against whom, and the reverse; with ties both won.
func links(members []Strength, games []game, ties bool) (beats, beaten [][]int) {
	beats, beaten = make([][]int, len(members)), make([][]int, len(members))
	edge := func(i, j int) { beats[i], beaten[j] = append(beats[i], j), append(beaten[j], i) }
	for _, g := range games {
		level := ties && g.ti > 0
		if g.a > 0 || level {
			edge(g.i, g.j)
		}
		if g.b > 0 || level {
			edge(g.j, g.i)
		}
	}
	return beats, beaten
}

// circle reports whether somebody won against one who, over others or directly, won against them.
func circle(beats [][]int) bool {
	for i := range beats {
		for _, j := range beats[i] {
			if slices.Contains(reach(j, beats, make([]bool, len(beats))), i) {
				return true
			}
		}
	}
	return false
}

func isSubset(part, whole []int) bool {
	return !slices.ContainsFunc(part, func(x int) bool { return !slices.Contains(whole, x) })
}
