// Package word reads the body of a .docx as a person sees it: its paragraphs, lists, tables and text boxes in order,
// without what was deleted, hidden or is a field's code. It owns no table and promises an end: what is unpacked, how
// deep elements are nested and how many there are is bounded. Package document runs it in a process of its own and
// writes the HTML.
package word

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// Document is what was found.
type Document struct {
	Blocks []Block
	Named  bool           // some heading has a style
	Struck int            // passages that are struck out and left out
	Math   bool           // there are equations
	Unread map[string]int // parts by their kind
}

// Block is a paragraph, HTML as it is, or a file in the file.
type Block struct {
	Text, HTML string
	List       string // ul or ol
	Label      string // printed in front, with the space behind
	Level      int
	Bold       bool // all of it
	File       string
	Raw        []byte
}

// maxDepth is how deep elements are nested, at most four times.
const maxDepth = 100

// maxUnpacked is how many bytes are unpacked of a file.
const maxUnpacked = 64 << 20

const aWord = "a Word document"

var cannot = fmt.Errorf

// file is what of a .docx is needed to read its body.
type file struct {
	Document
	zip      *zip.Reader
	left     int64
	level    map[string]int    // of a style's headings; 0: none
	toc      map[string]bool   // styles of tables of contents
	based    map[string]string // styles on others
	numbered map[string]*Node  // numbering of styles
	lists    map[string]*numList
	notes    map[string]string // footnotes by id
	looks    map[string]look
	dir      string // of the body
	rels     map[string]*Node
	order    []*Node // all, as they are in the file
	open     []*field
}

// look is what of a run's look changes what it says.
type look struct{ raised, struck bool }

func (f *file) lookOf(pr *Node) look {
	l := f.looks[pr.val("rStyle")]
	if v := pr.val("vertAlign"); v != "" {
		l.raised = v == "superscript"
	}
	for _, name := range []string{"strike", "dstrike"} {
		if s := pr.first(name); s.Name != "" {
			l.struck = s.on()
		}
	}
	return l
}

// Read reads a file. The error says in words what is wrong with it.
func Read(raw []byte) (*Document, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, cannot("its name says %s, and it isn't, or it is cut short", aWord)
	}
	f := &file{zip: z, left: maxUnpacked, level: map[string]int{}, toc: map[string]bool{},
		based: map[string]string{}, numbered: map[string]*Node{}, lists: map[string]*numList{},
		notes: map[string]string{}, looks: map[string]look{}, rels: map[string]*Node{}}
	f.Unread = map[string]int{}
	names := map[string]bool{}
	for _, e := range z.File {
		names[e.Name] = true
	}
	main := "word/document.xml"
	if !names[main] {
		switch {
		case names["xl/workbook.xml"]:
			return nil, cannot("it is an Excel workbook; save the page as PDF, or its rows as CSV for a gold set")
		case names["ppt/presentation.xml"]:
			return nil, cannot("it is a presentation; save it as PDF")
		case names["content.xml"] && names["mimetype"]:
			return nil, cannot("it is an OpenDocument file; save it as .docx")
		case names["EncryptedPackage"]:
			return nil, cannot("it is protected with a password; save it without one")
		}
		if main = f.mainPart(); main == "" {
			return nil, cannot("its name says %s, and it is a zip file", aWord)
		}
	}
	f.dir = path.Dir(main)
	for _, part := range []struct {
		name string
		read func(*Node)
	}{{"styles.xml", f.styles}, {"numbering.xml", f.numbering}, {"footnotes.xml", f.footnotes},
		{"endnotes.xml", f.footnotes}, {"_rels/" + path.Base(main) + ".rels", f.relations}} {
		if root, err := f.part(f.dir + "/" + part.name); err == nil {
			part.read(root)
		} else if !errors.Is(err, errNoPart) {
			return nil, err
		}
	}
	root, err := f.part(main)
	if err != nil {
		return nil, err
	}
	f.prepare(root, nil)
	f.results()
	f.walk(root, 0)
	return &f.Document, nil
}

var errNoPart = errors.New("no such part")

// mainPart finds the body of a file that calls it otherwise.
func (f *file) mainPart() string {
	root, err := f.part("_rels/.rels")
	if err != nil {
		return ""
	}
	for _, r := range root.all("Relationship") {
		if strings.HasSuffix(r.Attr["Type"], "/officeDocument") && strings.Contains(r.Attr["Target"], "document") {
			return strings.TrimPrefix(r.Attr["Target"], "/")
		}
	}
	return ""
}

// part reads a part of the file as XML, within what may be unpacked.
func (f *file) part(name string) (*Node, error) {
	r, err := f.zip.Open(name)
	if err != nil {
		return nil, errNoPart
	}
	defer r.Close()
	in := &io.LimitedReader{R: r, N: f.left + 1}
	d := xml.NewDecoder(in)
	root := &Node{}
	open := []*Node{root}
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
			n := &Node{Name: t.Name.Local}
			if len(t.Attr) > 0 {
				n.Attr = map[string]string{}
			}
			for _, a := range t.Attr {
				n.Attr[a.Name.Local] = a.Value
			}
			top.Kids = append(top.Kids, n)
			open = append(open, n)
		case xml.EndElement:
			if len(open) == 1 || top.Name != t.Name.Local {
				return nil, cannot("it is broken; save it again with Word")
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 || top.Name == "t" {
				top.Kids = append(top.Kids, &Node{Text: string(t)})
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
func (f *file) styles(root *Node) {
	for _, s := range root.all("style") {
		id, name := s.Attr["styleId"], strings.ToLower(s.val("name"))
		f.based[id], f.numbered[id] = s.val("basedOn"), s.first("pPr").first("numPr")
		f.looks[id] = f.lookOf(s.first("rPr"))
		if n, err := strconv.Atoi(s.first("pPr").val("outlineLvl")); err == nil && n < 9 && n >= 0 {
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
	for id := range f.based {
		for at, n := id, 0; n < 10 && f.level[id] == 0; n++ {
			if at = f.based[at]; at == "" {
				break
			}
			if f.level[at] > 0 {
				f.level[id] = f.level[at]
			}
		}
	}
}

func (f *file) relations(root *Node) {
	for _, r := range root.all("Relationship") {
		f.rels[r.Attr["Id"]] = r
	}
}

// chunk is a document in the document.
func (f *file) chunk(k *Node) Block {
	b := Block{File: "?"}
	if r := f.rels[k.Attr["id"]]; r != nil {
		b.File = path.Join("/", f.dir, r.Attr["Target"])
		if to := r.Attr["Target"]; strings.HasPrefix(to, "/") {
			b.File = to
		}
	}
	if r, err := f.zip.Open(b.File[1:]); err == nil {
		b.Raw, _ = io.ReadAll(io.LimitReader(r, f.left))
		r.Close()
		if f.left -= int64(len(b.Raw)); f.left <= 0 {
			b.Raw = nil
		}
	}
	return b
}

func (f *file) footnotes(root *Node) {
	f.prepare(root, nil)
	f.results()
	kind := root.first("footnotes").Name + root.first("endnotes").Name
	for _, name := range []string{"footnote", "endnote"} {
		for _, n := range root.all(name) {
			if n.Attr["type"] == "" {
				f.notes[kind+n.Attr["id"]] = strings.TrimSpace(f.text(n, 0))
			}
		}
	}
}
