package practice

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// rounds of raking, after which the weights of our files no longer change.
const rounds = 200

// rake weighs lives so that ages, literacy, vulnerability, pensions and features are spread as Spreads say (iterative
// proportional fitting, Deming and Stephan 1940). A value that no life has can't be reached, and a test says how near
// the rest comes.
func rake(lives []Life, spreads map[string]Spread) map[string]float64 {
	w := map[string]float64{}
	for _, l := range lives {
		w[l.ID] = 1
	}
	names := slices.Sorted(maps.Keys(spreads))
	for range rounds {
		for _, name := range names {
			if name == "pensions" || name == "features" { // each is a share of its own
				for _, v := range slices.Sorted(maps.Keys(spreads[name].Values)) {
					share := spreads[name].Values[v]
					fit(lives, w, map[string]float64{"yes": share, "no": 1 - share}, func(l *Life) string {
						return yes(slices.Contains(l.Pensions, v) || slices.Contains(l.Features, v))
					})
				}
				continue
			}
			fit(lives, w, spreads[name].Values, func(l *Life) string { return valueOf(l, name, spreads[name].Values) })
		}
	}
	return w
}

// fit brings one fact to its shares, of the values that are there.
func fit(lives []Life, w, shares map[string]float64, value func(*Life) string) {
	have := map[string]float64{}
	total, wanted := 0.0, 0.0
	for i := range lives {
		have[value(&lives[i])] += w[lives[i].ID]
		total += w[lives[i].ID]
	}
	for v, share := range shares {
		if have[v] > 0 {
			wanted += share
		}
	}
	if wanted == 0 {
		return
	}
	for i := range lives {
		v := value(&lives[i])
		if share, ok := shares[v]; ok && have[v] > 0 {
			w[lives[i].ID] *= share / wanted * total / have[v]
		}
	}
}

// valueOf is what a fact of somebody is, in the words of a spread: of ages the band.
func valueOf(l *Life, name string, values map[string]float64) string {
	switch name {
	case "literacy":
		return l.Literacy
	case "vulnerable":
		return yes(l.Vulnerable)
	case "age":
		for band := range values {
			if inBand(l.Age, band) {
				return band
			}
		}
	}
	return ""
}

func inBand(age int, band string) bool {
	if from, ok := strings.CutSuffix(band, "+"); ok {
		n, err := strconv.Atoi(from)
		return err == nil && age >= n
	}
	var from, to int
	_, err := fmt.Sscanf(band, "%d-%d", &from, &to)
	return err == nil && age >= from && age <= to
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// drawer draws people of a part of a split, one after the other. The n-th is the same however many were asked for.
type drawer struct {
	list []*Person
	upTo []float64
	seed uint64
}

func (p *People) drawer(where string, split int, seed uint64) *drawer {
	d := &drawer{list: p.All(where, split), seed: seed}
	sum := 0.0
	for _, who := range d.list {
		sum += p.weight[who.ID]
		d.upTo = append(d.upTo, sum)
	}
	return d
}

func (d *drawer) at(n int) *Person {
	r := rand.New(rand.NewPCG(d.seed, uint64(n))) //nolint:gosec // wanted: the same again
	x := r.Float64() * d.upTo[len(d.upTo)-1]
	i, _ := slices.BinarySearch(d.upTo, x)
	return d.list[min(i, len(d.list)-1)]
}
