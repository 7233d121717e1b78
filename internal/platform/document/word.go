package document

import (
	"encoding/base64"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/mail"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/document/word"
)

func readWord(raw []byte, p *Page) error {
	return p.readWord(raw, func(name string, raw []byte) string {
		var sub Page
		var err error
		switch strings.ToLower(path.Ext(name)) {
		case ".mht", ".mhtml":
			err = readHTML(archived(raw), &sub)
		case ".htm", ".html", ".xhtml":
			err = readHTML(raw, &sub)
		case ".txt":
			err = readText(raw, &sub)
		case ".docx": // and nothing in it
			err = sub.readWord(raw, nil)
		default:
			return ""
		}
		if err != nil {
			return ""
		}
		p.Struck += sub.Struck
		for _, n := range sub.Notes {
			p.Notes = append(p.Notes, Note{Why: n.Why}) // its lines are another file's
		}
		return sub.HTML
	})
}

func (p *Page) readWord(raw []byte, embedded func(name string, raw []byte) string) error {
	d, err := word.Read(raw, maxUnpacked, embedded)
	if err != nil {
		return cannot("%s", err)
	}
	p.HTML = wordHTML(d)
	p.Struck += d.Struck
	p.Notes = append(p.Notes, remarks(p.HTML, d.Math)...)
	var unread []string
	for _, kind := range slices.Sorted(maps.Keys(d.Unread)) {
		unread = append(unread, kind+"s: "+strconv.Itoa(d.Unread[kind]))
	}
	if len(unread) > 0 {
		p.Notes = append(p.Notes, Note{Why: "it has parts that aren't read (" + strings.Join(unread, ", ") +
			"); write what they say into the document if it matters"})
	}
	if d.Spelt {
		p.Notes = append(p.Notes, Note{Why: "it numbers a list in words or another script, which is written in figures"})
	}
	return nil
}

// archived is the page of a web archive.
func archived(raw []byte) []byte {
	m, err := mail.ReadMessage(strings.NewReader(string(raw)))
	if err != nil {
		return nil
	}
	_, params, _ := mime.ParseMediaType(m.Header.Get("Content-Type"))
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if err != nil {
			return nil
		}
		var in io.Reader = part
		if strings.EqualFold(part.Header.Get("Content-Transfer-Encoding"), "base64") {
			in = base64.NewDecoder(base64.StdEncoding, part)
		}
		kind := part.Header.Get("Content-Type")
		if page, err := io.ReadAll(in); err == nil && NameFor(kind) == "page.html" {
			return InUTF8(kind, page)
		}
	}
}

var counted = regexp.MustCompile(`^(0|[1-9]\d*)\. $`)

// wordHTML writes what was found. Where no heading has a style, short lines all in bold are the headings. An item whose
// label isn't a number and a full stop begins with it.
func wordHTML(d *word.Document) string {
	var w writer
	list := ""
	for i, k := range d.Blocks {
		if !d.Named && k.Bold && k.List == "" && utf8.RuneCountInString(k.Text) <= 120 &&
			!strings.HasSuffix(k.Text, ".") && i+1 < len(d.Blocks) {
			k.Level = 2
			if i == 0 {
				k.Level = 1
			}
		}
		item := "li"
		switch {
		case counted.MatchString(k.Label):
			item += ` value="` + strings.TrimSuffix(k.Label, ". ") + `"`
		case k.Label != "":
			k.List, k.Text = "ul", k.Label+k.Text
		}
		if k.List != list && list != "" {
			w.WriteString("</" + list + ">\n")
		}
		if k.List != list && k.List != "" {
			w.WriteString("<" + k.List + ">")
		}
		list = k.List
		switch {
		case k.HTML != "":
			w.WriteString(k.HTML)
		case k.Level > 0:
			w.heading(k.Level, k.Text, "")
		case k.List != "":
			w.tag(item, k.Text)
		default:
			w.tag("p", k.Text)
		}
	}
	if list != "" {
		w.WriteString("</" + list + ">\n")
	}
	return w.String()
}
