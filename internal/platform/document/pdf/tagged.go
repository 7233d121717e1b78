package pdf

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/platform/text/sign"
)

// mark is a place in the content of a page that the file's structure names.
type mark struct{ page, mcid int }

// tree reads the structure that a program writes into a PDF: what is a heading, a list, a cell.
type tree struct {
	s        *sheet
	texts    map[mark]string
	used     map[mark]bool
	roles    dict
	seen     map[ref]bool
	headings int
}

// tagged is the document by its own structure; "" where that is missing, names no heading, or leaves more than a
// tenth of the text out. Less than that is noted.
func (s *sheet) tagged(catalog dict) string {
	root := s.f.dict(catalog["StructTreeRoot"])
	if root == nil {
		return ""
	}
	t := &tree{s: s, texts: map[mark]string{}, used: map[mark]bool{}, roles: s.f.dict(root["RoleMap"]),
		seen: map[ref]bool{}}
	all, covered := 0, 0
	last := map[mark]run{}
	for _, r := range s.runs {
		all += utf8.RuneCountInString(r.text)
		if r.mcid < 0 {
			continue
		}
		m := mark{r.page, r.mcid}
		if before, ok := last[m]; ok {
			t.texts[m] += s.between(before, r)
		}
		t.texts[m] += r.text
		last[m] = r
	}
	out := t.walk(root["K"], 0, 0)
	for m := range t.used {
		covered += utf8.RuneCountInString(t.texts[m])
	}
	if t.headings == 0 || covered*10 < all*9 {
		return ""
	}
	s.runs = slices.DeleteFunc(s.runs, func(r run) bool { return t.used[mark{r.page, r.mcid}] })
	for _, r := range s.withoutMargins(s.rows()) {
		s.leave(asNoTag, run{page: r.page, text: r.text()})
	}
	return out
}

// between is what joins two runs of one paragraph: a space, unless they touch.
func (s *sheet) between(a, b run) string {
	same := a.page == b.page && math.Abs(a.y-b.y) < 0.5*math.Max(a.size, b.size)
	if same && b.x-a.end < 0.12*b.size || strings.HasSuffix(a.text, " ") || strings.HasPrefix(b.text, " ") {
		return ""
	} else if same {
		return " "
	}
	return seam(a.text, b.text)
}

var tagsOf = map[name]string{"P": "p", "L": "ul", "LI": "li", "Table": "table", "TR": "tr", "TD": "td", "TH": "th",
	"Caption": "caption", "BlockQuote": "blockquote", "Note": "p", "Div": "div", "Sect": "div", "Part": "div",
	"Document": "div", "Art": "div", "Title": "h1", "H": "h2", "H1": "h1", "H2": "h2", "H3": "h3", "H4": "h4",
	"H5": "h5", "H6": "h6"}

// walk gives an element of the structure, or what is in it, as HTML; page is the one that its parent is on.
func (t *tree) walk(v any, page, depth int) string {
	f := t.s.f
	f.step()
	if r, ok := v.(ref); ok {
		if t.seen[r] {
			return ""
		}
		t.seen[r] = true
	}
	if depth > 2*maxDepth {
		return ""
	}
	switch v := f.get(v).(type) {
	case float64:
		return t.marked(mark{page, int(v)})
	case []any:
		var b strings.Builder
		for _, k := range v {
			b.WriteString(t.walk(k, page, depth+1))
		}
		return b.String()
	case dict:
		if r, ok := v["Pg"].(ref); ok {
			page = t.s.numbers[r]
		}
		if n, ok := f.get(v["MCID"]).(float64); ok && f.name(v["S"]) == "" {
			return t.marked(mark{page, int(n)})
		}
		return t.element(v, page, depth)
	}
	return ""
}

func (t *tree) marked(m mark) string {
	if t.used[m] || t.texts[m] == "" {
		return ""
	}
	t.used[m] = true
	return html.EscapeString(t.texts[m])
}

func (t *tree) element(d dict, page, depth int) string {
	f := t.s.f
	role := f.name(d["S"])
	for n := 0; n < 5 && tagsOf[role] == "" && f.name(t.roles[role]) != ""; n++ {
		role = f.name(t.roles[role])
	}
	body := t.walk(d["K"], page, depth+1)
	tag := tagsOf[role]
	switch {
	case role == "TOC" || role == "TOCI" || role == "Artifact":
		if role != "Artifact" {
			body = strings.NewReplacer("<p>", " ", "</p>", " ").Replace(" " + body)
			t.s.leave(asList, run{page: t.pageOf(d, page, 0), size: 1, text: html.UnescapeString(body)})
		}
		return ""
	case role == "Lbl":
		if strings.IndexFunc(body, unicode.IsDigit) < 0 && utf8.RuneCountInString(strings.TrimSpace(body)) < 3 {
			return ""
		}
		return body + " "
	case tag == "":
		return body
	case strings.TrimSpace(body) == "" && tag != "td" && tag != "th":
		return ""
	case tag[0] == 'h':
		t.headings++
		return fmt.Sprintf("<%s id=\"page=%d\">%s</%s>\n", tag, t.pageOf(d, page, 0), body, tag)
	}
	if tag == "table" && t.s.headless(body, t.pageOf(d, page, 0)) {
		body = strings.NewReplacer("<th>", "<td>", "</th>", "</td>").Replace(body)
	}
	return "<" + tag + t.spans(tag, d) + ">" + body + "</" + tag + ">\n"
}

// spans are the attributes of a cell that goes over several rows or columns.
func (t *tree) spans(tag string, d dict) (out string) {
	if tag != "td" && tag != "th" {
		return ""
	}
	for _, a := range t.s.f.each(d["A"]) {
		for _, key := range []name{"RowSpan", "ColSpan"} {
			if n := t.s.f.num(t.s.f.dict(a)[key]); n > 1 && n <= maxDepth {
				out += fmt.Sprintf(` %s="%d"`, strings.ToLower(string(key)), int(n))
			}
		}
	}
	return out
}

// headless reports whether a table's first row has headings that are too few for a row below it, and no cell says that
// it goes over several.
func (s *sheet) headless(table string, page int) bool {
	rows := strings.Split(table, "<tr>")[1:]
	cells := func(r string) int { return strings.Count(r, "<td>") + strings.Count(r, "<th>") }
	if len(rows) < 2 || !strings.Contains(rows[0], "<th>") || strings.Contains(table, `span="`) ||
		!slices.ContainsFunc(rows[1:], func(r string) bool { return cells(r) > cells(rows[0]) }) {
		return false
	}
	s.unheaded(page)
	return true
}

func (s *sheet) unheaded(page int) {
	s.f.notes[fmt.Sprintf("page %d: nothing tells which columns a table's headings are over, and its rows were "+
		"imported without; check them", page)] = true
}

// pageOf is the page on which an element begins.
func (t *tree) pageOf(v any, page, depth int) int {
	d := t.s.f.dict(v)
	if r, ok := d["Pg"].(ref); ok {
		return t.s.numbers[r]
	}
	kids := t.s.f.list(d["K"])
	if kids == nil && d["K"] != nil {
		kids = []any{d["K"]}
	}
	for _, k := range kids[:min(len(kids), 3)] {
		if depth > 10 {
			break
		}
		if n := t.pageOf(k, page, depth+1); n > 0 {
			return n
		}
	}
	return page
}

// Whole shortens rows of dots in what was made of a document, and takes the hyphen out of a broken word that the
// document has whole, and not with a hyphen.
func Whole(page string) string {
	page = strings.ReplaceAll(dots.ReplaceAllString(page, " … "), " … </", "</")
	page = unread.ReplaceAllString(page, " "+sign.NoText)
	words := map[string]bool{}
	apart := func(r rune) bool { return r != '-' && !unicode.IsLetter(r) }
	for w := range strings.FieldsFuncSeq(strings.ToLower(page), apart) {
		words[w] = true
	}
	page = broken.ReplaceAllStringFunc(page, func(w string) string {
		part := strings.ToLower(strings.ReplaceAll(w, "\u00ad", ""))
		if words[strings.ReplaceAll(part, "-", "")] && !words[part] {
			return strings.ReplaceAll(w, "-\u00ad", "")
		}
		return w
	})
	return strings.ReplaceAll(page, "\u00ad", "")
}
