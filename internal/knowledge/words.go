package knowledge

import (
	"strings"

	"preceptor/internal/platform/text"
)

// shingles is the set of word triples of a text, for near-duplicates.
func shingles(s string) map[string]bool {
	words := text.Words(s)
	set := map[string]bool{}
	for i := 0; i+3 <= len(words); i++ {
		set[strings.Join(words[i:i+3], " ")] = true
	}
	return set
}
