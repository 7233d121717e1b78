package ui

import (
	"context"
	"io"
	"strings"

	"preceptor/internal/text"

	"github.com/a-h/templ"
)

// Change is one piece of a word diff.
type Change = text.Change

// Diff shows both texts at once: what went is struck through, what came is underlined, so colour isn't needed.
// It is written by hand because every blank counts here and a template may add some.
func Diff(changes []Change) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString(`<div class="diff">`)
		for _, c := range changes {
			if c.Op == text.Same {
				writeSeen(&b, c.Text)
				continue
			}
			writeChange(&b, c)
		}
		b.WriteString(`</div>`)
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// writeChange adds the words that a screen reader needs, since most say nothing at <ins> and <del>.
func writeChange(b *strings.Builder, c Change) {
	tag, word := "ins", "added"
	if c.Op == text.Removed {
		tag, word = "del", "removed"
	}
	b.WriteString("<" + tag + `><span class="sr">[` + word + ": </span>")
	writeSeen(b, c.Text)
	b.WriteString(`<span class="sr">]</span></` + tag + ">")
}
