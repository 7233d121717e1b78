package document

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"preceptor/internal/platform/text/sign"
)

var declared = regexp.MustCompile(`(?i)<meta[^>]{0,200}charset\s*=\s*["']?\s*([A-Za-z0-9_:-]+)`)

// readHTML keeps what a page tells, and leaves out what every page of its site has.
func readHTML(raw []byte, p *Page) error {
	label := ""
	if m := declared.FindSubmatch(raw[:min(len(raw), 4096)]); m != nil {
		label = string(m[1])
	}
	text, notes, err := Text(raw, label)
	if err != nil {
		return err
	}
	p.Notes = notes
	if !strings.Contains(text, "<") {
		return cannot("its name says %s, and it isn't", aPage)
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return cannot("its HTML is nested too deeply or broken")
	}
	pg := &htmlPage{}
	pg.look(root, 0)
	for _, n := range pg.comments {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	p.Title = pg.title
	main := pg.main
	if main == nil || size(main)*3 < size(root) && strings.TrimSpace(pg.firstHeading) != "" &&
		!strings.Contains(content(main, 0), pg.firstHeading) {
		main = root
	}
	prune(main, main != root, 0)
	anchors(main, "", 0)
	var out bytes.Buffer
	if err := html.Render(&out, main); err != nil {
		return cannot("its HTML is nested too deeply")
	}
	p.HTML = out.String()
	p.Notes = append(p.Notes, remarks("", pg.math)...)
	if n := max(pg.said, pg.marks); n > 0 {
		p.Notes = append(p.Notes, Note{Why: fmt.Sprintf("reviewers' comments that were left out: %d", n)})
	}
	if n := strings.Count(p.HTML, sign.NoField); n > 0 {
		p.Notes = append(p.Notes, Note{Why: fmt.Sprintf("empty fields: %d, shown as %s; check them", n, sign.NoField)})
	}
	return nil
}

// drawn are styles that say what a tag says.
var drawn = []struct {
	style string
	tag   atom.Atom
}{{"line-through", atom.S}, {"vertical-align:super", atom.Sup}}

// tableParts hold rows and cells alone.
var tableParts = map[atom.Atom]bool{atom.Table: true, atom.Thead: true, atom.Tbody: true, atom.Tfoot: true,
	atom.Tr: true}

const notRead = " hidden search submit button image reset password file " // inputs

// field is what is in a field of a form; false: n is none, or one that isn't read.
func field(n *html.Node, depth int) (value string, ok bool) {
	switch kind := attr(n, "type"); {
	case n.DataAtom == atom.Textarea:
		value = content(n, depth)
	case n.DataAtom == atom.Select:
		value = selected(n, depth)
	case n.DataAtom != atom.Input || strings.Contains(notRead, " "+kind+" "):
		return "", false
	case kind == "checkbox" || kind == "radio":
		if _, ok := find(n, "checked"); ok {
			return "☑", true
		}
		return "☐", true
	default:
		value, _ = find(n, "value")
	}
	return cmp.Or(strings.TrimSpace(value), sign.NoField), true
}

// selected are the options of a choice that are selected.
func selected(n *html.Node, depth int) string {
	var list []string
	for k := n.FirstChild; k != nil && depth < 4*maxDepth; k = k.NextSibling {
		if _, ok := find(k, "selected"); ok {
			list = append(list, strings.TrimSpace(content(k, depth)))
		} else if s := selected(k, depth+1); s != "" {
			list = append(list, s)
		}
	}
	return strings.Join(list, ", ")
}

// comment takes note of what a reviewer said beside the text, as Word and Google Docs save it in a web page.
func (pg *htmlPage) comment(n *html.Node, style string) {
	class, id := " "+attr(n, "class")+" ", attr(n, "id")
	switch {
	case strings.Contains(class, " msocomtxt "):
		pg.said++
	case strings.Contains(class, " msocommentreference "):
		pg.marks++
	case strings.Contains(style, "mso-element:comment-list"), strings.Contains(class, " msocomoff "):
	case n.DataAtom == atom.A && strings.HasPrefix(attr(n, "href"), "#cmnt_ref") && n.PrevSibling == nil &&
		n.Parent.PrevSibling == nil && n.Parent.Parent.DataAtom == atom.Div:
		pg.said++
		n = n.Parent.Parent
	case n.DataAtom == atom.A && strings.HasPrefix(id, "cmnt_ref"):
	default:
		return
	}
	pg.comments = append(pg.comments, n)
}

type htmlPage struct {
	said, marks  int          // comments, by their texts and where they are in the text
	comments     []*html.Node // what is of them
	math         bool         // there are equations
	title        string
	main         *html.Node // what the page says is its content
	articles     int
	firstHeading string
}

func (pg *htmlPage) look(n *html.Node, depth int) {
	if depth > 4*maxDepth {
		return
	}
	if n.DataAtom == atom.Math {
		before := ""
		if n.PrevSibling != nil {
			before = content(n.PrevSibling, depth)
		}
		pg.math = true
		become(n, asXML(n, depth).Equation(before))
		return
	}
	if level := attr(n, "aria-level"); attr(n, "role") == "heading" && len(level) == 1 && level >= "1" && level <= "6" {
		n.Data = "h" + level // a heading that the page draws by other means
		n.DataAtom = atom.Lookup([]byte(n.Data))
	}
	if value, ok := field(n, depth); ok && !unwanted(n, true, depth) {
		become(n, value)
		return
	}
	style := strings.ReplaceAll(attr(n, "style"), " ", "")
	pg.comment(n, style)
	for _, d := range drawn {
		switch tag := d.tag; {
		case n.FirstChild == nil || !strings.Contains(style, d.style): // an image holds nothing
		case tableParts[n.DataAtom]: // its cells are drawn so
			for k := n.FirstChild; k != nil; k = k.NextSibling {
				k.Attr = append([]html.Attribute{{Key: "style", Val: attr(k, "style") + ";" + d.style}}, k.Attr...)
			}
		default:
			in := &html.Node{Type: html.ElementNode, DataAtom: tag, Data: tag.String()}
			for n.FirstChild != nil {
				k := n.FirstChild
				n.RemoveChild(k)
				in.AppendChild(k)
			}
			n.AppendChild(in)
		}
	}
	switch {
	case n.DataAtom == atom.Title && n.Namespace == "" && pg.title == "":
		pg.title = strings.Join(strings.Fields(content(n, depth)), " ")
	case n.DataAtom == atom.H1 && pg.firstHeading == "":
		pg.firstHeading = content(n, depth)
	case n.DataAtom == atom.Main || attr(n, "role") == "main":
		if pg.main == nil || pg.main.DataAtom == atom.Article {
			pg.main = n
		}
	case n.DataAtom == atom.Article:
		if pg.articles++; pg.main == nil {
			pg.main = n
		} else if pg.main.DataAtom == atom.Article {
			pg.main = n.Parent // several: what they are in
		}
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		pg.look(k, depth+1)
	}
}

// become makes a text of a node.
func become(n *html.Node, text string) {
	*n = html.Node{Type: html.TextNode, Data: text, Parent: n.Parent, PrevSibling: n.PrevSibling,
		NextSibling: n.NextSibling}
}

func attr(n *html.Node, name string) string {
	value, _ := find(n, name)
	return strings.ToLower(value)
}

func content(n *html.Node, depth int) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for k := n.FirstChild; k != nil && depth < 4*maxDepth; k = k.NextSibling {
		b.WriteString(content(k, depth+1))
	}
	return b.String()
}

func size(n *html.Node) int { return len(strings.Join(strings.Fields(content(n, 0)), " ")) }

// furniture are the words of a class or id that say that an element is no content.
var furniture = regexp.MustCompile(`(?i)^(nav|navbar|navigation|site-nav|main-nav|menu|sidebar|side-bar|breadcrumbs?|` +
	`cookie[\w-]*|skip-?(link|to-content|nav)?|site-header|site-footer|page-header-bar|footer|masthead|share[\w-]*|` +
	`social[\w-]*|related[\w-]*|pagination|pager|toc|table-of-contents|newsletter[\w-]*|advert[\w-]*|banner-ad|` +
	`govuk-breadcrumbs|govuk-skip-link|govuk-footer|govuk-header|govuk-back-link|print-only|edit-link|headerlink|` +
	`mw-editsection|sr-only|visually-hidden)$`)

// prune takes out what isn't read, and what isn't content. In a part that the page calls its content a header is one.
func prune(n *html.Node, inMain bool, depth int) {
	for k := n.FirstChild; k != nil; {
		next := k.NextSibling
		if depth > 4*maxDepth || unwanted(k, inMain, depth) {
			n.RemoveChild(k)
		} else {
			prune(k, inMain || k.DataAtom == atom.Main || k.DataAtom == atom.Article, depth+1)
		}
		k = next
	}
}

func unwanted(n *html.Node, inMain bool, depth int) bool {
	if n.Type == html.CommentNode {
		return true
	}
	if n.Type != html.ElementNode {
		return false
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Form, atom.Iframe, atom.Svg, atom.Button,
		atom.Nav, atom.Dialog, atom.Title, atom.Object, atom.Embed, atom.Canvas:
		return n.DataAtom != atom.Form || !headed(n, depth) // some sites are one form
	case atom.Header, atom.Footer, atom.Aside:
		return !inMain && !headed(n, depth) || n.DataAtom == atom.Footer
	case atom.Html, atom.Body, atom.Main, atom.Article:
		return false
	}
	switch attr(n, "role") {
	case "navigation", "search", "contentinfo", "dialog", "alertdialog":
		return true
	case "banner", "complementary":
		return !headed(n, depth)
	}
	if _, hidden := find(n, "hidden"); hidden || attr(n, "aria-hidden") == "true" ||
		strings.Contains(strings.ReplaceAll(attr(n, "style"), " ", ""), "display:none") {
		return true
	}
	for _, word := range append(strings.Fields(attr(n, "class")), attr(n, "id")) {
		if furniture.MatchString(word) {
			return !headed(n, depth)
		}
	}
	return false
}

func find(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// headed reports whether the page's own heading is in n.
func headed(n *html.Node, depth int) bool {
	if n.DataAtom == atom.H1 {
		return true
	}
	for k := n.FirstChild; k != nil && depth < 4*maxDepth; k = k.NextSibling {
		if headed(k, depth+1) {
			return true
		}
	}
	return false
}

// anchors gives each heading the nearest name of a place: its own, that of one in it, or of the section that it begins.
func anchors(n *html.Node, above string, depth int) string {
	id, _ := find(n, "id")
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		n.Attr = nil
		if id = cmp.Or(id, within(n, depth), above); id != "" {
			n.Attr = []html.Attribute{{Key: "id", Val: id}}
		}
		return ""
	case atom.Section, atom.Div, atom.Article, atom.A:
		name, _ := find(n, "name")
		above = cmp.Or(id, name, above)
	}
	for k := n.FirstChild; k != nil && depth < 4*maxDepth; k = k.NextSibling {
		above = anchors(k, above, depth+1)
	}
	return above
}

func within(n *html.Node, depth int) string {
	for k := n.FirstChild; k != nil && depth < 4*maxDepth; k = k.NextSibling {
		id, _ := find(k, "id")
		name, _ := find(k, "name")
		if id = cmp.Or(id, name, within(k, depth+1)); id != "" {
			return id
		}
	}
	return ""
}
