package knowledge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
)

// diverse chooses n cases by maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998): the best first, and then
// again and again the one that is relevant and unlike every one already chosen. A linked near-duplicate of a chosen
// case is left out. Items come best first.
func (b *Base) diverse(ctx context.Context, items []Item, n int) ([]Item, error) {
	left := items[:min(len(items), max(mmrDepth, n))]
	bags := lists.Map(left, func(it Item) map[string]float64 { return bag(it.Title + " " + it.Text) })
	like := make([]float64, len(left)) // to the chosen one it is most like
	gone := make([]bool, len(left))
	var out []Item
	for len(out) < n {
		at, best := -1, math.Inf(-1)
		for i, it := range left {
			if gone[i] {
				continue
			}
			if v := mmrRelevance*it.Score/max(items[0].Score, 1e-9) - (1-mmrRelevance)*like[i]; v > best {
				at, best = i, v
			}
		}
		if at < 0 {
			break
		}
		it := left[at]
		gone[at] = true
		if passed := overtaken(gone, at); passed > 0 {
			it.Why = append(it.Why[:len(it.Why):len(it.Why)],
				fmt.Sprintf("chosen before %d more relevant ones that repeat what was already chosen", passed))
		}
		out = append(out, it)
		twins, against, err := b.twins(ctx, it.ID)
		if err != nil {
			return nil, err
		}
		for i := range left {
			if !slices.Contains(against, left[i].ID) { // who says the opposite repeats nothing
				like[i] = max(like[i], alike(bags[at], bags[i]))
			}
			gone[i] = gone[i] || slices.Contains(twins, left[i].ID)
		}
	}
	return out, nil
}

// overtaken counts the better ones that are still not chosen.
func overtaken(gone []bool, at int) (n int) {
	for _, g := range gone[:at] {
		if !g {
			n++
		}
	}
	return n
}

// bag counts the words of a text that tell something, damped.
func bag(s string) map[string]float64 {
	m := map[string]float64{}
	for _, w := range text.Words(s) {
		if len(w) > 3 {
			m[w]++
		}
	}
	var sum float64
	for w, n := range m {
		m[w] = 1 + math.Log(n)
		sum += m[w] * m[w]
	}
	for w := range m {
		m[w] /= math.Sqrt(sum)
	}
	return m
}

// alike is the cosine of two bags.
func alike(a, b map[string]float64) (s float64) {
	for w, x := range a {
		s += x * b[w]
	}
	return s
}
