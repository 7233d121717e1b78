package advisor

import (
	"cmp"
	"slices"
)

const (
	rivalShare = 0.72 // a case whose best sentence scores less than this share of the best one's is left out
	worthShare = 0.42 // a sentence is worth its place from this share of the best score on
	sameLimit  = 0.6  // of a sentence's words already said
)

// choose takes from each of the best cases the run of neighbouring sentences that answers best, so that the text stays
// coherent: most from the best case, less from the next ones. The best case comes first.
func choose(list []passage, want int) [][]passage {
	cases := byCase(list)
	if len(cases) == 0 {
		return nil
	}
	best := top(cases[0])
	shares := []int{(want + 1) / 2, (want + 2) / 3, want - (want+1)/2 - (want+2)/3}
	var out [][]passage
	var said []passage
	for i, c := range cases {
		if i >= len(shares) || top(c) < rivalShare*best {
			break
		}
		run := bestRun(withoutRepeats(c, said), shares[i], worthShare*best)
		if len(run) == 0 {
			continue
		}
		out = append(out, run)
		said = append(said, run...)
	}
	return out
}

// byCase groups the passages, the case with the best sentence first.
func byCase(list []passage) [][]passage {
	var cases [][]passage
	for i := 0; i < len(list); {
		j := i
		for j < len(list) && list[j].item == list[i].item {
			j++
		}
		cases = append(cases, list[i:j])
		i = j
	}
	slices.SortStableFunc(cases, func(a, b []passage) int { return cmp.Compare(top(b), top(a)) })
	return cases
}

func top(c []passage) float64 {
	best := 0.0
	for _, p := range c {
		best = max(best, p.score)
	}
	return best
}

// bestRun is the run of at most n neighbours whose sentences exceed worth by most in sum. It never begins with a sentence that
// leans on one before it.
func bestRun(c []passage, n int, worth float64) []passage {
	var run []passage
	most := 0.0
	for i := range c {
		if c[i].leansOn {
			continue
		}
		sum := 0.0
		if !c[i].first && pointingRE.MatchString(c[i].text) {
			sum = -strayPenalty
		}
		for j := i; j < len(c) && j < i+n && (j == i || c[j].at == c[j-1].at+1); j++ {
			sum += c[j].score - worth
			if c[j].leansOn {
				sum += flowBonus
			}
			if sum > most {
				most, run = sum, c[i:j+1]
			}
		}
	}
	return run
}

// withoutRepeats leaves out what was said, and what leans on it.
func withoutRepeats(c, said []passage) []passage {
	var out []passage
	for _, p := range c {
		if !repeats(p, said) {
			out = append(out, p)
		}
	}
	return out
}

func repeats(p passage, chosen []passage) bool {
	for _, c := range chosen {
		n := 0
		for w := range p.stems {
			if c.stems[w] {
				n++
			}
		}
		if float64(n) >= sameLimit*float64(min(len(p.stems), len(c.stems))) && n > 2 {
			return true
		}
	}
	return false
}
