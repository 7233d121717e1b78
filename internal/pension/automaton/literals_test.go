package automaton

import (
	xbits "math/bits"
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
		news := NewLiterals(edged).Mark(text, bits, nil)
		if len(news) != xbits.OnesCount64(bits[0])+xbits.OnesCount64(bits[1]) {
			t.Fatalf("%d news for %x", len(news), bits)
		}
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
		}
	})
}
