package word

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

type cell struct {
	text       string
	tall, wide int
}

// table writes one with its spans: the reader of the page lays it out.
func (f *file) table(t *Node, depth int) {
	var rows [][]*cell
	over := map[int]*cell{} // the cell above, by column
	heads, width := 0, 0
	for i, r := range t.rows() {
		var cells []*cell
		at, before := 0, r.first("trPr").first("gridBefore") // columns without a cell
		for _, k := range append([]*Node{before}, r.Kids...) {
			if k.Name == "sdt" {
				k = k.first("sdtContent").first("tc")
			}
			if k.Name != "tc" && !(k == before && k.on()) {
				continue
			}
			span, _ := strconv.Atoi(k.first("tcPr").val("gridSpan") + k.Attr["val"])
			c := &cell{strings.TrimSpace(f.text(k, depth+1)), 1, max(1, min(span, 64))}
			merge, above := k.first("tcPr").first("vMerge"), over[at]
			goesOn := merge.Name != "" && merge.Attr["val"] != "restart" && c.text == "" && above != nil &&
				above.wide == c.wide
			if goesOn && above.tall < maxDepth {
				c = above
				c.tall++
			} else {
				if goesOn {
					c.text = above.text
				}
				cells = append(cells, c)
			}
			for k := range c.wide {
				over[at+k] = nil
			}
			over[at] = c
			at += c.wide
		}
		if i == 0 {
			width = at
		}
		if heads == i && r.first("trPr").first("tblHeader").on() {
			heads++
		}
		rows = append(rows, cells)
	}
	if len(rows) == 0 {
		return
	}
	if width == 1 { // a frame, and no table
		f.walk(t, depth+1)
		return
	}
	look := t.first("tblPr").first("tblLook")
	bits, _ := strconv.ParseUint(look.Attr["val"], 16, 32)
	if look.Attr["firstRow"] == "1" || look.Attr["firstRow"] == "" && bits&0x20 != 0 ||
		look.Name == "" && f.bold(t.rows()[0]) {
		heads = max(heads, 1)
	}
	if grouped(rows[0]) {
		heads = max(heads, 2)
	}
	var w strings.Builder
	w.WriteString("<table>")
	for i, r := range rows {
		w.WriteString("<tr>")
		for _, c := range r {
			tag, spans := "td", ""
			if i < heads {
				tag = "th"
			}
			if c.tall > 1 {
				spans = fmt.Sprintf(` rowspan="%d"`, c.tall)
			}
			if c.wide > 1 {
				spans += fmt.Sprintf(` colspan="%d"`, c.wide)
			}
			fmt.Fprintf(&w, "<%s%s>%s</%[1]s>", tag, spans, html.EscapeString(c.text))
		}
		w.WriteString("</tr>")
	}
	w.WriteString("</table>\n")
	f.Blocks = append(f.Blocks, Block{HTML: w.String()})
	f.frames(t, depth)
}

// grouped reports whether a first row is half of two rows of headings: each cell goes down to the second, or is over
// several columns of it.
func grouped(first []*cell) bool {
	down, across := 0, 0
	for _, c := range first {
		switch {
		case c.wide > 1 && c.tall == 1:
			across++
		case c.wide == 1 && c.tall == 2:
			down++
		}
	}
	return down > 0 && across > 0 && down+across == len(first)
}
