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

// introduces is what tells of a wish that it was said, and is none: "I told you: …", "As I said, …".
var introduces = regexp.MustCompile(`(?i)(?:^|[,.;–—]\s*|\s(?:and|but)\s+)` +
	`(?:as\s+(?:I|we)(?:['’]ve)?(?:\s+\pL+){1,3}|(?:I|we)(?:['’]ve)?(?:\s+\pL+){1,3}\s+you(?:\s+\pL+)?)$`)

// introduced is where what introduces the rest begins, at the end of s; its length where nothing does.
func introduced(s string) int {
	if at := introduces.FindStringIndex(s); at != nil && !states.MatchString(s[at[0]:]) {
		return at[0]
	}
	return len(s)
}

// wishes cuts a sentence where another wish begins.
func wishes(message string, s phrase.Span) (out []phrase.Span) {
	start := s.Start
	for _, found := range states.FindAllStringIndex(s.In(message), -1) {
		at := start + found[0]
		before := message[s.Start:at]
		link := joint.FindStringIndex(before)
		if link == nil || len(strings.Fields(message[at:s.End])) < leastWords {
			continue
		}
		said := introduced(before[:link[0]])
		if said == link[0] && len(strings.Fields(before[:said])) < leastWords {
			continue
		}
		if letter.MatchString(before[:said]) {
			out = append(out, phrase.Span{Start: s.Start, End: s.Start + said})
		}
		s.Start = at
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
