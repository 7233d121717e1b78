package ui

import (
	"context"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Mark points at words of a text. Start and End count runes; Number is shown behind the words and links to Href, where
// the reason stands; 0 marks the words alone. Tone says how bad it is, Label what it is. A mark with a Name stands
// behind its words alone, drawn by the style sheet: it is in no selection and no copy of the text.
type Mark struct {
	Start, End int
	Number     int
	Name       string
	Tone       Tone
	Label      string
	Href       string
}

// Marked is a text with some of its words marked; blanks and line breaks stay as they are. Marks may overlap and may
// lie outside the text, which loses the mark and never the text.
func Marked(text string, marks []Mark) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, marked([]rune(text), marks))
		return err
	})
}

func marked(text []rune, marks []Mark) string {
	marks = inside(marks, len(text))
	var b strings.Builder
	at := 0
	for _, edge := range edges(marks, len(text)) {
		if edge > at {
			writeSegment(&b, string(text[at:edge]), covering(marks, at))
		}
		for _, m := range marks {
			switch {
			case m.End != edge:
			case m.Name != "":
				writeName(&b, m)
			case m.Number > 0:
				writeNumber(&b, m)
			}
		}
		at = edge
	}
	return b.String()
}

// inside keeps the marks that lie in a text of n runes, in reading order.
func inside(in []Mark, n int) []Mark {
	var out []Mark
	for _, m := range in {
		if m.Start >= 0 && m.Start < m.End && m.End <= n {
			out = append(out, m)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Start < out[j].Start })
	return out
}

// edges are all places where a mark begins or ends, and the end of the text.
func edges(marks []Mark, n int) []int {
	set := map[int]bool{n: true}
	for _, m := range marks {
		set[m.Start], set[m.End] = true, true
	}
	out := make([]int, 0, len(set))
	for e := range set {
		out = append(out, e)
	}
	sort.Ints(out)
	return out
}

// covering is the worst mark that covers the rune at place at.
func covering(marks []Mark, at int) (worst *Mark) {
	for i, m := range marks {
		if m.Name == "" && m.Start <= at && at < m.End && (worst == nil || m.Tone == Red) {
			worst = &marks[i]
		}
	}
	return worst
}

func writeSegment(b *strings.Builder, text string, m *Mark) {
	if m == nil {
		writeSeen(b, text)
		return
	}
	b.WriteString(`<mark data-tone="` + templ.EscapeString(string(m.Tone)) + `">`)
	writeSeen(b, text)
	b.WriteString(`</mark>`)
}

func writeNumber(b *strings.Builder, m Mark) {
	n := strconv.Itoa(m.Number)
	b.WriteString(`<a class="mark-no" id="mark-` + n + `" href="` + templ.EscapeString(m.Href) + `" data-tone="` +
		templ.EscapeString(string(m.Tone)) + `">`)
	b.WriteString(`<span class="sr">Flag </span>` + n + `<span class="sr">: ` + templ.EscapeString(m.Label) +
		`</span></a>`)
}

func writeName(b *strings.Builder, m Mark) {
	name, label := templ.EscapeString(m.Name), templ.EscapeString(m.Label)
	b.WriteString(`<a class="mark-name" href="` + templ.EscapeString(m.Href) + `" data-name="` + name + `" data-tip="` +
		label + `" aria-label="` + name + `: ` + label + `"></a>`)
}
