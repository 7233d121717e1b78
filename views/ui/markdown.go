package ui

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"sync"

	"github.com/a-h/templ"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"
)

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

func rendered(md goldmark.Markdown, text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		source := []byte(text)
		doc := md.Parser().Parse(gmtext.NewReader(source))
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
