// Package text shortens what people and agents wrote, for lists and notices, and tells how two texts differ and how
// alike they are.
//
// It owns no table and knows nothing of the product or of any language. It promises that a cut never splits a
// character, and that what comes out stands on one line.
package text

import "strings"

// Opening is the beginning of a text on one line: at most most characters, cut at a word where one ends in its second
// half.
func Opening(s string, most int) string {
	line := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, s)), " ")
	runes := []rune(line)
	if len(runes) <= most {
		return line
	}
	cut := string(runes[:most])
	if i := strings.LastIndexByte(cut, ' '); i > most/2 {
		cut = cut[:i]
	}
	return cut + "…"
}

// Typed is what somebody typed, as it is kept: valid, with plain line ends, without blanks around it.
func Typed(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n"))
}
