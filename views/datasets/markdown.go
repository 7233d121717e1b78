package datasets

import (
	"bytes"
	"context"
	"io"

	"github.com/a-h/templ"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"
)

// markdown reads what people write. Raw HTML in it is dropped and addresses that run something are emptied: goldmark does
// both unless it is told not to.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// Markdown is a text that a person wrote, as HTML. Its headings stand below those of the page, the first at level 3, and none
// skips a level, however it was written.
func Markdown(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		source := []byte(text)
		doc := markdown.Parser().Parse(gmtext.NewReader(source))
		if err := lower(doc); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := markdown.Renderer().Render(&b, source, doc); err != nil {
			return err
		}
		_, err := w.Write(b.Bytes())
		return err
	})
}

const topHeading, lastHeading = 3, 6

func lower(doc ast.Node) error {
	var list []*ast.Heading
	least := lastHeading
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			list, least = append(list, h), min(least, h.Level)
		}
		return ast.WalkContinue, nil
	})
	before := topHeading - 1
	for _, h := range list {
		h.Level = min(topHeading+h.Level-least, before+1, lastHeading)
		before = h.Level
	}
	return err
}
