package embedded

import (
	"strings"
	"unicode"

	"preceptor/internal/text"

	"github.com/kljensen/snowball/english"
)

// maxTokens bounds the work for one text; guidance sections have a few hundred words.
const maxTokens = 4000

// token is a word of a text, mended if it was misspelt.
type token struct {
	stem   string
	word   string // as it stood
	fixed  string // as it was meant
	mended bool
	// reworded is true of a plain word that stands for what was said.
	reworded bool
}

func stem(w string) string {
	if w == "" || w[0] >= '0' && w[0] <= '9' {
		return w
	}
	return english.Stem(w, true)
}

// split cuts text into lower-case words. Apostrophes vanish ("can't" is "cant"), £30,000 and 30k are 30000, 25% and 25 per
// cent are 25pct.
func split(text string) []string {
	text = quotes.Replace(strings.ToLower(text))
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '%' && r != ',' && r != '.'
	})
	out := make([]string, 0, len(words))
	for _, w := range words {
		if len(out) >= maxTokens {
			break
		}
		if w[0] >= '0' && w[0] <= '9' {
			if n := number(w); n != "" {
				out = append(out, n)
				continue
			}
		}
		for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == ',' || r == '.' || r == '%' }) {
			if len(part) <= 40 {
				out = append(out, part)
			}
		}
	}
	return out
}

var quotes = strings.NewReplacer("'", "", "’", "", "‘", "", " per cent", "%", "per cent", "%", " percent", "%", "percent", "%", " %", "%", "£", " ")

// number is the plain form of an amount; "" when w is none.
func number(w string) string {
	w = strings.TrimRight(w, ".,")
	percent := strings.HasSuffix(w, "%")
	w = strings.TrimSuffix(w, "%")
	thousands := strings.HasSuffix(w, "k")
	w = strings.TrimSuffix(w, "k")
	w = strings.ReplaceAll(w, ",", "")
	w, _, _ = strings.Cut(w, ".")
	if w == "" || strings.Trim(w, "0123456789") != "" {
		return ""
	}
	switch {
	case percent:
		return w + "pct"
	case thousands:
		return w + "000"
	}
	return w
}

func (t *tables) tokens(text string) []token {
	words := split(text)
	out := make([]token, 0, len(words))
	for _, w := range words {
		fixed := t.mend(w)
		out = append(out, token{stem: stem(fixed), word: w, fixed: fixed, mended: fixed != w})
	}
	return out
}

// mend gives the known word that w was probably meant to be, or w. Short words, numbers and words that are right as they
// stand are left alone, and so is what could be meant in too many ways.
func (t *tables) mend(w string) string {
	if len(w) < 4 || len(w) > 18 || w[0] >= '0' && w[0] <= '9' || t.right[w] || t.rightStem(w) {
		return w
	}
	allowed := 1
	if len(w) >= 9 {
		allowed = 2
	}
	best, bestCost := w, allowed+1
	for n := len(w) - allowed; n <= len(w)+allowed; n++ {
		for _, k := range t.byLength[n] {
			if k[0] != w[0] && !(len(k) > 1 && k[0] == w[1] && k[1] == w[0]) {
				continue // people get the first letter right
			}
			if len(w) == 4 && n == 4 && !swapped(w, k) {
				continue // every other short word is one letter from another
			}
			if c := text.Distance([]byte(w), []byte(k), bestCost); c < bestCost {
				best, bestCost = k, c
			}
		}
	}
	return best
}

// swapped tells whether a is b with two neighbours swapped.
func swapped(a, b string) bool {
	for i := 0; i+1 < len(a); i++ {
		if a[:i]+string(a[i+1])+string(a[i])+a[i+2:] == b {
			return true
		}
	}
	return false
}

// rightStem tells whether w is a known word with another ending.
func (t *tables) rightStem(w string) bool {
	for _, end := range []string{"s", "ed", "d", "ing", "ly", "er", "es", "ies", "nt"} {
		if base, ok := strings.CutSuffix(w, end); ok && len(base) >= 3 && (t.right[base] || t.right[base+"e"] || end == "ies" && t.right[base+"y"]) {
			return true
		}
	}
	return t.right[w+"s"] || t.right[w+"d"]
}
