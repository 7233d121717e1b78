package knowledge

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"preceptor/internal/pack"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/sign"
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithRendererOptions(html.WithUnsafe(),
	renderer.WithNodeRenderers(util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500))),
	goldmark.WithParserOptions(parser.WithInlineParsers(
		util.Prioritized(struck{extension.NewStrikethroughParser()}, 500))))

// struck reads ~~what is struck through~~; a single ~ is read as about.
type struck struct{ parser.InlineParser }

func (s struck) Parse(parent ast.Node, in gmtext.Reader, pc parser.Context) ast.Node {
	if line, _ := in.PeekLine(); !bytes.HasPrefix(line, []byte("~~")) {
		return nil
	}
	return s.InlineParser.Parse(parent, in, pc)
}

// policy lets structure through and nothing else: no links, no styles, no forms, no scripts.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "section", "ul", "ol", "li", "dl", "dt", "dd",
		"blockquote", "pre",
		"table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption", "hr", "br")
	p.AllowElements("s", "strike", "del", "sup")
	p.AllowAttrs("id").OnElements("h1", "h2", "h3") // the name of the place
	p.AllowAttrs("rowspan", "colspan").Matching(bluemonday.Integer).OnElements("td", "th")
	p.AllowAttrs("start", "value", "type", "reversed").OnElements("ol", "li") // the numbers of a list
	p.SkipElementsContent("script", "style", "form", "button", "select", "iframe", "noscript", "svg", "template")
	p.AddSpaceWhenStrippingTag(false)
	return p
})

// readSections cuts the Markdown, with the HTML in it, at its headings of the first three levels.
func (d *document) readSections(source string) error {
	var rendered bytes.Buffer
	doc := markdown.Parser().Parse(gmtext.NewReader([]byte(source)))
	text.Numbered(doc, []byte(source))
	if err := markdown.Renderer().Render(&rendered, []byte(source), doc); err != nil {
		return fmt.Errorf("the Markdown can't be read: %w", err)
	}
	return d.readHTML(&rendered)
}

func (d *document) readHTML(page io.Reader) error {
	root, err := xhtml.Parse(policy().SanitizeReader(page))
	if err != nil {
		return fmt.Errorf("the HTML can't be read: %w", err)
	}
	c := &cutter{}
	d.struck += plain(root, new(string), 0)
	if d.struck > 0 {
		d.notes = append(d.notes, Skipped{File: d.path, Note: true,
			Why: fmt.Sprintf("struck-out passages that were left out: %d", d.struck)})
	}
	c.walk(root, 0)
	c.end()
	if c.large > 0 {
		d.notes = append(d.notes, Skipped{File: d.path, Note: true,
			Why: fmt.Sprintf("tables that were left out, because their cells go over too many rows and columns: %d",
				c.large)})
	}
	d.name(c.sections)
	return nil
}

// plain takes out what is struck through, and counts it, and writes what is raised as it reads; before is what stands
// before it in its paragraph.
func plain(n *xhtml.Node, before *string, depth int) (struck int) {
	if depth > maxDepth {
		return 0
	}
	for k := n.FirstChild; k != nil; {
		next := k.NextSibling
		switch k.DataAtom {
		case atom.S, atom.Strike, atom.Del:
			if strings.TrimSpace(inline(k, depth)) != "" {
				struck++
			}
			n.RemoveChild(k)
		case atom.Sup:
			struck += plain(k, new(string), depth+1)
			raised := &xhtml.Node{Type: xhtml.TextNode, Data: sign.Raised(*before, inline(k, depth))}
			n.InsertBefore(raised, k)
			n.RemoveChild(k)
			*before += raised.Data
		default:
			whole := blockTags[k.DataAtom] || k.DataAtom == atom.Li || k.DataAtom == atom.Td || k.DataAtom == atom.Br
			if whole {
				*before = ""
			}
			if k.Type == xhtml.TextNode {
				*before += k.Data
				*before = (*before)[max(0, len(*before)-40):]
			}
			if struck += plain(k, before, depth+1); whole {
				*before = ""
			}
		}
		k = next
	}
	return struck
}

// name gives the page its title and each section the headings above it.
func (d *document) name(list []section) {
	d.title = firstOf(d.label, fileTitle(d.path))
	for _, s := range list {
		if s.heading != "" {
			d.title = s.heading
			break
		}
	}
	var above []section
	for _, s := range list {
		if s.heading == "" {
			if len(list) > 1 && bare(s.text) {
				d.notes = append(d.notes, Skipped{File: d.path, Why: fmt.Sprintf("“%s”, above the first heading, "+
					"was left out: it is no sentence", oneLine(s.text))})
				continue
			}
			s.heading, s.level = d.title, 1
		}
		for len(above) > 0 && above[len(above)-1].level >= s.level {
			above = above[:len(above)-1]
		}
		s.beside = s.heading != d.title
		for _, a := range above {
			if a.heading != d.title {
				s.parents = append(s.parents, a.heading)
			} else {
				s.beside = false
			}
		}
		above = append(above, s)
		d.sections = append(d.sections, s)
	}
}

// bare reports whether a text is only a few words and no sentence, such as a firm's name above the title.
func bare(text string) bool {
	if len(strings.Fields(text)) > 12 {
		return false
	}
	for line := range strings.Lines(text) {
		if last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(line)); unicode.IsPunct(last) {
			return false
		}
	}
	return true
}

// fileTitle makes words of a file's name: take_whole_pot.en.md is "Take whole pot".
func fileTitle(p string) string {
	name, _, _ := strings.Cut(path.Base(p), ".")
	name = strings.TrimSpace(strings.NewReplacer("_", " ", "-", " ").Replace(name))
	if name == "" {
		return p
	}
	return pack.Upper(name)
}

// cutter walks the page and collects its sections.
type cutter struct {
	sections []section
	now      section
	begun    bool
	blocks   []string
	large    int // tables that were left out
}

// end closes the section at hand.
func (c *cutter) end() {
	c.now.text = strings.Join(c.blocks, "\n\n")
	if c.begun || c.now.text != "" {
		c.sections = append(c.sections, c.now)
	}
	c.now, c.blocks, c.begun = section{}, nil, false
}

func (c *cutter) block(text string) {
	if text = strings.TrimSpace(text); text != "" {
		c.blocks = append(c.blocks, text)
	}
}

// maxDepth keeps a page of ten thousand nested tags from filling the stack.
const maxDepth = 200

func (c *cutter) walk(n *xhtml.Node, depth int) {
	if depth > maxDepth {
		return
	}
	if n.Type == xhtml.TextNode {
		c.block(oneLine(n.Data))
		return
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3:
		heading := oneLine(inline(n, depth))
		if heading == "" {
			return
		}
		c.end()
		place, _ := attr(n, "id")
		c.now, c.begun = section{heading: heading, level: int(n.Data[1] - '0'), place: oneLine(place)}, true
		return
	case atom.Pre:
		c.blocks = append(c.blocks, code(n, "", depth)...)
		return
	case atom.H4, atom.H5, atom.H6, atom.P, atom.Dt, atom.Dd, atom.Caption:
		c.block(lined(inline(n, depth)))
		return
	case atom.Ul, atom.Ol:
		c.block(list(n, "", depth))
		return
	case atom.Table:
		text, ok := table(n, depth)
		if c.block(text); !ok {
			c.large++
		}
		return
	case atom.Dl:
		c.terms(n, depth)
		return
	}
	if !hasBlocks(n) {
		c.block(lined(inline(n, depth)))
		return
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.walk(k, depth+1)
	}
}

// terms writes a list of terms a line each, with what is said of them: "Fee: none".
func (c *cutter) terms(n *xhtml.Node, depth int) {
	var parts []string
	open := false // a term that nothing is said of yet
	flush := func() {
		c.block(strings.Join(parts, ""))
		parts, open = nil, false
	}
	var walk func(*xhtml.Node, int)
	walk = func(n *xhtml.Node, depth int) {
		for k := n.FirstChild; k != nil && depth < maxDepth; k = k.NextSibling {
			text := strings.ReplaceAll(lined(inline(k, depth)), "\n", " ")
			switch i := len(parts) - 1; {
			case k.DataAtom == atom.Div:
				walk(k, depth+1)
			case text == "":
			case k.DataAtom == atom.Dt && open:
				parts = append(parts, ", "+text)
			case k.DataAtom == atom.Dt:
				parts, open = append(parts, "\n- "+text), true
			case k.DataAtom != atom.Dd:
				flush()
				c.walk(k, depth+1)
			case open:
				parts[i] = strings.TrimSuffix(parts[i], ":")
				parts, open = append(parts, ": "+text), false
			case i < 0:
				parts = append(parts, "- "+text)
			default:
				parts = append(parts, "; "+text)
			}
		}
	}
	walk(n, depth)
	flush()
}

func attr(n *xhtml.Node, name string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// numberOf is a number that an attribute says, or other.
func numberOf(n *xhtml.Node, name string, other int) int {
	value, _ := attr(n, name)
	if i, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && i > -1e9 && i < 1e9 {
		return i
	}
	return other
}

var blockTags = map[atom.Atom]bool{atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true,
	atom.H6: true, atom.P: true,
	atom.Div: true, atom.Section: true, atom.Ul: true, atom.Ol: true, atom.Dl: true, atom.Dt: true, atom.Dd: true,
	atom.Blockquote: true,
	atom.Pre:        true, atom.Table: true, atom.Hr: true, atom.Html: true, atom.Head: true, atom.Body: true}

func hasBlocks(n *xhtml.Node) bool {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == xhtml.ElementNode && blockTags[k.DataAtom] {
			return true
		}
	}
	return n.Type == xhtml.DocumentNode
}

// inline is the text under n; a nested block is set off by a space.
func inline(n *xhtml.Node, depth int) string {
	var b strings.Builder
	var walk func(*xhtml.Node, int)
	walk = func(n *xhtml.Node, depth int) {
		if depth > maxDepth {
			return
		}
		if n.Type == xhtml.TextNode {
			b.WriteString(n.Data)
			return
		}
		switch {
		case n.DataAtom == atom.Br:
			b.WriteString(lineEnd)
		case blockTags[n.DataAtom], n.DataAtom == atom.Li, n.DataAtom == atom.Td:
			b.WriteByte(' ')
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			walk(k, depth+1)
		}
	}
	walk(n, depth)
	return b.String()
}

// lineEnd is a line's end that the page makes; all other blanks are one.
const lineEnd = "\u2028"

// lined is a paragraph with the lines that the page makes, but for those that only wrap a sentence.
func lined(s string) string {
	var lines []string
	for part := range strings.SplitSeq(s, lineEnd) {
		part = oneLine(part)
		first, _ := utf8.DecodeRuneInString(part)
		switch {
		case part == "":
		case unicode.IsLower(first):
			lines = append(lines, " ", part)
		default:
			lines = append(lines, "\n", part)
		}
	}
	return strings.Join(lines[min(1, len(lines)):], "")
}

// code is what is preformatted, with its lines and indents; nothing where there are only blanks.
func code(n *xhtml.Node, indent string, depth int) []string {
	var lines []string
	text := strings.TrimPrefix(inline(n, depth), " ") // which sets a block off
	for line := range strings.Lines(strings.ReplaceAll(text, lineEnd, "\n")) {
		lines = append(lines, strings.TrimRight(indent+line, " \t\n"))
	}
	text = strings.Trim(strings.Join(lines, "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []string{text}
}

// list writes a list a line an item, with the numbers or letters that a browser prints; a list inside it is indented.
func list(n *xhtml.Node, indent string, depth int) string {
	if depth > maxDepth {
		return ""
	}
	var lines []string
	number, step := 1, 1
	if _, ok := attr(n, "reversed"); ok {
		number, step = 0, -1
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			if k.DataAtom == atom.Li {
				number++
			}
		}
	}
	number = numberOf(n, "start", number)
	kind, _ := attr(n, "type")
	for item := n.FirstChild; item != nil; item = item.NextSibling {
		if item.DataAtom != atom.Li {
			continue
		}
		mark := "- "
		if number = numberOf(item, "value", number); n.DataAtom == atom.Ol {
			own, _ := attr(item, "type")
			mark = sign.Numeral(number, firstOf(own, kind)) + ". "
		}
		number += step
		var own strings.Builder
		var nested []string
		for k := item.FirstChild; k != nil; k = k.NextSibling {
			if k.DataAtom == atom.Ul || k.DataAtom == atom.Ol {
				nested = append(nested, list(k, indent+"  ", depth+1))
				continue
			}
			if k.DataAtom == atom.Pre {
				nested = append(nested, code(k, indent+"  ", depth+1)...)
				continue
			}
			own.WriteString(inline(k, depth+1) + " ")
		}
		if text := oneLine(own.String()); text != "" {
			lines = append(lines, indent+mark+text)
		}
		lines = append(lines, nested...)
	}
	return strings.Join(lines, "\n")
}
