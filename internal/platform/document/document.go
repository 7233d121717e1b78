// Package document reads what firms have their guidance in (PDF, Word, HTML, plain text) and gives each as simple HTML:
// headings, paragraphs, lists and tables in reading order, without menus, headers, footers and page numbers. A heading
// has an id where its place has a name: an anchor of the page, or "page=3".
//
// It owns no table and imports only how characters and signs are written. It promises an end: any bytes at all give a
// page or one reason, within bounds of size, unpacked size, depth and time, and no panic leaves it. What can't be told
// apart is never guessed silently: a scanned page, a password, or a file that isn't what its name says is a reason. PDF
// and Word are read in a process of its own: what fills the memory, overflows a stack or never ends there costs that
// document alone.
//
// Decided against: a library for PDF (those that are small recurse without a bound over nested arrays and follow cycles
// of references, and a stack that overflows ends the program), reading text in pictures, and the old binary .doc.
package document

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"html"
	"net/textproto"
	"path"
	"strings"
	"time"

	"preceptor/internal/platform/document/pdf"
)

// The bounds of one document.
const (
	MaxFile     = 32 << 20 // the file
	maxText     = 8 << 20  // a page of HTML, or plain text
	maxUnpacked = 64 << 20 // all that is unpacked of a file
	maxOut      = 8 << 20  // what is made of it
	maxDepth    = 100      // of what is nested
	maxTime     = 10 * time.Second
)

// Page is a document as HTML.
type Page struct {
	Title  string // that it gives itself, beside its headings
	HTML   string
	Struck int    // passages that are struck out and left out; those of HTML are in it as <s>
	Notes  []Note // on what of it wasn't read as it is
}

// Note says what a person should know about how a document was read.
type Note struct {
	Line int // 0: the whole of it
	Why  string
}

// Unreadable says in a line why a document can't be read.
type Unreadable struct{ Why string }

func (u *Unreadable) Error() string { return u.Why }

func cannot(format string, args ...any) error { return &Unreadable{fmt.Sprintf(format, args...)} }

var errSlow = cannot("%s", pdf.Slow)

// A kind is what a file is by its first bytes or its name.
type kind struct {
	name string
	ends []string // of names
	read func([]byte, *Page) error
	most int
}

// What a person calls them.
const (
	aPDF  = "a PDF"
	aWord = "a Word document"
	aPage = "a web page"
)

var (
	pdfKind  = &kind{aPDF, []string{".pdf"}, readPDF, MaxFile}
	wordKind = &kind{aWord, []string{".docx", ".docm", ".dotx"}, readWord, MaxFile}
	htmlKind = &kind{aPage, []string{".html", ".htm", ".xhtml"}, readHTML, maxText}
	textKind = &kind{"plain text", []string{".txt", ".text"}, readText, maxText}
	kinds    = []*kind{pdfKind, wordKind, htmlKind, textKind}
)

func kindOf(name string) *kind {
	ext := strings.ToLower(path.Ext(name))
	for _, k := range kinds {
		for _, e := range k.ends {
			if e == ext {
				return k
			}
		}
	}
	return nil
}

// Reads reports whether files of this name are read.
func Reads(name string) bool { return kindOf(name) != nil }

// Most is how many bytes a file of this name may have.
func Most(name string) int {
	if k := kindOf(name); k != nil {
		return k.most
	}
	return MaxFile
}

// NameFor gives what was fetched from an address a name that tells its kind by its media type.
func NameFor(mediaType string) string {
	mediaType, _, _ = strings.Cut(strings.ToLower(mediaType), ";")
	switch strings.TrimSpace(mediaType) {
	case "application/pdf":
		return "page.pdf"
	case "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
		return "page.docx"
	case "text/html", "application/xhtml+xml":
		return "page.html"
	case "text/plain":
		return "page.txt"
	case "text/markdown":
		return "page.md"
	}
	return ""
}

// Read reads the file of this name. The error is an *Unreadable.
func Read(name string, raw []byte) (p Page, err error) {
	k := kindOf(name)
	if k == nil {
		return p, cannot("documents of this kind (%s) aren't read", path.Ext(name))
	}
	defer func() {
		if r := recover(); r != nil {
			p, err = Page{}, cannot("it is broken; save it again from the program that made it")
		}
		var u *Unreadable
		if err != nil && !errors.As(err, &u) {
			err = cannot("it is broken: %s", err)
		}
	}()
	if len(raw) > k.most {
		return p, cannot("the file is larger than %d MB", k.most>>20)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return p, cannot("the file is empty")
	}
	if err := k.check(raw); err != nil {
		return p, err
	}
	if apart := k == pdfKind || k == wordKind; apart {
		p, err = readApart(name, raw)
	} else {
		err = k.read(raw, &p)
	}
	if err == nil && len(p.HTML) > maxOut {
		err = cannot("there is more than %d MB of text in it; split it", maxOut>>20)
	}
	return p, err
}

// signatures begin files of the kinds that can be told by them.
var signatures = []struct{ begins, is string }{
	{"%PDF-", aPDF}, {"PK\x03\x04", aWord}, {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Word"},
	{`{\rtf`, "rich text (RTF)"}, {"\x89PNG", "a picture"}, {"\xff\xd8\xff", "a picture"}, {"GIF8", "a picture"},
	{"II*\x00", "a picture"}, {"MM\x00*", "a picture"}, {"\x1f\x8b", "packed (gzip)"}, {"Rar!", "packed (RAR)"},
	{"7z\xbc\xaf", "packed (7z)"}, {"\x7fELF", "a program"}, {"MZ", "a program"},
}

// mail are the headers at the start of an e-mail or a web archive; nil: it is neither.
func mail(raw []byte) textproto.MIMEHeader {
	raw = bytes.TrimLeft(bytes.TrimPrefix(raw[:min(len(raw), 64<<10)], []byte("\xef\xbb\xbf")), "\r\n")
	if bytes.HasPrefix(raw, []byte("From ")) { // of a mailbox
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	h, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(raw))).ReadMIMEHeader()
	sent := h.Get("From") + h.Get("Date") + h.Get("Subject")
	if err != nil || h.Get("MIME-Version") == "" &&
		(sent == "" || h.Get("Content-Type") == "" && h.Get("Content-Transfer-Encoding") == "") {
		return nil
	}
	return h
}

// check compares what a file is with what its name says.
func (k *kind) check(raw []byte) error {
	is := ""
	for _, s := range signatures {
		if bytes.HasPrefix(raw, []byte(s.begins)) {
			is = s.is
			break
		}
	}
	m := mail(raw)
	switch {
	case m != nil && k.most == maxText && strings.Contains(m.Get("Content-Type"), "multipart/related"):
		return cannot("it is a web archive (MHTML); open it in a browser and save it as HTML only, or print it as PDF")
	case m != nil && k.most == maxText:
		return cannot("it is an e-mail as it was sent; open it in a mail program and save its text, or print it as PDF")
	case k == pdfKind && is == "" && bytes.Contains(raw[:min(len(raw), 1024)], []byte("%PDF-")):
		return nil // some have a line before
	case is == k.name || is == "" && (k == htmlKind || k == textKind):
		return nil
	case is == "old Word" && bytes.Contains(raw, utf16le("EncryptedPackage")):
		return cannot("it is protected with a password; save it without one")
	case is == "old Word":
		return cannot("it is an old Office file (.doc); save it as .docx")
	case is == "" || is == "a program" && k != pdfKind && k != wordKind && looksLikeText(raw):
		if is != "" {
			return nil // plain text may begin with MZ
		}
		return cannot("its name says %s, and it isn't", k.name)
	}
	return cannot("its name says %s, and it is %s", k.name, is)
}

func utf16le(s string) []byte {
	var out []byte
	for i := range len(s) {
		out = append(out, s[i], 0)
	}
	return out
}

// writer makes simple HTML.
type writer struct {
	strings.Builder
	width int // of the long lines of plain text
}

func (w *writer) tag(name, text string) {
	if text = strings.TrimSpace(text); text != "" {
		text = strings.ReplaceAll(html.EscapeString(text), "\u2028 ", "<br>") // as block ends lines
		end, _, _ := strings.Cut(name, " ")
		w.WriteString("<" + name + ">" + text + "</" + end + ">\n")
	}
}

// heading writes one, with the name of its place.
func (w *writer) heading(level int, text, place string) {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return
	}
	id := ""
	if place != "" {
		id = ` id="` + html.EscapeString(place) + `"`
	}
	level = min(6, max(1, level))
	fmt.Fprintf(w, "<h%d%s>%s</h%d>\n", level, id, html.EscapeString(text), level)
}

// table writes rows of cells; the first is the head where there is one.
func (w *writer) table(rows [][]string, head bool) {
	w.WriteString("<table>")
	for i, r := range rows {
		cell := "td"
		if i == 0 && head {
			cell = "th"
		}
		w.WriteString("<tr>")
		for _, c := range r {
			w.WriteString("<" + cell + ">" + html.EscapeString(c) + "</" + cell + ">")
		}
		w.WriteString("</tr>")
	}
	w.WriteString("</table>\n")
}
