package learning

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"

	"preceptor/internal/pack"
)

// maxDiff bounds the words compared on each side; beyond it only sentences are.
const maxDiff = 3_000

// swap is a run of words that took another's place; one side may be empty.
type swap struct{ old, new []string }

// difference is what a person changed in a text.
type difference struct {
	same      bool     // but for spaces, punctuation and capitals
	reordered bool     // the same words in another order
	swaps     []swap   // in order; lower-case words
	added     []string // sentences of the new text that the old one has nothing like
	removed   []string // and the other way round
	kept      float64  // share of the old text's words that stand, 0 to 1
}

// compare finds what changed from old to new.
func compare(old, new string) difference {
	var d difference
	if letters(old) == letters(new) {
		d.same, d.kept = true, 1
		return d
	}
	a, b := pack.Words(old), pack.Words(new)
	if x, y := slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)); slices.Equal(x, y) {
		d.reordered, d.kept = true, 1
		return d
	}
	d.added, d.removed = unmatched(new, old), unmatched(old, new)
	if len(a) > maxDiff || len(b) > maxDiff {
		return d
	}
	d.swaps, d.kept = wordDiff(a, b)
	return d
}

// letters is text without anything but letters and digits, in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '£' || r == '%' {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// wordDiff gives each distinct word a rune and lets go-diff compare the runes. No time limit: the result must not depend
// on how busy the machine is, and maxDiff bounds the work.
func wordDiff(a, b []string) ([]swap, float64) {
	code := map[string]rune{}
	encode := func(ws []string) []rune {
		out := make([]rune, len(ws))
		for i, w := range ws {
			r, ok := code[w]
			if !ok {
				r = rune(0xE000 + len(code)) // the private use area holds 6,400; 2 × maxDiff words fit
				code[w] = r
			}
			out[i] = r
		}
		return out
	}
	x, y := encode(a), encode(b)
	back := make(map[rune]string, len(code))
	for w, r := range code {
		back[r] = w
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0
	diffs := dmp.DiffMainRunes(x, y, false)
	var out []swap
	kept := 0
	var cur swap
	flush := func() {
		if len(cur.old)+len(cur.new) > 0 {
			out = append(out, cur)
			cur = swap{}
		}
	}
	for _, df := range diffs {
		ws := decode(df.Text, back)
		switch df.Type {
		case diffmatchpatch.DiffEqual:
			kept += len(ws)
			if len(ws) == 1 && smallWords[ws[0]] && len(cur.old) > 0 && len(cur.new) > 0 {
				cur.old, cur.new = append(cur.old, ws[0]), append(cur.new, ws[0]) // "of" alone does not part a phrase
				continue
			}
			flush()
		case diffmatchpatch.DiffDelete:
			cur.old = append(cur.old, ws...)
		case diffmatchpatch.DiffInsert:
			cur.new = append(cur.new, ws...)
		}
	}
	flush()
	for i := range out {
		out[i] = out[i].trimmed()
	}
	if len(a) == 0 {
		return out, 0
	}
	return out, float64(kept) / float64(len(a))
}

// trimmed takes off what both sides begin or end with.
func (s swap) trimmed() swap {
	for len(s.old) > 0 && len(s.new) > 0 && s.old[0] == s.new[0] {
		s.old, s.new = s.old[1:], s.new[1:]
	}
	for len(s.old) > 0 && len(s.new) > 0 && s.old[len(s.old)-1] == s.new[len(s.new)-1] {
		s.old, s.new = s.old[:len(s.old)-1], s.new[:len(s.new)-1]
	}
	return s
}

func decode(text string, back map[rune]string) []string {
	out := make([]string, 0, utf8.RuneCountInString(text))
	for _, r := range text {
		out = append(out, back[r])
	}
	return out
}

// unmatched lists the sentences of a that no sentence of b resembles.
func unmatched(a, b string) []string {
	var theirs []map[string]bool
	for _, s := range sentences(b) {
		theirs = append(theirs, pack.ContentStems(s))
	}
	var out []string
	for i, s := range sentences(a) {
		if i > 400 {
			break
		}
		mine := pack.ContentStems(s)
		if len(mine) < 2 {
			continue
		}
		if !slices.ContainsFunc(theirs, func(t map[string]bool) bool { return covered(mine, t) >= 0.5 }) {
			out = append(out, s)
		}
	}
	return out
}

// covered is the share of the stems in a that b has; 0 when a has none.
func covered(a, b map[string]bool) float64 {
	if len(a) == 0 {
		return 0
	}
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// trivial tells whether the changes are small words and spelling only: nothing that turns a meaning round.
func (d difference) trivial() bool {
	if d.same {
		return true
	}
	if d.reordered || len(d.swaps) == 0 {
		return false
	}
	for _, s := range d.swaps {
		if !trivialSwap(s) {
			return false
		}
	}
	return true
}

func trivialSwap(s swap) bool {
	old, new := meaning(s.old), meaning(s.new)
	if len(old) == 0 && len(new) == 0 {
		return true
	}
	if strings.Join(s.old, "") == strings.Join(s.new, "") {
		return true
	}
	if len(old) != len(new) {
		return false
	}
	for i := range old {
		if !sameSpelling(old[i], new[i]) {
			return false
		}
	}
	return true
}

// smallWords carry no meaning of their own; "not", "may", "must", "only" and their like do.
var smallWords = map[string]bool{}

func init() {
	for w := range strings.FieldsSeq(`a an the of to in on at for from by with and or but as is are be been was were it its it's this that these those there
		which who you your you're you've you'll yourself we our they their them will have has had do does so also then than if when up out about into
		any some e.g eg i.e ie etc such just very really please can get got`) {
		smallWords[w] = true
	}
}

func meaning(ws []string) []string {
	var out []string
	for _, w := range ws {
		if !smallWords[w] {
			out = append(out, w)
		}
	}
	return out
}

// sameSpelling tells whether two words are one word with a slip of the pen or another ending. Numbers never are.
func sameSpelling(a, b string) bool {
	if a == b {
		return true
	}
	if strings.ContainsAny(a+b, "0123456789£%") || len(a) < 4 || len(b) < 4 {
		return false
	}
	for x := range pack.ContentStems(a) {
		if pack.ContentStems(b)[x] {
			return true
		}
	}
	limit := 1
	if len(a) >= 7 {
		limit = 2
	}
	return editDistance(a, b) <= limit
}

// editDistance counts inserted, deleted, replaced and swapped letters.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 40 || len(y) > 40 {
		return 40
	}
	prev2, prev, cur := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(y)]
}

// averageSentence is the mean length of a text's sentences in words; 0 for no text.
func averageSentence(text string) float64 {
	n, s := len(pack.Words(text)), len(pack.SentenceSpans(text))
	if s == 0 {
		return 0
	}
	return float64(n) / float64(s)
}
