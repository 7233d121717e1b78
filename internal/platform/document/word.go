package document

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/text/sign"
)

// wordFile is what of a .docx is needed to read its body.
type wordFile struct {
	zip    *zip.Reader
	left   int64
	level  map[string]int    // of a style's headings; 0: none
	toc    map[string]bool   // styles of tables of contents
	kinds  map[string]string // "num level" to bullet, decimal and the like
	notes  map[string]string // footnotes by id
	looks  map[string]wordLook
	struck map[*xnode]bool // passages that were left out
	math   bool            // there are equations
}

// wordLook is what of a run's look changes what it says.
type wordLook struct{ raised, struck bool }

func (f *wordFile) look(pr *xnode) wordLook {
	l := f.looks[pr.first("rStyle").attr["val"]]
	if v := pr.first("vertAlign").attr["val"]; v != "" {
		l.raised = v == "superscript"
	}
	for _, name := range []string{"strike", "dstrike"} {
		if s := pr.first(name); s.name != "" {
			l.struck = s.on()
		}
	}
	return l
}

func readWord(raw []byte, p *Page) error {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return cannot("its name says %s, and it isn't, or it is cut short", aWord)
	}
	f := &wordFile{zip: z, left: maxUnpacked, level: map[string]int{}, toc: map[string]bool{},
		kinds: map[string]string{}, notes: map[string]string{}, looks: map[string]wordLook{}, struck: map[*xnode]bool{}}
	names := map[string]bool{}
	for _, e := range z.File {
		names[e.Name] = true
	}
	main := "word/document.xml"
	if !names[main] {
		switch {
		case names["xl/workbook.xml"]:
			return cannot("it is an Excel workbook; save the page as PDF, or its rows as CSV for a gold set")
		case names["ppt/presentation.xml"]:
			return cannot("it is a presentation; save it as PDF")
		case names["content.xml"] && names["mimetype"]:
			return cannot("it is an OpenDocument file; save it as .docx")
		case names["EncryptedPackage"]:
			return cannot("it is protected with a password; save it without one")
		}
		if main = f.mainPart(); main == "" {
			return cannot("its name says %s, and it is a zip file", aWord)
		}
	}
	dir := path.Dir(main)
	for _, part := range []struct {
		name string
		read func(*xnode)
	}{{"styles.xml", f.styles}, {"numbering.xml", f.numbering}, {"footnotes.xml", f.footnotes},
		{"endnotes.xml", f.footnotes}} {
		if root, err := f.part(dir + "/" + part.name); err == nil {
			part.read(root)
		} else if !errors.Is(err, errNoPart) {
			return err
		}
	}
	root, err := f.part(main)
	if err != nil {
		return err
	}
	b := &wordBody{f: f}
	b.walk(root, 0)
	p.HTML, p.Struck = b.end(), len(f.struck)
	p.Notes = remarks(p.HTML, f.math)
	return nil
}

var errNoPart = errors.New("no such part")

// mainPart finds the body of a file that calls it otherwise.
func (f *wordFile) mainPart() string {
	root, err := f.part("_rels/.rels")
	if err != nil {
		return ""
	}
	for _, r := range root.all("Relationship") {
		if strings.HasSuffix(r.attr["Type"], "/officeDocument") && strings.Contains(r.attr["Target"], "document") {
			return strings.TrimPrefix(r.attr["Target"], "/")
		}
	}
	return ""
}

// xnode is an element of XML, or text where it has no name.
type xnode struct {
	name string
	attr map[string]string
	text string
	kids []*xnode
}

func (n *xnode) first(name string) *xnode {
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
	}
	return &xnode{}
}

// all are those of this name below n.
func (n *xnode) all(name string) (out []*xnode) {
	for _, k := range n.kids {
		if k.name == name {
			out = append(out, k)
		}
		out = append(out, k.all(name)...)
	}
	return out
}

// rows are those of a table, without those of tables in it.
func (n *xnode) rows() (out []*xnode) {
	for _, k := range n.kids {
		switch k.name {
		case "tr":
			out = append(out, k)
		case "tbl", "del":
		default:
			out = append(out, k.rows()...)
		}
	}
	return out
}

func (n *xnode) on() bool { // of a switch such as <w:b/>
	v := n.attr["val"]
	return n.name != "" && v != "0" && v != "false" && v != "none" && v != "off"
}

// part reads a part of the file as XML, within what may be unpacked.
func (f *wordFile) part(name string) (*xnode, error) {
	r, err := f.zip.Open(name)
	if err != nil {
		return nil, errNoPart
	}
	defer r.Close()
	in := &io.LimitedReader{R: r, N: f.left + 1}
	d := xml.NewDecoder(in)
	root := &xnode{}
	open := []*xnode{root}
	count := 0
	for {
		t, err := d.RawToken()
		if in.N <= 0 {
			return nil, cannot("it unpacks to more than %d MB", maxUnpacked>>20)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, cannot("it is broken; save it again with Word")
		}
		if count++; count > 5_000_000 || len(open) > 4*maxDepth {
			return nil, cannot("it is nested too deeply or has too many parts")
		}
		top := open[len(open)-1]
		switch t := t.(type) {
		case xml.StartElement:
			n := &xnode{name: t.Name.Local, attr: map[string]string{}}
			for _, a := range t.Attr {
				n.attr[a.Name.Local] = a.Value
			}
			top.kids = append(top.kids, n)
			open = append(open, n)
		case xml.EndElement:
			if len(open) == 1 || top.name != t.Name.Local {
				return nil, cannot("it is broken; save it again with Word")
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 || top.name == "t" {
				top.kids = append(top.kids, &xnode{text: string(t)})
			}
		}
	}
	if len(open) > 1 {
		return nil, cannot("it is cut short")
	}
	f.left = in.N - 1
	return root, nil
}

// styles learns which are headings, by their outline or name, their own or what they are based on.
func (f *wordFile) styles(root *xnode) {
	based := map[string]string{}
	for _, s := range root.all("style") {
		id, name := s.attr["styleId"], strings.ToLower(s.first("name").attr["val"])
		based[id] = s.first("basedOn").attr["val"]
		f.looks[id] = f.look(s.first("rPr"))
		if n, err := strconv.Atoi(s.first("pPr").first("outlineLvl").attr["val"]); err == nil && n < 9 && n >= 0 {
			f.level[id] = n + 1
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(name, "heading ")); err == nil && n > 0 && n < 10 {
			f.level[id] = n
		}
		if name == "title" {
			f.level[id] = 1
		}
		f.toc[id] = strings.HasPrefix(name, "toc ") || strings.HasPrefix(name, "contents ")
		if strings.Contains(name, "toc heading") || name == "contents heading" {
			f.toc[id], f.level[id] = true, -1
		}
	}
	for id := range based {
		for at, n := id, 0; n < 10 && f.level[id] == 0; n++ {
			if at = based[at]; at == "" {
				break
			}
			if f.level[at] > 0 {
				f.level[id] = f.level[at]
			}
		}
	}
}

func (f *wordFile) numbering(root *xnode) {
	abstract := map[string]*xnode{}
	for _, a := range root.all("abstractNum") {
		abstract[a.attr["abstractNumId"]] = a
	}
	for _, n := range root.all("num") {
		a := abstract[n.first("abstractNumId").attr["val"]]
		if a == nil {
			continue
		}
		for _, l := range a.all("lvl") {
			f.kinds[n.attr["numId"]+" "+l.attr["ilvl"]] = l.first("numFmt").attr["val"]
		}
	}
}

func (f *wordFile) footnotes(root *xnode) {
	kind := root.first("footnotes").name + root.first("endnotes").name
	for _, name := range []string{"footnote", "endnote"} {
		for _, n := range root.all(name) {
			if n.attr["type"] == "" {
				f.notes[kind+n.attr["id"]] = strings.TrimSpace((&wordBody{f: f}).text(n, 0))
			}
		}
	}
}

// wordBody makes HTML of the body.
type wordBody struct {
	f     *wordFile
	out   []wordBlock
	named bool // some heading has a style
}

// wordBlock is a paragraph, or HTML as it is.
type wordBlock struct {
	text, html, list string
	level            int
	bold             bool // all of it
}

func (b *wordBody) walk(n *xnode, depth int) {
	if depth > 4*maxDepth {
		return
	}
	for _, k := range n.kids {
		switch k.name {
		case "p":
			b.paragraph(k, depth)
		case "tbl":
			b.table(k, depth)
		case "sdt":
			if strings.Contains(k.first("sdtPr").first("docPartObj").first("docPartGallery").attr["val"],
				"Table of Contents") {
				continue
			}
			b.walk(k, depth+1)
		case "AlternateContent":
			b.walk(k.first("Choice"), depth+1)
		case "del", "moveFrom":
		default:
			b.walk(k, depth+1)
		}
	}
}

func (b *wordBody) paragraph(p *xnode, depth int) {
	pr := p.first("pPr")
	style := pr.first("pStyle").attr["val"]
	if b.f.toc[style] {
		return
	}
	block := wordBlock{text: strings.TrimSpace(b.text(p, depth)), level: max(0, b.f.level[style]), bold: b.bold(p)}
	if n, err := strconv.Atoi(pr.first("outlineLvl").attr["val"]); err == nil && n >= 0 && n < 9 {
		block.level = n + 1
	}
	num := pr.first("numPr")
	if id := num.first("numId").attr["val"]; id != "" && id != "0" && block.level == 0 {
		level := num.first("ilvl").attr["val"]
		if level == "" {
			level = "0"
		}
		block.list = "ol"
		if kind := b.f.kinds[id+" "+level]; kind == "bullet" || kind == "none" || kind == "" {
			block.list = "ul"
		}
	} else if strings.HasPrefix(style, "List") && block.level == 0 {
		block.list = "ul"
		if strings.Contains(style, "Number") {
			block.list = "ol"
		}
	}
	if block.text != "" {
		b.named = b.named || block.level > 0
		b.out = append(b.out, block)
	}
	b.frames(p, depth)
}

// frames walks what is in text boxes of a paragraph, but for the copies that old programs show.
func (b *wordBody) frames(n *xnode, depth int) {
	for _, k := range n.kids {
		switch k.name {
		case "txbxContent":
			b.walk(k, depth+1)
		case "Fallback":
		default:
			b.frames(k, depth)
		}
	}
}

// bold reports whether every run of a paragraph is bold.
func (b *wordBody) bold(p *xnode) bool {
	some := false
	for _, r := range p.all("r") {
		if len(r.all("t")) == 0 {
			continue
		}
		if !r.first("rPr").first("b").on() {
			return false
		}
		some = true
	}
	return some
}

// text is what a paragraph says: without what was deleted, struck out, hidden, or is a field's code.
func (b *wordBody) text(n *xnode, depth int) string {
	var s strings.Builder
	b.write(&s, n, depth)
	return s.String()
}

func (b *wordBody) write(s *strings.Builder, n *xnode, depth int) {
	if depth > 4*maxDepth {
		return
	}
	struck := false // what is before
	for _, k := range n.kids {
		switch k.name {
		case "t":
			for _, c := range k.kids {
				s.WriteString(c.text)
			}
		case "tab", "br", "cr", "ptab":
			s.WriteByte(' ')
		case "noBreakHyphen":
			s.WriteByte('-')
		case "sym":
			s.WriteString(sign.Symbol(k.attr["font"], k.attr["char"]))
		case "oMath":
			b.f.math = true
			s.WriteString(k.equation(s.String()))
		case "p":
			b.write(s, k, depth+1)
			s.WriteByte(' ')
		case "footnoteReference", "endnoteReference":
			if note := b.f.notes[strings.TrimSuffix(k.name, "Reference")+"s"+k.attr["id"]]; note != "" {
				s.WriteString(" (" + note + ")")
			}
		case "del", "moveFrom", "delText", "instrText", "rPr", "pPr", "txbxContent", "Fallback", "annotationRef":
		case "r":
			pr := k.first("rPr")
			look, says := b.f.look(pr), len(k.all("t")) > 0
			switch {
			case pr.first("vanish").on():
			case look.struck && says:
				if !struck {
					b.f.struck[k] = true
				}
			case look.raised && says:
				s.WriteString(sign.Raised(s.String(), b.text(k, depth+1)))
			default:
				b.write(s, k, depth+1)
			}
			struck = look.struck
		default:
			b.write(s, k, depth+1)
		}
	}
}

// end writes what was found. Where no heading has a style, short lines all in bold are the headings.
func (b *wordBody) end() string {
	var w writer
	list := ""
	for i, k := range b.out {
		if !b.named && k.bold && k.list == "" && utf8.RuneCountInString(k.text) <= 120 &&
			!strings.HasSuffix(k.text, ".") && i+1 < len(b.out) {
			k.level = 2
			if i == 0 {
				k.level = 1
			}
		}
		if k.list != list && list != "" {
			w.WriteString("</" + list + ">\n")
		}
		if k.list != list && k.list != "" {
			w.WriteString("<" + k.list + ">")
		}
		list = k.list
		switch {
		case k.html != "":
			w.WriteString(k.html)
		case k.level > 0:
			w.heading(k.level, k.text, "")
		case k.list != "":
			w.tag("li", k.text)
		default:
			w.tag("p", k.text)
		}
	}
	if list != "" {
		w.WriteString("</" + list + ">\n")
	}
	return w.String()
}
