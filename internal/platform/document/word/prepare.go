package word

import (
	"cmp"
	"path"
	"strconv"
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
const silent = " ADVANCE ASK HYPERLINK INDEX NEXT NEXTIF NUMPAGES PAGE PRIVATE RD SECTION SET SKIPIF TA TC TOC XE "

// unread are the parts that aren't read, by how the file calls its relation to them; "" says nothing.
var unread = map[string]string{"hyperlink": "", "header": "", "footer": "", "printerSettings": "", "diagramLayout": "",
	"diagramQuickStyle": "", "diagramColors": "", "aFChunk": "", "image": "picture", "diagramData": "diagram",
	"chart": "chart", "chartEx": "chart", "oleObject": "embedded object", "package": "embedded object",
	"subDocument": "embedded document"}

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
		case k.Name == "sdt" && k.first("sdtPr").first("showingPlcHdr").on():
			k.drop("t")
		}
		if k.Name == "tbl" || k.Name == "sdt" {
			joins = nil
		}
		if k.Name == "p" && joins != nil { // and its look is the second's
			*joins.first("pPr") = *pr
			joins.Kids = append(joins.Kids, k.Kids...)
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
			k.list, k.label = f.number(k.first("pPr"))
		case "drawing", "pict", "object":
			around = cmp.Or(in, k)
		case "txbxContent":
			around = nil
		case "commentReference":
			k.part = "comment"
		case "decorative":
			cmp.Or(in, k).part = "-"
		case "fldChar":
			f.fieldChar(k, k.Attr["fldCharType"])
		case "instrText":
			if l := len(f.open); l > 0 && f.open[l-1].separate == nil && len(k.Kids) > 0 {
				f.open[l-1].instruction += k.Kids[0].Text
			}
		}
		f.related(k, cmp.Or(around, k))
		f.prepare(k, around)
		if k.Name == "fldSimple" {
			end := &Node{}
			end.field = &field{separate: k, end: end, instruction: k.Attr["instr"]}
			k.field, k.Kids, f.order = end.field, append(k.Kids, end), append(f.order, end)
		}
	}
}

func (f *file) fieldChar(k *Node, kind string) {
	l := len(f.open) - 1
	switch {
	case kind == "begin":
		f.open = append(f.open, &field{begin: k})
	case l >= 0 && kind == "separate":
		f.open[l].separate = k
	case l >= 0 && kind == "end":
		fl := f.open[l]
		fl.end, f.open = k, f.open[:l]
		fl.begin.field, k.field = fl, fl
		if fl.separate != nil {
			fl.separate.field = fl
		}
	}
}

// related notes a part that an element refers to and that isn't read.
func (f *file) related(k, in *Node) {
	if strings.HasPrefix(k.Attr["ProgID"], "Equation.") {
		in.mark, in.part, f.Math = sign.NoLine, "-", true
	}
	for _, v := range k.Attr {
		if r := f.rels[v]; r != nil && (in.part == "" || in.part == "picture") {
			kind, known := unread[path.Base(r.Attr["Type"])]
			if !known {
				kind = "other part"
			}
			in.part = cmp.Or(kind, in.part)
		}
	}
}

// results hides what is within the instructions of fields, marks where one shows something that isn't in the file, and
// counts the parts that aren't read.
func (f *file) results() {
	within, said := 0, 0
	for _, k := range f.order {
		switch fl := k.field; {
		case fl == nil:
		case k == fl.begin:
			within++
		case k == fl.separate:
			if fl.begin != nil {
				within--
			}
			fl.said = said
		default:
			if fl.separate == nil {
				within--
			}
			if within == 0 && (fl.separate == nil || fl.said == said) {
				k.mark = f.missing(fl)
				said += len(k.mark)
			}
		}
		switch k.Name {
		case "t", "sym", "oMath", "noBreakHyphen", "drawing", "pict", "object", "footnoteReference":
			if k.hidden = within > 0; !k.hidden && (k.Name != "t" || len(k.Kids) > 0) {
				said++
			}
		}
		if k.part != "" && k.part != "-" && within == 0 {
			f.Unread[k.part]++
		}
	}
	f.order, f.open = nil, nil
}

// missing is what a field without a result shows: its state, or a mark.
func (f *file) missing(fl *field) string {
	name, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(fl.instruction)), " ")
	data := fl.begin.first("ffData") // of a form
	box, list := data.first("checkBox"), data.first("ddList")
	chosen, _ := strconv.Atoi(cmp.Or(list.val("result"), list.val("default")))
	switch entries := list.all("listEntry"); {
	case box.first("checked").on(), box.first("checked").Name == "" && box.first("default").on():
		return "☑"
	case box.Name != "":
		return "☐"
	case chosen >= 0 && chosen < len(entries):
		return entries[chosen].Attr["val"]
	case name == "EQ":
		f.Math = true
		return sign.NoLine
	case name == "SYMBOL":
		return sign.Unknown
	case name == "IF" && fl.separate != nil, strings.Contains(silent, " "+name+" "):
		return ""
	}
	return sign.NoField
}
