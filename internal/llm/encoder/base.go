package encoder

import (
	"cmp"
	"math"
)

// sameWord is the cosine from which two pieces with the same first letter are forms of one word (TestBase).
const sameWord = 0.415

// Base is the shortest of a word's forms that the encoder knows, and of several the one nearest to all others: "write"
// of "wrote". What has no shorter form is its own.
func (t *Trunk) Base(word string) string {
	id, ok := t.vocabulary.begins[word]
	if !ok || word == "" {
		return word
	}
	forms := map[string]int32{}
	for form, other := range t.vocabulary.begins {
		if form != "" && form[0] == word[0] && t.words.cosine(id, other) >= sameWord {
			forms[form] = other
		}
	}
	near := func(form string) (sum float64) {
		for _, other := range forms {
			sum += math.Round(1e6 * t.words.cosine(forms[form], other)) // the same in any order
		}
		return sum
	}
	best := word
	for form := range forms {
		if cmp.Or(cmp.Compare(len(form), len(best)), cmp.Compare(near(best), near(form))) < 0 {
			best = form
		}
	}
	return best
}

// cosine is how alike two rows are.
func (t *table) cosine(i, k int32) float64 {
	var xy, xx, yy float64
	y := t.codes[int(k)*t.width:]
	for n, c := range t.codes[int(i)*t.width : int(i+1)*t.width] {
		x, y := float64(c), float64(y[n])
		xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
	}
	return xy / math.Sqrt(xx*yy)
}
