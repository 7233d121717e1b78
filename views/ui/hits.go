package ui

import (
	"strings"
	"unicode"

	"github.com/a-h/templ"
)

// Hits is a text with the words marked that a search asked for: as whole words, by their beginnings, and in their
// plural.
func Hits(text, query string) templ.Component {
	asked := strings.FieldsFunc(strings.ToLower(query), notInWord)
	if len(asked) == 0 {
		return Marked(text, nil)
	}
	var marks []Mark
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		from := i
		for i < len(runes) && !notInWord(runes[i]) {
			i++
		}
		if i > from && isHit(strings.ToLower(string(runes[from:i])), asked) {
			marks = append(marks, Mark{Start: from, End: i, Tone: Amber})
		}
	}
	return Marked(text, marks)
}

func isHit(word string, asked []string) bool {
	for _, a := range asked {
		if strings.HasPrefix(word, a) || strings.TrimSuffix(a, "s") == word {
			return true
		}
	}
	return false
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }
