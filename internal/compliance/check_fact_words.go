package compliance

import "preceptor/internal/pension"

// sentence is one in plain form.
type sentence struct {
	text   string
	digits bool
}

func plainSentence(text string) sentence {
	s := sentence{text: text}
	for i := 0; i < len(text) && !s.digits; i++ {
		s.digits = text[i] >= '0' && text[i] <= '9'
	}
	return s
}

// atWord compiles an expression whose matches begin where a word or an amount does. There are thousands of phrases in the rules on
// facts, and nearly every sentence has none of a set, which a Pattern mostly knows without running.
func atWord(p string) *pension.Pattern { return pension.NewPlain(`(?:^|\W)(?:` + p + `)`) }
