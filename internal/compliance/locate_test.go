package compliance

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLocate(t *testing.T) {
	text := "Dear Ann,\n\nYou\u00a0should \u201ctransfer\u201d it.\u200b Don\u2019t wait;  do\nit today."
	for _, c := range []struct {
		quote, want string
	}{
		{"You should", "You\u00a0should"},
		{`"transfer" it.`, "\u201ctransfer\u201d it."},
		{"Don't wait; do it", "Don\u2019t wait;  do\nit"},
		{"  Dear Ann, ", "Dear Ann,"},
		{"Dear\u200b Ann", "Dear Ann"},
		{"do it today.", "do\nit today."},
	} {
		span, ok := Locate(text, c.quote)
		if got := string([]rune(text)[span[0]:span[1]]); !ok || got != c.want {
			t.Errorf("%q: %v, %q", c.quote, ok, got)
		}
	}
	for _, absent := range []string{"", "  \n", "\u200b", "you should", "You should not", strings.Repeat("x", 5000)} {
		if span, ok := Locate(text, absent); ok {
			t.Errorf("%q is found at %v", absent, span)
		}
	}
}

func TestLocateFindsWhatItCutOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []rune(strings.ToValidUTF8(rapid.String().Draw(t, "text"), "?"))
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := rapid.IntRange(from, len(text)).Draw(t, "to")
		quote := string(text[from:to])
		span, ok := Locate(string(text), quote)
		if !ok {
			if seen, _ := inOneLine(quote); len(trimBlanks(seen)) > 0 {
				t.Fatalf("%q is not found in %q", quote, string(text))
			}
			return
		}
		if span[0] < 0 || span[1] > len(text) || span[0] >= span[1] {
			t.Fatalf("the span %v is not within %d", span, len(text))
		}
	})
}
