package knowledge

import (
	"strings"
	"unicode"
)

// plainWords cuts text into lower-case words without punctuation.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// shingles is the set of word triples of text, for near-duplicates.
func shingles(text string) map[string]bool {
	words := plainWords(text)
	set := map[string]bool{}
	for i := 0; i+3 <= len(words); i++ {
		set[strings.Join(words[i:i+3], " ")] = true
	}
	return set
}
