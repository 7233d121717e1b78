package text

import (
	"strings"
	"testing"
)

func TestTangled(t *testing.T) {
	for s, want := range map[string]bool{
		"[a](": true, "*a _b ": true, "> ": true, "- ": true, "1. ": true, "2. [a](\n": true, "| [a](\n": true,
		"- [a](b) **c**\n": false, "# A\n\nIt is *so*.\n\n": false, "<tr><td>a</td></tr>\n": false, "word ": false,
	} {
		if got := Tangled(strings.Repeat(s, 400_000/len(s))); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
	if Tangled(strings.Repeat("| a | [b](c) | *d* |\n", 2000)) {
		t.Error("a long table is tangled")
	}
}
