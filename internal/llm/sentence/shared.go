package sentence

import (
	"cmp"
	"slices"

	"github.com/kljensen/snowball/english"
)

// namesNothing is the sum of rarities below which a question is about nothing in particular; a rare word has 1.
const namesNothing = 1.2

// worthNaming is the rarity from which a word that a text lacks is worth naming.
const worthNaming = 0.35

// Shared is the share of a question's words, each counted by its rarity in general English, whose stems stand in a text, and the words
// that don't, the rarest first. A question that hardly names anything ("Which is better?") has nothing that a text could lack: 1.
func Shared(question, text string) (share float64, missing []string) {
	p := &loaded().pieces
	there := map[string]bool{}
	for _, word := range fields(text) {
		there[english.Stem(word, true)] = true
	}
	rarity := map[string]float64{}
	both, all := 0.0, 0.0
	for _, word := range fields(question) {
		rare := p.rarity(word)
		all += rare
		if there[english.Stem(word, true)] {
			both += rare
		} else if rare > worthNaming && rarity[word] == 0 {
			rarity[word] = rare
			missing = append(missing, word)
		}
	}
	slices.SortStableFunc(missing, func(a, b string) int { return cmp.Compare(rarity[b], rarity[a]) })
	if all < namesNothing {
		return 1, nil
	}
	return both / all, missing
}
