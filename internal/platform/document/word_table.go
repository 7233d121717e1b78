package document

import (
	"strconv"
	"strings"
)

func (b *wordBody) table(t *xnode, depth int) {
	var rows [][]string
	head := false
	for _, r := range t.rows() {
		var cells []string
		for _, k := range r.kids {
			if k.name == "sdt" {
				k = k.first("sdtContent").first("tc")
			}
			if k.name != "tc" {
				continue
			}
			merge := k.first("tcPr").first("vMerge")
			cell := strings.TrimSpace(b.text(k, depth+1))
			if at := len(cells); merge.name != "" && merge.attr["val"] != "restart" && cell == "" && len(rows) > 0 &&
				at < len(rows[len(rows)-1]) {
				cell = rows[len(rows)-1][at] // goes on from above
			}
			cells = append(cells, cell)
			span, _ := strconv.Atoi(k.first("tcPr").first("gridSpan").attr["val"])
			for range min(span, 64) - 1 {
				cells = append(cells, "")
			}
		}
		if len(rows) == 0 && r.first("trPr").first("tblHeader").on() {
			head = true
		}
		rows = append(rows, cells)
	}
	if len(rows) == 0 {
		return
	}
	if len(rows[0]) == 1 { // a frame, and no table
		b.walk(t, depth+1)
		return
	}
	look := t.first("tblPr").first("tblLook")
	bits, _ := strconv.ParseUint(look.attr["val"], 16, 32)
	head = head || look.attr["firstRow"] == "1" || look.attr["firstRow"] == "" && bits&0x20 != 0
	if look.name == "" && !head {
		head = b.bold(t.rows()[0])
	}
	var w writer
	w.table(rows, head)
	b.out = append(b.out, wordBlock{html: w.String()})
}
