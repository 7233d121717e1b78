package privacy

import "strings"

// takenOut stands where something was taken out for good.
const takenOut = "[erased]"

// Without is text with each of the words taken out for good, wherever it stands as a whole, in any case of letters.
// Unlike Pseudonymise there is no way back.
func Without(text string, words ...string) string {
	for _, w := range words {
		if len([]rune(w)) < 3 {
			continue
		}
		hits := occurrences(text, w, kindOther, true)
		for i := len(hits) - 1; i >= 0; i-- {
			text = text[:hits[i].start] + takenOut + text[hits[i].end:]
		}
	}
	return text
}

// TakenOut reports whether Without took something out of text.
func TakenOut(text string) bool { return strings.Contains(text, takenOut) }
