package knowledge

import (
	"cmp"
	"slices"
)

// quotedShare is ours: the share of a case's word triples that sections have, from which it says what they say; the
// rest is greeting and sources.
const quotedShare = 0.5

// sectionsFirst makes one result of a case and the section that it quotes: the section, in the better place of the two.
// A case that a person revised stays, behind it. Items come best first.
func sectionsFirst(items []Item) []Item {
	ours := func(it Item) bool { return it.Case.Source != FromDocument }
	if !slices.ContainsFunc(items[:min(len(items), mmrDepth)], ours) {
		return items
	}
	out := slices.Clone(items)
	said := make([]map[string]bool, len(out))
	for i, it := range out {
		if !ours(it) {
			said[i] = shingles(it.Text)
		}
	}
	drop := map[string]bool{}
	for _, it := range items {
		if !ours(it) {
			continue
		}
		mine := shingles(it.Text)
		covered, best, most := map[string]bool{}, -1, 0
		for i, theirs := range said {
			n := 0
			for s := range mine {
				if theirs[s] {
					n, covered[s] = n+1, true
				}
			}
			if n > most {
				best, most = i, n
			}
		}
		if len(mine) < minSame || float64(len(covered)) < quotedShare*float64(len(mine)) {
			continue
		}
		s := &out[best]
		s.Score = max(s.Score, it.Score)
		if drop[it.ID] = it.Case.Negative == ""; drop[it.ID] && !slices.Contains(s.Why, quotedWhy) {
			s.Why = append(s.Why[:len(s.Why):len(s.Why)], quotedWhy)
		}
	}
	out = slices.DeleteFunc(out, func(it Item) bool { return drop[it.ID] })
	slices.SortStableFunc(out, func(x, y Item) int {
		if d := cmp.Compare(y.Score, x.Score); d != 0 || ours(x) == ours(y) {
			return d
		}
		if ours(x) {
			return 1
		}
		return -1
	})
	return out
}

const quotedWhy = "approved answers quote it"
