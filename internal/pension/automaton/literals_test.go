package automaton

import (
	"strings"
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
		NewLiterals(words).Mark(text, bits)
		for n, w := range words {
			if got := bits[n>>6]>>(n&63)&1 == 1; got != strings.Contains(text, w) {
				t.Fatalf("%q in %q: %v", w, text, got)
			}
		}
	})
}
