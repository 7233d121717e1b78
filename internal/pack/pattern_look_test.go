package pack

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// expression draws one as the checks write them: words with edges, endings that may be left out, lists, gaps.
func expression(t *rapid.T, depth int) string {
	if depth == 0 {
		return rapid.SampledFrom([]string{"tax", "ta", "pension", "a", "x", "£5", "lump sum", "no ", `\b`, `(?:^|\W)`, "^", "$", `\w*`, "s?", "[ai]", "[- ]", `\W`, "(?:s|es)?", `(?:\w+ ){0,2}`, "[^.]{0,9}", "k", ".", "don't"}).Draw(t, "leaf")
	}
	a, b := expression(t, depth-1), expression(t, depth-1)
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return "(?:" + a + "|" + b + ")"
	case 1:
		return "(?:" + a + ")" + rapid.SampledFrom([]string{"?", "+", "*", "{1,2}"}).Draw(t, "times") + b
	}
	return a + b
}

// What the words in a text say of an expression, alone or before the automaton, is what regexp says.
func TestLooksAgreeWithRegexp(t *testing.T) {
	word := rapid.SampledFrom([]string{"tax", "taxes", "Pension", "pensions", "a", "x", "£5", "lump sum", "lump", "no", "don't", ".", ",", "-", "k", "K", "as", "ax", "é"})
	rapid.Check(t, func(t *rapid.T) {
		p := expression(t, rapid.IntRange(0, 4).Draw(t, "depth"))
		plain, err := regexp.Compile(`(?i)` + p)
		if err != nil {
			t.Skip()
		}
		pattern, lower := NewPattern(p), NewPlain(p)
		vocabulary.ready.Store(nil) // else what is new may stand anywhere
		set := NewSet([]*Pattern{pattern, lower})
		for range 6 {
			s := strings.Join(rapid.SliceOfN(word, 6, 14).Draw(t, "words"), rapid.SampledFrom([]string{" ", "", "-"}).Draw(t, "between"))
			if got := pattern.MatchString(s); got != plain.MatchString(s) {
				t.Fatalf("%q on %q: %v", p, s, got)
			}
			low := strings.Clone(strings.ToLower(s))
			LookAll(s, low, SentenceSpans(s))
			if got := lower.MatchString(low); got != plain.MatchString(low) || lower.MatchOnce(low) != got {
				t.Fatalf("%q on %q: %v", p, low, got)
			}
			for i, one := range []*Pattern{pattern, lower} {
				if one.MatchString(low) && !slices.Contains(set.Possible(nil, low), i) {
					t.Fatalf("%q on %q is not possible in the set", p, low)
				}
			}
			if got, want := pattern.FindStringIndex(s), plain.FindStringIndex(s); !slices.Equal(got, want) {
				t.Fatalf("%q on %q: %v, want %v", p, s, got, want)
			}
		}
	})
}
