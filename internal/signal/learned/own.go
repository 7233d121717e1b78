package learned

import (
	"regexp"
	"strings"
)

var (
	// others is what stands in a code block, behind the mark of a quoted line, or between quotation marks.
	others = regexp.MustCompile("(?s:```.*?(?:```|\\z))|(?m:^[ \t]*>[^\n]*)|" +
		`"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]`)
	letter = regexp.MustCompile(`\pL`)
	mark   = regexp.MustCompile(`(?m)^[ \t>]*>|["“”«»„]`)
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
