package text

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"
)

// Numbered gives the items of Markdown's lists the numbers that they are written with, where Markdown counts on from
// the first. A list that has the same number before each item is counted.
func Numbered(doc ast.Node, source []byte) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		list, ok := n.(*ast.List)
		if !ok || !entering || !list.IsOrdered() {
			return ast.WalkContinue, nil
		}
		first, next, lazy := list.Start, list.Start, true
		var written []int
		for k := list.FirstChild(); k != nil; k = k.NextSibling() {
			n, at := next, min(max(0, k.Pos()), len(source))
			if end := bytes.IndexAny(source[at:], ".)"); end > 0 {
				if own, err := strconv.Atoi(string(source[at : at+end])); err == nil {
					n = own
				}
			}
			written, next, lazy = append(written, n), n+1, lazy && n == first
		}
		next = first
		for i, k := 0, list.FirstChild(); k != nil && !lazy; i, k = i+1, k.NextSibling() {
			if written[i] != next {
				k.SetAttributeString("value", []byte(strconv.Itoa(written[i])))
			}
			next = written[i] + 1
		}
		return ast.WalkContinue, nil
	})
}
