package ui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// unseen names the characters that a screen shows as nothing, or that turn the words after them round. Joiners and the
// plain direction marks are not among them: scripts need those.
func unseen(r rune) string {
	switch {
	case r == '\n' || r == '\t':
		return ""
	case r < 0x20 || r == 0x7F || (r >= 0x80 && r < 0xA0):
		return "control character"
	case r == 0x200B || r == 0x2060 || r == 0xFEFF:
		return "zero-width character"
	case r == 0x202D || r == 0x202E:
		return "changes the text direction"
	case r == 0x202A || r == 0x202B || r == 0x202C || (r >= 0x2066 && r <= 0x2069):
		return "direction mark"
	case r >= 0xE0000 && r <= 0xE007F:
		return "invisible tag"
	case r >= 0xFFF9 && r <= 0xFFFB, r == 0xFFFD:
		return "not a character"
	}
	return ""
}

// writeSeen escapes a text and shows what can't be seen by its number, so that whoever approves a text has seen all of
// it.
func writeSeen(b *strings.Builder, text string) {
	from := 0 // of what is not yet written
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if what := unseen(r); what != "" {
			b.WriteString(templ.EscapeString(text[from:i]))
			fmt.Fprintf(b, `<span class="unseen" title="%s">U+%04X</span>`, what, r)
			from = i + size
		}
		i += size
	}
	b.WriteString(templ.EscapeString(text[from:]))
}
