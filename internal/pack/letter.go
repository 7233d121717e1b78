package pack

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// lowerFirst lowers the first letter unless the first word is a name or an abbreviation.
func lowerFirst(s string) string {
	first, rest, _ := strings.Cut(s, " ")
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || first == "I" || strings.ContainsFunc(first[min(n, len(first)):], unicode.IsUpper) ||
		properName(first, rest) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// properNames are first words that keep their capital; some only before one of the words they stand with: "State
// Pension", and not "state what it costs".
var properNames = map[string][]string{
	"Pension": {"Wise", "Credit", "Tracing", "Schemes", "Protection"}, "State": {"Pension"}, "Citizens": {"Advice"},
	"I'm": nil, "I've": nil}

func properName(first, rest string) bool {
	before, named := properNames[first]
	return named && (before == nil || slices.ContainsFunc(before, func(w string) bool {
		return strings.HasPrefix(rest, w)
	}))
}
