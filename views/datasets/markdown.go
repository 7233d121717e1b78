package datasets

import (
	"bytes"
	"context"
	"io"

	"github.com/a-h/templ"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// markdown reads what people write. Raw HTML in it is dropped and addresses that run something are emptied: goldmark does
// both unless it is told not to.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// Markdown is a text that a person wrote, as HTML.
func Markdown(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b bytes.Buffer
		if err := markdown.Convert([]byte(text), &b); err != nil {
			return err
		}
		_, err := w.Write(lowered(b.Bytes()))
		return err
	})
}

// lowered has a person's headings stand below those of the page, which has one first heading.
func lowered(html []byte) []byte {
	for _, to := range [][2]string{{"h4", "h5"}, {"h3", "h4"}, {"h2", "h4"}, {"h1", "h3"}} {
		html = bytes.ReplaceAll(html, []byte("<"+to[0]+">"), []byte("<"+to[1]+">"))
		html = bytes.ReplaceAll(html, []byte("</"+to[0]+">"), []byte("</"+to[1]+">"))
	}
	return html
}
