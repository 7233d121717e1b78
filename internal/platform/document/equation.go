package document

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"preceptor/internal/platform/document/word"
	"preceptor/internal/platform/text/sign"
)

// asXML is an equation of a page as Word's are read.
func asXML(n *html.Node, depth int) *word.Node {
	if n.Type == html.CommentNode {
		return &word.Node{}
	}
	if n.Type == html.TextNode {
		return &word.Node{Text: strings.Trim(n.Data, " \n\t\u2061\u2062\u2063\u2064")}
	}
	x := &word.Node{Name: n.Data}
	for k := n.FirstChild; k != nil && depth < 4*maxDepth; k = k.NextSibling {
		x.Kids = append(x.Kids, asXML(k, depth+1))
	}
	return x
}

// remarks say what of equations and signs a person should check.
func remarks(page string, equations bool) (notes []Note) {
	if equations {
		notes = append(notes, Note{Why: "its equations are written on one line, as 1/4 and 2^5, or as " + sign.NoLine +
			" where that can't be done; check them"})
	}
	if n := strings.Count(page, sign.Unknown); n > 0 {
		notes = append(notes, Note{Why: "signs of a font that aren't known: " + strconv.Itoa(n) + ", shown as " +
			sign.Unknown + "; check them"})
	}
	if n := strings.Count(page, sign.NoField); n > 0 {
		notes = append(notes, Note{Why: "fields whose result isn't in the file: " + strconv.Itoa(n) + ", shown as " +
			sign.NoField + "; fill them in or update them in Word, and save it again"})
	}
	return notes
}
