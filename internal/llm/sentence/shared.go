package sentence

import "github.com/kljensen/snowball/english"

// namesNothing is the sum of rarities below which a question is about nothing in particular; a rare word has 1.
const namesNothing = 1.2

// Shared is the share of a question's words, each counted by its rarity in general English, that a text has too, in any inflection. Of a
// question that hardly names anything ("Which is better?") it is 1: there is nothing that a text could lack.
func Shared(question, text string) float64 {
	p := &loaded().pieces
	there := map[string]bool{}
	for _, word := range fields(text) {
		there[english.Stem(word, true)] = true
	}
	both, all := 0.0, 0.0
	for _, word := range fields(question) {
		rare := p.rarity(word)
		all += rare
		if there[english.Stem(word, true)] {
			both += rare
		}
	}
	if all < namesNothing {
		return 1
	}
	return both / all
}
