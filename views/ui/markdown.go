package ui

import (
	"bytes"
	"context"
	"io"

	"github.com/a-h/templ"
	"github.com/yuin/goldmark"
)

// plain reads Markdown as goldmark does unless told otherwise: raw HTML is dropped, and addresses that run something are emptied.
var plain = goldmark.New()

// Markdown is a text that people of the house wrote, as HTML. Its headings stand two levels below those of the page.
func Markdown(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b bytes.Buffer
		if err := plain.Convert([]byte(text), &b); err != nil {
			return err
		}
		html := b.Bytes()
		for _, to := range [][2]string{{"h4", "h6"}, {"h3", "h5"}, {"h2", "h4"}, {"h1", "h3"}} {
			html = bytes.ReplaceAll(html, []byte("<"+to[0]+">"), []byte("<"+to[1]+">"))
			html = bytes.ReplaceAll(html, []byte("</"+to[0]+">"), []byte("</"+to[1]+">"))
		}
		_, err := w.Write(html)
		return err
	})
}
