// Package pdf reads the text of a PDF as a person sees it: headings, paragraphs, lists and tables in reading order,
// with the values of its form and without what is struck out, hidden, a running header or a table of contents. What of
// a page is left out or can't be read is named in the notes. It owns no table and promises an end: what is unpacked,
// nested, drawn and the time are bounded. Package document runs it in a process of its own and writes the HTML.
package pdf

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"
)

const (
	maxDepth = 100 // of what is nested
	maxTime  = 10 * time.Second
)

// Document is what was found.
type Document struct {
	Blocks []Block
	Struck int // passages that are struck out and left out
	Notes  []string
}

// Block is a heading, a paragraph, an item of a list, a table, or HTML as it is.
type Block struct {
	Level, Page int // of a heading
	Text        string
	Item        bool
	Rows        [][]string
	Head        bool // the first row is one
	HTML        string
}

type unreadable string

func (u unreadable) Error() string { return string(u) }

func cannot(format string, args ...any) error { return unreadable(fmt.Sprintf(format, args...)) }

// Slow is why a document isn't read to its end.
var Slow = cannot("it takes too long to read; split it, or save it again from the program that made it")

// The objects of a PDF are nil, bool, float64, text (a string), name, []any, dict, ref and *stream.
type (
	name string
	text string
	dict map[name]any
	ref  int
)

type stream struct {
	dict
	raw []byte
}

// pdfFile finds a file's objects by reading it through, whatever its table of them says: that is as often wrong.
type pdfFile struct {
	raw    []byte
	at     map[ref]int // where an object begins
	made   map[ref]any // those that were read
	open   map[ref]bool
	left   int64
	most   int64
	steps  int
	until  time.Time
	fonts  map[ref]*font
	forms  int
	notes  map[string]bool
	hides  map[ref]bool // layers that are switched off
	locked bool
}

func open(raw []byte, maxUnpacked int64) *pdfFile {
	f := &pdfFile{raw: raw, at: map[ref]int{}, made: map[ref]any{}, open: map[ref]bool{},
		left: maxUnpacked, most: maxUnpacked,
		until: time.Now().Add(maxTime), fonts: map[ref]*font{}, notes: map[string]bool{},
		hides: map[ref]bool{}}
	for at := 0; ; {
		i := bytes.Index(raw[at:], []byte("obj"))
		if i < 0 {
			break
		}
		at += i + 3
		if n, ok := numberBefore(raw, at-3); ok && len(f.at) < 2_000_000 {
			f.at[n] = at
		}
	}
	return f
}

// numberBefore reads "12 0 " backwards from before "obj".
func numberBefore(raw []byte, end int) (ref, bool) {
	back := func(in func(byte) bool) (n int) {
		for end > 0 && in(raw[end-1]) && n < 20 {
			end--
			n++
		}
		return n
	}
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	if back(isSpace) == 0 || back(digit) == 0 || back(isSpace) == 0 {
		return 0, false
	}
	last := end
	if back(digit) == 0 {
		return 0, false
	}
	n, err := strconv.Atoi(string(raw[end:last]))
	return ref(n), err == nil
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// step counts work, and stops what takes too long.
func (f *pdfFile) step() {
	if f.steps++; f.steps&0xfff == 0 && time.Now().After(f.until) || f.steps > 200_000_000 {
		panic(Slow)
	}
}

// get follows references; a cycle is nil.
func (f *pdfFile) get(v any) any {
	for range 20 {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		if made, ok := f.made[r]; ok {
			v = made
			continue
		}
		at, ok := f.at[r]
		if !ok || f.open[r] || len(f.open) > maxDepth {
			return nil
		}
		f.open[r] = true
		l := &lexer{raw: f.raw, at: at, f: f}
		v = l.object(0)
		delete(f.open, r)
		f.made[r] = v
	}
	return nil
}

func (f *pdfFile) dict(v any) dict {
	switch v := f.get(v).(type) {
	case dict:
		return v
	case *stream:
		return v.dict
	}
	return nil
}

func (f *pdfFile) list(v any) []any {
	l, _ := f.get(v).([]any)
	return l
}

// each are the objects of a list, or what is given in place of one.
func (f *pdfFile) each(v any) []any {
	if l := f.list(v); l != nil {
		return l
	}
	return []any{v}
}

func (f *pdfFile) num(v any) float64 {
	n, _ := f.get(v).(float64)
	return n
}

func (f *pdfFile) name(v any) name {
	n, _ := f.get(v).(name)
	return n
}

// load finds what the file begins at, and the objects that are packed with others.
func (f *pdfFile) load() (catalog dict) {
	order := slices.Collect(maps.Keys(f.at)) // what was added to the file later holds
	slices.SortFunc(order, func(a, b ref) int { return cmp.Compare(f.at[a], f.at[b]) })
	var roots []any
	for _, r := range order {
		f.step()
		s, ok := f.get(r).(*stream)
		if !ok {
			continue
		}
		switch s.dict["Type"] {
		case name("ObjStm"):
			f.unpack(s, f.at[r])
		case name("XRef"):
			f.locked = f.locked || s.dict["Encrypt"] != nil
			roots = append(roots, s.dict["Root"])
		}
	}
	for at := 0; ; {
		i := bytes.Index(f.raw[at:], []byte("trailer"))
		if i < 0 {
			break
		}
		at += i + 7
		f.step()
		l := &lexer{raw: f.raw, at: at, f: f}
		if d, ok := l.object(0).(dict); ok {
			f.locked = f.locked || d["Encrypt"] != nil
			roots = append(roots, d["Root"])
		}
	}
	for _, r := range roots {
		if c := f.dict(r); c != nil && f.dict(c["Pages"]) != nil {
			catalog = c
		}
	}
	for r := range f.made { // where nothing says which
		if c := f.dict(r); catalog == nil && c != nil && f.name(c["Type"]) == "Catalog" {
			catalog = c
		}
	}
	return catalog
}

// unpack reads the objects of an object stream; those that the file has on their own after it stay.
func (f *pdfFile) unpack(s *stream, where int) {
	raw := f.data(s)
	n, first := int(f.num(s.dict["N"])), int(f.num(s.dict["First"]))
	head := &lexer{raw: raw, f: f}
	for range min(max(n, 0), 200_000) {
		f.step()
		id, ok1 := head.object(0).(float64)
		at, ok2 := head.object(0).(float64)
		if !ok1 || !ok2 || first+int(at) < 0 || first+int(at) >= len(raw) {
			return
		}
		if own, ok := f.at[ref(id)]; ok && own > where {
			continue
		}
		l := &lexer{raw: raw, at: first + int(at), f: f}
		f.made[ref(id)] = l.object(0)
	}
}

// data unpacks a stream, within what the file may unpack to. What is broken is given as far as it goes.
func (f *pdfFile) data(s *stream) []byte {
	raw := s.raw
	filters, parms := f.list(s.dict["Filter"]), f.list(s.dict["DecodeParms"])
	if one := f.name(s.dict["Filter"]); one != "" {
		filters, parms = []any{one}, []any{s.dict["DecodeParms"]}
	}
	for i, filter := range filters[:min(len(filters), 8)] {
		var out []byte
		var err error
		kind := f.name(filter)
		if i < len(parms) && f.num(f.dict(parms[i])["Predictor"]) > 1 {
			kind = "LZW"
		}
		switch kind {
		case "FlateDecode", "Fl":
			var z io.ReadCloser
			if z, err = zlib.NewReader(bytes.NewReader(raw)); err != nil {
				return nil
			}
			out, _ = io.ReadAll(io.LimitReader(z, f.left+1))
		case "ASCII85Decode", "A85":
			raw, _, _ = bytes.Cut(bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("<~")), []byte("~"))
			out, err = io.ReadAll(ascii85.NewDecoder(bytes.NewReader(raw)))
		case "ASCIIHexDecode", "AHx":
			raw, _, _ = bytes.Cut(raw, []byte(">"))
			raw = bytes.Join(bytes.Fields(raw), nil)
			out = make([]byte, len(raw)/2)
			_, err = hex.Decode(out, raw[:len(raw)&^1])
		case "LZWDecode", "LZW":
			f.notes["some of its text is packed in an unusual way and wasn't read; save it again as PDF"] = true
			return nil
		default:
			return nil // a picture
		}
		if f.left -= int64(len(out)); f.left < 0 {
			panic(cannot("it unpacks to more than %d MB", f.most>>20))
		}
		if err != nil && len(out) == 0 {
			return nil
		}
		raw = out
	}
	return raw
}

// pages are the leaves of the tree of pages, with what they inherit.
func (f *pdfFile) pages(v any, above dict, seen map[ref]bool, depth int) (out []dict) {
	if r, ok := v.(ref); ok {
		if seen[r] {
			return nil
		}
		seen[r] = true
	}
	d := f.dict(v)
	f.step()
	if d == nil || depth > maxDepth || len(seen) > 20_000 {
		return nil
	}
	own := dict{"ref": v}
	for _, key := range []name{"Resources", "MediaBox", "CropBox", "Rotate"} {
		if own[key] = d[key]; own[key] == nil {
			own[key] = above[key]
		}
	}
	kids := f.list(d["Kids"])
	if kids == nil {
		own["Contents"], own["Annots"] = d["Contents"], d["Annots"]
		return []dict{own}
	}
	for _, k := range kids {
		out = append(out, f.pages(k, own, seen, depth+1)...)
	}
	return out
}

const maxPages = 2000

var errNoText = cannot(
	"no text in it: it is a scan or only pictures; use a copy with text, or have it recognised (OCR)")

// Read reads one; the error says why it can't.
func Read(raw []byte, maxUnpacked int64) (p *Document, err error) {
	f := open(raw, maxUnpacked)
	defer func() { // from step and data
		if r := recover(); r != nil {
			u, ok := r.(unreadable)
			if !ok {
				panic(r)
			}
			err = u
		}
	}()
	catalog := f.load()
	switch {
	case f.locked:
		return nil, cannot("it is protected with a password or against copying; save it without protection")
	case catalog == nil:
		return nil, cannot("it is broken or cut short; save it again from the program that made it")
	}
	pages := f.pages(catalog["Pages"], nil, map[ref]bool{}, 0)
	switch {
	case len(pages) == 0:
		return nil, cannot("it has no pages")
	case len(pages) > maxPages:
		return nil, cannot("it has more than %d pages; split it", maxPages)
	}
	f.layers(f.dict(catalog["OCProperties"]))
	set := &sheet{f: f, height: map[int]float64{}, numbers: map[ref]int{}, lines: map[int][]line{},
		struck: map[int][]*stroke{}}
	for i, page := range pages {
		set.page(i+1, page)
	}
	if set.known == 0 && set.unknown == 0 {
		return nil, errNoText
	}
	if set.unknown > set.known/4 {
		return nil, cannot("its fonts don't say which letters they show; print it to PDF again with another program")
	}
	p = &Document{Struck: set.strike()}
	mirrored := set.mirrored()
	set.raise()
	if tagged := set.tagged(catalog); tagged != "" {
		p.Blocks = []Block{{HTML: tagged}}
	} else {
		p.Blocks = set.laidOut()
	}
	switch {
	case len(p.Blocks) == 0 && mirrored:
		return nil, cannot("right-to-left text in a PDF isn't read; import Word or HTML")
	case len(p.Blocks) == 0: // page numbers alone
		return nil, errNoText
	}
	p.Notes = append(slices.Sorted(maps.Keys(f.notes)), set.omitted()...)
	if tail := raw[max(0, len(raw)-2048):]; !bytes.Contains(tail, []byte("%%EOF")) {
		p.Notes = append(p.Notes, "it is damaged or cut short: only what could be read was imported ("+
			plural(len(pages)-set.blank)+" of "+strconv.Itoa(len(pages))+"); import a whole copy")
	} else if set.blank > 0 {
		p.Notes = append(p.Notes, plural(set.blank)+" without text: scanned or empty")
	}
	return p, nil
}

func plural(n int) string {
	if n == 1 {
		return "1 page"
	}
	return strconv.Itoa(n) + " pages"
}
