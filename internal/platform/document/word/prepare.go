package word

import (
	"cmp"
	"slices"
	"strings"

	"preceptor/internal/platform/text/sign"
)

// A field is an instruction and what it last gave.
type field struct {
	begin, separate, end *Node
	instruction          string
	said                 int // pieces of text before what it gave
}

// silent are fields that show nothing where nothing was given.
const silent = " ADVANCE ASK BOOKMARK HYPERLINK INDEX NEXT NEXTIF NUMPAGES PAGE PRIVATE RD SECTION SET SKIPIF TA TC TOC XE "

// prepare takes out of the tree what is no part of the text, and notes what the order of the whole body tells: numbers,
// fields, and parts that aren't read. in is the drawing or object around n.
func (f *file) prepare(n, in *Node) {
	var kids []*Node
	var joins *Node // a paragraph whose end was deleted
	for _, k := range n.Kids {
		pr := k.first("pPr")
		switch {
		case k.Name == "del", k.Name == "moveFrom", k.Name == "tr" && k.first("trPr").first("del").Name != "",
			k.Name == "Fallback" && n.first("Choice").Name != "", k.Name == "Choice" && n.first("Choice") != k:
			continue
		case k.Name == "tbl":
			joins = nil
		case k.Name == "sdt" && k.first("sdtPr").first("showingPlcHdr").on():
			k.drop("t")
		}
		if k.Name == "p" && joins != nil { // and its look is the second's
			joins.Kids = slices.Concat([]*Node{pr}, joins.Kids, k.Kids)
			k, joins = joins, nil
		} else {
			kids = append(kids, k)
		}
		if end := pr.first("rPr"); k.Name == "p" && end.first("del").Name+end.first("moveFrom").Name != "" {
			joins = k
		}
	}
	n.Kids = kids
	for _, k := range n.Kids {
		f.order = append(f.order, k)
		around := in
		switch k.Name {
		case "p":
			f.items[k] = f.number(k.first("pPr"))
		case "drawing", "pict", "object":
			around = cmp.Or(in, k)
		case "txbxContent":
			around = nil
		case "decorative":
			if in != nil && k.on() {
				f.unread[in] = ""
			}
		case "fldChar":
			f.fieldChar(k)
		case "instrText":
			if l := len(f.open); l > 0 && f.open[l-1].separate == nil {
				for _, c := range k.Kids {
					f.open[l-1].instruction += c.Text
				}
			}
		}
		f.related(k, cmp.Or(around, k))
		f.prepare(k, around)
		if k.Name == "fldSimple" {
			end := &Node{}
			k.Kids, f.order = append(k.Kids, end), append(f.order, end)
			fl := &field{separate: k, end: end, instruction: k.Attr["instr"]}
			f.fields[k], f.fields[end] = fl, fl
		}
	}
}

func (f *file) fieldChar(k *Node) {
	l := len(f.open)
	switch kind := k.Attr["fldCharType"]; {
	case kind == "begin":
		f.open = append(f.open, &field{begin: k})
	case l > 0 && kind == "separate" && f.open[l-1].separate == nil:
		f.open[l-1].separate = k
	case l > 0 && kind == "end":
		fl := f.open[l-1]
		fl.end, f.open = k, f.open[:l-1]
		f.fields[fl.begin], f.fields[fl.end] = fl, fl
		if fl.separate != nil {
			f.fields[fl.separate] = fl
		}
	}
}

// results hides what is within the instructions of fields, and marks where one shows something that isn't in the file.
func (f *file) results() {
	within, said := 0, 0
	for _, k := range f.order {
		if fl := f.fields[k]; fl != nil {
			switch k {
			case fl.begin:
				within++
			case fl.separate:
				if fl.begin != nil {
					within--
				}
				fl.said = said
			case fl.end:
				if fl.separate == nil {
					within--
				}
				if within == 0 && (fl.separate == nil || fl.said == said) {
					if f.marks[k] = f.missing(fl); f.marks[k] != "" {
						said++
					}
				}
			}
			continue
		}
		switch k.Name {
		case "t", "sym", "oMath", "noBreakHyphen", "drawing", "pict", "object", "footnoteReference":
			if within > 0 {
				f.quiet[k] = true
			} else if k.Name != "t" || len(k.Kids) > 0 && strings.TrimSpace(k.Kids[0].Text) != "" {
				said++
			}
		}
	}
}

// missing stands for what a field shows without having given it.
func (f *file) missing(fl *field) string {
	if box := cmp.Or(fl.begin, fl.separate).first("ffData").first("checkBox"); box.Name != "" {
		if on := box.first("checked"); on.on() || on.Name == "" && box.first("default").on() {
			return "☑"
		}
		return "☐"
	}
	words := append(strings.Fields(strings.ToUpper(fl.instruction)), "")
	switch {
	case words[0] == "EQ":
		f.math = true
		return sign.NoLine
	case words[0] == "SYMBOL":
		return sign.Unknown
	case words[0] == "IF" && fl.separate != nil, strings.Contains(silent, " "+words[0]+" "):
		return ""
	}
	return sign.NoField
}

// unreads are the kinds of parts that aren't read, by how the file calls its relation to them; "" those that say nothing.
var unreads = map[string]string{"hyperlink": "", "header": "", "footer": "", "printerSettings": "", "diagramLayout": "",
	"diagramQuickStyle": "", "diagramColors": "", "diagramDrawing": "", "comments": "",
	"image": "picture", "diagramData": "diagram", "chart": "chart", "chartEx": "chart",
	"oleObject": "embedded object", "package": "embedded object", "aFChunk": "embedded document",
	"subDocument": "embedded document"}

// related notes a part that an element refers to and that isn't read.
func (f *file) related(k, in *Node) {
	if strings.HasPrefix(k.Attr["ProgID"], "Equation.") {
		f.marks[in], f.unread[in], f.math = sign.NoLine, "", true
	}
	for _, v := range k.Attr {
		r, ok := f.rels[v]
		if !ok {
			continue
		}
		kind, known := unreads[r.kind]
		if !known {
			kind = "other part"
		}
		if before, ok := f.unread[in]; kind != "" && (!ok || before == "picture") {
			f.unread[in] = kind
		}
	}
}
