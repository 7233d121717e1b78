package compliance

import (
	"strings"

	"preceptor/internal/pack"
)

// sentence is one in plain form.
type sentence struct {
	text   string
	digits bool
	pieces []sentence // its parts between semicolons, which each make their own claim; empty when it has none
}

func plainSentence(text string) sentence {
	s := sentence{text: text}
	for i := 0; i < len(text) && !s.digits; i++ {
		s.digits = text[i] >= '0' && text[i] <= '9'
	}
	if strings.Contains(text, "; ") {
		for _, piece := range strings.Split(text, "; ") {
			s.pieces = append(s.pieces, plainSentence(piece))
		}
	}
	return s
}

// atWord compiles an expression whose matches begin where a word or an amount does. There are thousands of phrases in the rules on
// facts, and nearly every sentence has none of a set, which a Pattern mostly knows without running.
func atWord(p string) *pack.Pattern { return pack.NewPlain(`(?:^|\W)(?:` + p + `)`) }
