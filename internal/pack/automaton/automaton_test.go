package automaton

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// piece draws an expression of some depth, in the syntax that the checks use.
func piece(t *rapid.T, depth int) string {
	if depth == 0 {
		return rapid.SampledFrom([]string{"a", "b", "ab", "ba ", " ", `\b`, `\B`, "^", "$", ".", `\w`, `\d`, "[^a]", "[^.]", "£", "é", `\s`, "[ab]", "(?i:A)", "1", `\n`, "(?m:^)", "(?m:$)", "", "k", "."}).Draw(t, "leaf")
	}
	a := piece(t, depth-1)
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return "(?:" + a + "|" + piece(t, depth-1) + ")"
	case 1:
		return "(?:" + a + rapid.SampledFrom([]string{")?", ")*", ")+", "){0,3}", "){2}", ")*?"}).Draw(t, "times")
	case 2:
		return "(" + a + ")"
	case 3, 4, 5:
		return a + piece(t, depth-1)
	}
	return a
}

// Whatever the expression and the text, the automaton says what package regexp says; asked again, from memory too.
func TestMatchAgreesWithRegexp(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("aabbk K1 .,'£éſK\n-A_\uFFFD")), 0, 20, -1)
	rapid.Check(t, func(t *rapid.T) {
		expression := rapid.SampledFrom([]string{"", "(?i)", "(?s)"}).Draw(t, "flags") + piece(t, rapid.IntRange(0, 4).Draw(t, "depth"))
		re, err := regexp.Compile(expression)
		if err != nil {
			t.Skip()
		}
		m, err := New(expression)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			for _, s := range rapid.SliceOfN(text, 1, 6).Draw(t, "texts") {
				if got, ok := m.Match(s); ok && got != re.MatchString(s) {
					t.Fatalf("%q on %q: %v", expression, s, got)
				}
			}
		}
	})
}

func FuzzMatch(f *testing.F) {
	f.Add(`\bno (?:\w+ ){0,3}risk\b`, "There is no great risk.")
	f.Add(`^(?:take|leave)[^,]*, `, "take it, or \xff leave it")
	f.Fuzz(func(t *testing.T, expression, text string) {
		re, err := regexp.Compile(expression)
		if err != nil || len(expression) > 60 || strings.Contains(expression, "00") {
			t.Skip()
		}
		m, err := New(expression)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := m.Match(text); ok && got != re.MatchString(text) {
			t.Errorf("%q on %q: %v", expression, text, got)
		}
	})
}

// An expression and a text that lead to ever new states are given up in bounded room, and the next text is read again.
func TestMemoryIsBounded(t *testing.T) {
	m, err := New(`(?:a|b)*a(?:a|b){14}c`)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for seed, i := uint64(1), 0; i < 1<<14; i++ {
		seed = seed*6364136223846793005 + 1442695040888963407
		b.WriteByte("ab"[seed>>63])
	}
	if _, ok := m.Match(b.String()); ok {
		t.Error("so many states were kept")
	}
	if got, ok := m.Match("b" + strings.Repeat("a", 15) + "c"); !got || !ok {
		t.Error("nothing is found any more")
	}
	if n := len(m.memory.Load().states); n > kept {
		t.Errorf("%d states", n)
	}
}
