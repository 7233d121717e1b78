package automaton

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// The walk hears exactly the strings that stand in the text.
func TestLiteralsAgreeWithContains(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune("aab £é")), 1, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 0, 70).Draw(t, "words")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("aaabbx £é")), 0, 30, -1).Draw(t, "text")
		bits := make([]uint64, 2)
		opens, closes := rapid.Bool().Draw(t, "opens"), rapid.Bool().Draw(t, "closes")
		var edged []string
		for _, w := range words {
			edged = append(edged, Edged(w, opens, closes))
		}
		l := NewLiterals(edged)
		ends := map[int][]int{}
		l.Walk(text, func(found []uint16, end int) {
			for _, n := range found {
				bits[n>>6] |= 1 << (n & 63)
				ends[int(n)] = append(ends[int(n)], end)
			}
		})
		for n, w := range words {
			p := regexp.QuoteMeta(w)
			if opens && isWord[w[0]] {
				p = `\b` + p
			}
			if closes && isWord[w[len(w)-1]] {
				p += `\b`
			}
			if got := bits[n>>6]>>(n&63)&1 == 1; got != regexp.MustCompile(p).MatchString(text) {
				t.Fatalf("%q in %q: %v", p, text, got)
			}
			for _, end := range ends[n] {
				if got := text[end-l.Length(uint16(n)) : end]; got != w {
					t.Fatalf("%q stands at %d of %q", got, end, text)
				}
			}
		}
	})
}
