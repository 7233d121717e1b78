package ui

import (
	"context"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"preceptor/internal/platform/text"

	"github.com/a-h/templ"
)

// Change is one piece of a word diff.
type Change = text.Change

// Diff shows both texts at once: what went is struck through, what came is underlined, so colour isn't needed.
// It is written by hand because every blank counts here and a template may add some.
func Diff(changes []Change) templ.Component { return diff(changes, math.MaxInt) }

// Brief is Diff with no more than some words around each change, so that one in a long text is seen at once. Each
// change says where it is in the new text, for the script that keeps the one being typed in view.
func Brief(changes []Change) templ.Component { return diff(changes, 240) }

func diff(changes []Change, around int) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString(`<div class="diff">`)
		at := 0
		for i, c := range changes {
			if c.Op != text.Same {
				writeChange(&b, c, at)
			} else {
				writeSame(&b, c.Text, around, i > 0, i < len(changes)-1)
			}
			if c.Op != text.Removed {
				at += len(utf16.Encode([]rune(c.Text)))
			}
		}
		b.WriteString(`</div>`)
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// writeSame leaves out the middle of a text that is longer than what is wanted around the changes before and after it.
func writeSame(b *strings.Builder, s string, around int, before, after bool) {
	head, tail := 0, len(s)
	if before {
		head = strings.LastIndexAny(s[:min(around, len(s))], " \n") + 1
	}
	if after {
		from := max(0, len(s)-around)
		tail = min(len(s), from+strings.IndexAny(s[from:]+" ", " \n")+1)
	}
	out := 0
	if head < tail {
		out = len(strings.Fields(s[head:tail]))
	}
	if around > len(s) || out < 30 {
		writeSeen(b, s)
		return
	}
	writeSeen(b, s[:head])
	b.WriteString(`<span class="fold">` + strconv.Itoa(out) + ` words unchanged</span>`)
	writeSeen(b, s[tail:])
}

// writeChange adds the words that a screen reader needs, since most say nothing at <ins> and <del>.
func writeChange(b *strings.Builder, c Change, at int) {
	tag, word := "ins", "added"
	if c.Op == text.Removed {
		tag, word = "del", "removed"
	}
	b.WriteString("<" + tag + ` data-at="` + strconv.Itoa(at) + `"><span class="sr">[` + word + ": </span>")
	writeSeen(b, c.Text)
	b.WriteString(`<span class="sr">]</span></` + tag + ">")
}
