package encoder

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
)

const (
	// sameWord is the cosine from which two pieces with the same first letters are forms of one word (TestBase).
	sameWord = 0.415
	// surelySpelled is by how much the likelier of two spellings has to be nearer to a past form.
	surelySpelled = 0.008
)

// How English spells what "ed" is added to.
var (
	syllables = regexp.MustCompile(`[aeiouy]+`)
	onset     = regexp.MustCompile(`^(?:[aeiou]|[^aeiou]*)`)
	// bare ends take no e: "lint", "push", "show".
	bare = regexp.MustCompile(`(?:[^aeiouy][bdkmnpx]|[^aeiousy]t|sh|[wxy]|[aeiou]{2}[bdfklmnpr])$`)
	// mute ends have one: "save", "value", "parse", "disable", "configure".
	mute = regexp.MustCompile(`(?:[vu]|[^su]s|z|[bcdfgkptz]l|[^aeo]ur)$`)
	// stressed ends would have been doubled without one: "hop" of "hoped".
	stressed = regexp.MustCompile(`^[^aeiou]*[aeiouy][^aeiouwxy]$`)
)

// Base is the form of a verb that gives an order: "write" of "wrote", "delete" of "deleted"; "" where none is sure. Of
// several that spelling allows one that is a piece of the encoder's own wins, or else the nearest in meaning.
func (t *Trunk) Base(word string) string {
	base := t.base(word)
	for _, again := range []string{"re", "de", "un"} { // "rewrote", "refactored"
		if rest, ok := strings.CutPrefix(word, again); ok && base == "" && len(rest) > 3 {
			if base = t.base(rest); base != "" {
				return again + base
			}
		}
	}
	if stem, past := strings.CutSuffix(word, "ed"); base == "" && past && len(stem) > 3 && syllables.MatchString(stem) {
		return t.nearest(word, t.spelled(stem))
	}
	return base
}

// base is a form of an order that is a piece.
func (t *Trunk) base(word string) string {
	stem, past := strings.CutSuffix(word, "ed")
	if past && syllables.MatchString(stem) && !strings.HasSuffix(stem, "e") {
		return t.nearest(word, slices.DeleteFunc(t.spelled(stem), func(form string) bool { return !t.whole(form) }))
	}
	id, ok := t.vocabulary.begins[word]
	if !ok || word == "" {
		return ""
	}
	itself := t.orders(word) // and yet "found"
	begins, bones := onset.FindString(word), frame(word)
	best, near := "", 0.0
	for form, other := range t.vocabulary.begins {
		if form == "" || form[0] != word[0] || onset.FindString(form) != begins {
			continue
		}
		c := t.words.cosine(id, other)
		if c >= sameWord && t.orders(form) && (!itself || frame(form) == bones) && (best == "" ||
			cmp.Or(cmp.Compare(len(form), len(best)), cmp.Compare(near, c), cmp.Compare(form, best)) < 0) {
			best, near = form, c
		}
	}
	return best
}

// spelled are the forms of which stem + "ed" may be the past.
func (t *Trunk) spelled(stem string) []string {
	n := len(stem)
	switch {
	case strings.HasSuffix(stem, "i") && n > 2:
		return []string{stem[:n-1] + "y"}
	case n > 2 && stem[n-1] == stem[n-2] && !strings.HasSuffix(stem, "ss"):
		if stem[n-1] != 'l' && !t.whole(stem) {
			return []string{stem[:n-1]}
		}
		return []string{stem, stem[:n-1]}
	case bare.MatchString(stem):
		return []string{stem}
	case mute.MatchString(stem), stressed.MatchString(stem):
		return []string{stem + "e"}
	}
	return []string{stem, stem + "e"}
}

// nearest is the form that is read most like a word; "" where another is nearly as like.
func (t *Trunk) nearest(word string, forms []string) (best string) {
	if len(forms) == 1 {
		return forms[0]
	}
	near, next, v := 0.0, 0.0, t.pooled(word)
	for _, form := range forms {
		switch c := cosine(v, t.pooled(form)); {
		case c > near:
			best, near, next = form, c, near
		default:
			next = max(next, c)
		}
	}
	if near-next < surelySpelled {
		return ""
	}
	return best
}

// frame is a word without its vowels.
func frame(word string) string { return syllables.ReplaceAllString(word, "") }

// whole reports whether a word is a piece.
func (t *Trunk) whole(word string) bool { return t.vocabulary.begins[word] != 0 && len(word) > 1 }

// orders reports whether the encoder knows a word's form in -ing.
func (t *Trunk) orders(word string) bool {
	n := len(word)
	if n < 2 {
		return false
	}
	for _, ing := range []string{word, strings.TrimSuffix(word, "e"), word + word[n-1:]} {
		if id := t.vocabulary.begins[ing+"ing"]; id != 0 && t.words.cosine(t.vocabulary.begins[word], id) >= sameWord {
			return true
		}
	}
	return false
}

// pooled is a word as it is read; nil where it can't be.
func (t *Trunk) pooled(word string) []float32 {
	r, err := t.Read(context.Background(), t.Tokenize(word, "")[0])
	if err != nil {
		return nil
	}
	return r.Pool()
}

// cosine is how alike two rows are.
func (t *table) cosine(i, k int32) float64 {
	row := func(i int32) []int8 { return t.codes[int(i)*t.width : int(i+1)*t.width] }
	return cosine(row(i), row(k))
}

func cosine[N int8 | float32](a, b []N) float64 {
	var xy, xx, yy float64
	for n := range a {
		x, y := float64(a[n]), float64(b[n])
		xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
	}
	return xy / math.Sqrt(xx*yy)
}
