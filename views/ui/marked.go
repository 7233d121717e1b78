package ui

import (
	"bytes"
	"context"
	"io"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"

	"github.com/a-h/templ"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"

	"preceptor/internal/platform/text"
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

// Hits is a text with the words marked that a search asked for: as whole words, by their beginnings, and in their
// plural.
func Hits(text, query string) templ.Component {
	asked := strings.FieldsFunc(strings.ToLower(query), notInWord)
	if len(asked) == 0 {
		return Marked(text, nil)
	}
	var marks []Mark
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		from := i
		for i < len(runes) && !notInWord(runes[i]) {
			i++
		}
		if i > from && isHit(strings.ToLower(string(runes[from:i])), asked) {
			marks = append(marks, Mark{Start: from, End: i, Tone: Amber})
		}
	}
	return Marked(text, marks)
}

func isHit(word string, asked []string) bool {
	for _, a := range asked {
		if strings.HasPrefix(word, a) || strings.TrimSuffix(a, "s") == word {
			return true
		}
	}
	return false
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

var (
	table = extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	// house reads what people of the house write; HTML in it is dropped.
	house = goldmark.New(goldmark.WithExtensions(table))
	// sent reads a text for a customer: line ends and bare addresses count as they do in a chat, and HTML as far as it
	// is safe.
	sent = goldmark.New(goldmark.WithExtensions(table, extension.Strikethrough, extension.Linkify),
		goldmark.WithRendererOptions(goldhtml.WithHardWraps(), goldhtml.WithUnsafe()))
)

// safe begins with bluemonday's strict policy, which lets only text through, and adds what lays text out. Links open
// elsewhere and tell nobody where they were followed.
var safe = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.StrictPolicy()
	p.AllowElements("p", "br", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "strong",
		"b", "em", "i", "del",
		"table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("dir").Matching(regexp.MustCompile(`^(auto|ltr|rtl)$`)).Globally()
	p.AllowAttrs("align").Matching(bluemonday.CellAlign).OnElements("th", "td")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("value").Matching(bluemonday.Integer).OnElements("li")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.RequireParseableURLs(true)
	p.RequireNoReferrerOnLinks(true)
	p.RequireNoFollowOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
})

// Markdown is a text that people of the house wrote, as HTML. Its headings stand below those of the page, the first at
// level 3, and none skips a level, however it was written.
func Markdown(text string) templ.Component { return rendered(house, text) }

// AsSent is a text for a customer as they see it, with headings likewise; each block runs in the direction of its own
// script.
func AsSent(text string) templ.Component { return rendered(sent, text) }

// rendered is a text as HTML. One that takes long to read, as an agent may send, is shown as it was written.
func rendered(md goldmark.Markdown, said string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		if text.Tangled(said) {
			_, err := io.WriteString(w, `<pre dir="auto">`+templ.EscapeString(said)+"</pre>")
			return err
		}
		source := []byte(said)
		doc := md.Parser().Parse(gmtext.NewReader(source))
		text.Numbered(doc, source)
		if err := settle(doc); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := md.Renderer().Render(&b, source, doc); err != nil {
			return err
		}
		_, err := w.Write(safe().SanitizeBytes(b.Bytes()))
		return err
	})
}

const topHeading, lastHeading = 3, 6

// settle lowers headings, lets each block find its direction, and turns pictures, which nothing loads here, into links.
func settle(doc ast.Node) error {
	var headings []*ast.Heading
	var pictures []*ast.Image
	least := lastHeading
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock {
			n.SetAttributeString("dir", []byte("auto"))
		}
		switch n := n.(type) {
		case *ast.Heading:
			headings, least = append(headings, n), min(least, n.Level)
		case *ast.Image:
			pictures = append(pictures, n)
		}
		return ast.WalkContinue, nil
	})
	before := topHeading - 1
	for _, h := range headings {
		h.Level = min(topHeading+h.Level-least, before+1, lastHeading)
		before = h.Level
	}
	for _, p := range pictures {
		link := ast.NewLink()
		link.Destination = p.Destination
		link.AppendChild(link, ast.NewString([]byte("Picture: ")))
		for c := p.FirstChild(); c != nil; c = p.FirstChild() {
			link.AppendChild(link, c)
		}
		p.Parent().ReplaceChild(p.Parent(), p, link)
	}
	return err
}
