package document

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/document/word"
)

func readWord(raw []byte, p *Page) error { return p.readWord(raw, 0) }

func (p *Page) readWord(raw []byte, within int) error {
	d, err := word.Read(raw)
	if err != nil {
		return cannot("%s", err)
	}
	var own strings.Builder
	for i, k := range d.Blocks {
		own.WriteString(k.HTML + k.Text) // none of a file in the file
		if k.File != "" && !p.readPart(&d.Blocks[i], within) {
			d.Unread["embedded document"]++
		}
	}
	p.HTML, p.Struck = wordHTML(d), p.Struck+d.Struck
	p.Notes = append(p.Notes, remarks(own.String(), d.Math)...)
	if len(d.Unread) > 0 {
		list := ""
		for _, kind := range slices.Sorted(maps.Keys(d.Unread)) {
			list += ", " + kind + "s: " + strconv.Itoa(d.Unread[kind])
		}
		p.Notes = append(p.Notes, Note{Why: "it has parts that aren't read (" + list[2:] +
			"); write what they say into the document if it matters"})
	}
	return nil
}

// readPart reads a file in the file, but no Word document in one that is.
func (p *Page) readPart(k *word.Block, within int) bool {
	var in Page
	err := errGreedy
	switch ext := strings.ToLower(path.Ext(k.File)); {
	case strings.Contains(ext, "htm"):
		err = readHTML(k.Raw, &in)
	case ext == ".txt":
		err = readText(k.Raw, &in)
	case ext == ".docx" && within == 0:
		err = in.readWord(k.Raw, 1)
	}
	if err != nil {
		return false
	}
	k.HTML, p.Struck = in.HTML, p.Struck+in.Struck
	for _, n := range in.Notes {
		p.Notes = append(p.Notes, Note{Why: n.Why}) // its lines are another file's
	}
	return true
}

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
		value := ""
		if n := strings.TrimSuffix(k.Label, ". "); k.List != "" && k.Label > n && strings.Trim(n, "0123456789") == "" {
			value = ` value="` + n + `"`
		} else if k.Text = k.Label + k.Text; k.Label != "" && k.List != "" {
			k.List = "ul"
		}
		if k.List != list && list != "" {
			w.WriteString("</" + list + ">\n")
		}
		if k.List != list && k.List != "" {
			w.WriteString("<" + k.List + ">")
		}
		list = k.List
		switch {
		case k.Text == "":
			w.WriteString(k.HTML)
		case k.Level > 0:
			w.heading(k.Level, k.Text, "")
		case k.List != "":
			w.tag("li"+value, k.Text)
		default:
			w.tag("p", k.Text)
		}
	}
	if list != "" {
		w.WriteString("</" + list + ">\n")
	}
	return w.String()
}
