package document

import (
	"fmt"

	"preceptor/internal/platform/document/pdf"
)

func readPDF(raw []byte, p *Page) error {
	d, err := pdf.Read(raw, maxUnpacked)
	if err != nil {
		return cannot("%s", err)
	}
	var w writer
	for _, k := range d.Blocks {
		switch {
		case k.HTML != "":
			w.WriteString(k.HTML)
		case k.Level > 0:
			w.heading(k.Level, k.Text, fmt.Sprintf("page=%d", k.Page))
		case k.Rows != nil:
			w.table(k.Rows, k.Head)
		case k.Item:
			w.WriteString("<ul>")
			w.tag("li", k.Text)
			w.WriteString("</ul>")
		default:
			w.tag("p", k.Text)
		}
	}
	p.HTML, p.Struck = pdf.Whole(w.String()), d.Struck
	for _, n := range d.Notes {
		p.Notes = append(p.Notes, Note{Why: n})
	}
	p.Notes = append(p.Notes, remarks(p.HTML, false)...)
	return nil
}
