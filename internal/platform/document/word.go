package document

import (
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/document/word"
)

func readWord(raw []byte, p *Page) error {
	d, err := word.Read(raw, maxUnpacked)
	if err != nil {
		return cannot("%s", err)
	}
	p.HTML, p.Struck = wordHTML(d), d.Struck
	p.Notes = remarks(p.HTML, d.Math)
	return nil
}

// wordHTML writes what was found. Where no heading has a style, short lines all in bold are the headings.
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
			w.tag("li", k.Text)
		default:
			w.tag("p", k.Text)
		}
	}
	if list != "" {
		w.WriteString("</" + list + ">\n")
	}
	return w.String()
}
