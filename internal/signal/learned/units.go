package learned

import (
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/phrase"
)

// states are seed 004's expressions of corrections and preferences, without their rest. They decide nothing: where one
// begins behind a comma or an "and" so does another wish, and a quotation that has one is somebody else's.
var states = regexp.MustCompile(`(?i)\b(?:(?:actually|no,?\s*)?i\s*(?:meant|want(?:ed)?|need(?:ed)?)|` +
	`(?:that['’]s\s*)?not\s*what\s*i\s*(?:meant|wanted|asked)|(?:please\s*)?(?:don['’]t|do\s*not)|` +
	`i\s*(?:prefer|like)|(?:always|usually)\s+(?:use|do|want)|always|never)\b`)

// joint is what stands between two wishes of one sentence.
var joint = regexp.MustCompile(`(?i)(?:[,:–—]|\s(?:and|but))\s*(?:(?:and|but)\s+)?$`)

// leastWords is how many words each of them has.
const leastWords = 3

// semicolon separates as a full stop does.
var semicolon = regexp.MustCompile(`;\s+`)

// wishes cuts a sentence where another wish begins.
func wishes(message string, s phrase.Span) (out []phrase.Span) {
	start := s.Start
	for _, found := range states.FindAllStringIndex(s.In(message), -1) {
		at := start + found[0]
		before := message[s.Start:at]
		link := joint.FindStringIndex(before)
		if link != nil && len(strings.Fields(before[:link[0]])) >= leastWords &&
			len(strings.Fields(message[at:s.End])) >= leastWords {
			out = append(out, phrase.Span{Start: s.Start, End: s.Start + link[0]})
			s.Start = at
		}
	}
	return append(out, s)
}

// Units are a message without what it quotes, and its sentences, cut into wishes.
func Units(message string) (own string, out []phrase.Span) {
	own = ownWords(message)
	for _, s := range phrase.Sentences(own) {
		from := s.Start
		for _, cut := range semicolon.FindAllStringIndex(s.In(own), -1) {
			out = append(out, wishes(own, phrase.Span{Start: s.Start, End: from + cut[0]})...)
			s.Start = from + cut[1]
		}
		out = append(out, wishes(own, s)...)
	}
	return own, slices.DeleteFunc(out, func(u phrase.Span) bool { return !letter.MatchString(u.In(own)) })
}
