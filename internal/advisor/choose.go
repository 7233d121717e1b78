package advisor

import (
	"cmp"
	"slices"

	"preceptor/internal/pack"
)

// sameLimit is the share of a sentence's words from which on it repeats another.
const sameLimit = 0.6

// choose takes the best case, whole or the stretch of it that answers best, and a second one that is as near, where there is room.
func choose(list []passage, s pack.Situation, want int) [][]passage {
	cases := byCase(list)
	if len(cases) == 0 {
		return nil
	}
	out := [][]passage{stretch(cases[0], s, want)}
	left := want - len(out[0])
	for _, c := range cases[1:] {
		if c[0].near < alsoFrom || left < 2 {
			break
		}
		if c = standing(withoutRepeats(c, out[0])); len(c) > 1 {
			return append(out, stretch(c, s, left))
		}
	}
	return out
}

// byCase groups the passages, the best case first.
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
	slices.SortStableFunc(cases, func(a, b []passage) int { return cmp.Compare(b[0].near, a[0].near) })
	return cases
}

// stretch is a case of at most want sentences, or so many neighbours that have most of the question's words. It never
// begins with a sentence that leans on one before it.
func stretch(c []passage, s pack.Situation, want int) []passage {
	if len(c) <= want {
		return c
	}
	var best []passage
	most := -1
	for i := range c {
		if i > 0 && c[i].leansOn {
			continue
		}
		j := i + 1
		for j < len(c) && j < i+want && c[j].at == c[j-1].at+1 {
			j++
		}
		if n := meets(s, c[i:j]); n > most {
			most, best = n, c[i:j]
		}
		if j == len(c) {
			break
		}
	}
	return best
}

// standing is a case without sentences that lean on one that was left out.
func standing(c []passage) []passage {
	var out []passage
	for i, p := range c {
		if p.leansOn && !(len(out) > 0 && i > 0 && c[i-1].at == p.at-1 && out[len(out)-1].same(c[i-1])) {
			continue
		}
		out = append(out, p)
	}
	return out
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
