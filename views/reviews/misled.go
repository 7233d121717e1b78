package reviews

import (
	"strings"

	"preceptor/internal/knowledge/credit"
)

// longestAsked bounds how much of a case is quoted, in words: enough to know it by.
const longestAsked = 60

// askedText is an item as one line: a rule's sentence, or a case's title and the beginning of its text.
func askedText(q credit.Question) string {
	text := q.Text
	if q.Kind == "case" && q.Title != "" && q.Title != q.Text {
		text = q.Title + ": " + q.Text
	}
	words := strings.Fields(text)
	if len(words) > longestAsked {
		return strings.Join(words[:longestAsked], " ") + " …"
	}
	return strings.Join(words, " ")
}
