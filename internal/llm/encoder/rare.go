package encoder

import (
	"math"
	"strings"
	"unicode"
)

// firstWord is the piece from which on the vocabulary has words, the most frequent first; letters and marks are before.
const firstWord = 290

// Rarity is how rare the words of a text are in the language that the trunk was made of, on average: the logarithm of a
// word's place by frequency, and the most for words in pieces. Prose in it has some 5, in another language 9; words
// says of how many that is. Single letters are none.
func (t *Trunk) Rarity(text string) (mean float64, words int) {
	v := t.vocabulary
	most := math.Log(float64(len(v.begins) + len(v.inside)))
	for w := range strings.FieldsFuncSeq(strings.ReplaceAll(text, "’", "'"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) && r != '\''
	}) {
		w, _, _ = strings.Cut(strings.Trim(w, "'"), "'")
		if len(w) < 2 {
			continue
		}
		words++
		id, whole := v.begins[strings.ToLower(w)]
		if !whole { // but for its accents it may be
			pieces := v.split(w, 0)
			if whole = len(pieces) == 1 && pieces[0].ID != v.unknown; whole {
				id = pieces[0].ID
			}
		}
		if whole {
			mean += math.Log(max(1, float64(id-firstWord)))
		} else {
			mean += most
		}
	}
	return mean / float64(max(words, 1)), words
}
