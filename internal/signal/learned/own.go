package learned

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// others is what stands in a code block, behind the mark of a quoted line, or between quotation marks.
	others = regexp.MustCompile("(?s:```.*?(?:```|\\z))|(?m:^[ \t]*>[^\n]*)|" +
		`"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]`)
	letter = regexp.MustCompile(`\pL`)
	mark   = regexp.MustCompile(`(?m)^[ \t>]*>`)

	// The seed's "don't" and the "would" of a polite wish, written out and contracted.
	long = regexp.MustCompile(`(?i)\b(?:(do)\s+not|(I)\s+would)\b`)
	// polite is the seed's "I like" as most people say it.
	polite = regexp.MustCompile(`(?i)\bi['’]d\s+(?:prefer|like|want)\b`)
	short  = regexp.MustCompile(`(?i)\b(?:(do)n['’]?t|(I)['’]d)\b`)
)

// ownWords is a message with blanks in place of what somebody else said in it: it quotes a wish ("the label says: “Do
// not use after the date”"), or has code. A few quoted words are what a wish is about, and stay; so does a message that
// is nothing else.
func ownWords(message string) string {
	out := others.ReplaceAllStringFunc(message, func(part string) string {
		if strings.HasPrefix(part, "`") || strings.HasPrefix(strings.TrimSpace(part), ">") || states.MatchString(part) {
			return strings.Repeat(" ", len(part))
		}
		return part
	})
	if !letter.MatchString(out) {
		return mark.ReplaceAllStringFunc(message, func(s string) string { return strings.Repeat(" ", len(s)) })
	}
	return out
}

// spellings are a message as it is and as others would spell it: with "don't" and "do not", "I'd" and "I would".
func spellings(message string) (out []string) {
	contracted := long.ReplaceAllStringFunc(message, func(s string) string {
		if s[0] == 'i' || s[0] == 'I' {
			return s[:1] + "'d"
		}
		return s[:2] + "n't"
	})
	written := short.ReplaceAllStringFunc(message, func(s string) string {
		if s[0] == 'i' || s[0] == 'I' {
			return s[:1] + " would"
		}
		return s[:2] + " not"
	})
	for _, s := range []string{message, contracted, written} {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
