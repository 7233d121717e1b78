package embedded

import (
	_ "embed"
	"strings"
	"sync"
)

// families.txt lists words that do the same work in a sentence, one family a line, by us. A model that knows a word's family knows
// something of a word that it never met.
//
//go:embed families.txt
var familiesText string

// familiesOf gives the families of a word, by names that no word has.
var familiesOf = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(familiesText) {
		name, words, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		for _, w := range strings.Fields(words) {
			out[w] = append(out[w], "%"+name)
		}
	}
	return out
})
