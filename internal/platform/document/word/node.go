package word

import (
	"cmp"
	"slices"
	"strings"

	"preceptor/internal/platform/text/sign"
)

// Node is an element of XML, or text where it has no name.
type Node struct {
	Name string
	Attr map[string]string
	Text string
	Kids []*Node

	list, label string // of a paragraph: ul or ol, and what is printed in front
	field       *field // that it begins, separates or ends
	mark        string // in place of what it shows
	part        string // that it shows and that isn't read; "-": none
	hidden      bool
	counted     bool // as struck out
}

func (n *Node) first(name string) *Node {
	if n == nil {
		return nothing
	}
	for _, k := range n.Kids {
		if k.Name == name {
			return k
		}
	}
	return nothing
}

var nothing = &Node{}

func (n *Node) val(name string) string { return n.first(name).Attr["val"] }

// drop takes what has this name out of n.
func (n *Node) drop(name string) {
	n.Kids = slices.DeleteFunc(n.Kids, func(k *Node) bool { return k.Name == name })
	for _, k := range n.Kids {
		k.drop(name)
	}
}

// all are those of this name below n.
func (n *Node) all(name string) (out []*Node) {
	for _, k := range n.Kids {
		if k.Name == name {
			out = append(out, k)
		}
		out = append(out, k.all(name)...)
	}
	return out
}

// rows are those of a table, without those of tables in it.
func (n *Node) rows() (out []*Node) {
	for _, k := range n.Kids {
		switch k.Name {
		case "tr":
			out = append(out, k)
		case "tbl":
		default:
			out = append(out, k.rows()...)
		}
	}
	return out
}

func (n *Node) on() bool { // of a switch such as <w:b/>
	v := n.Attr["val"]
	return n.Name != "" && v != "0" && v != "false" && v != "none" && v != "off"
}

const (
	joins = " oMath r t ins e num den sub sup deg fName box math mrow mi mn mo mtext mstyle mspace mpadded semantics "
	drops = " del annotation annotation-xml mphantom "
)

// Equation writes one of Word or MathML on one line.
func (n *Node) Equation(before string) string {
	before = before[max(0, len(before)-1):] // whether a figure is in front is all that counts
	var parts []string
	var out strings.Builder
	out.WriteString(n.Text)
	for _, k := range n.Kids {
		part := k.Equation(cmp.Or(out.String(), before))
		if strings.HasSuffix(k.Name, "Pr") || k.Name == "" && part == "" || strings.Contains(drops, " "+k.Name+" ") {
			continue
		}
		out.WriteString(part)
		parts = append(parts, part)
	}
	switch {
	case n.Name == "" || strings.Contains(joins, " "+n.Name+" "):
		return out.String()
	case n.Name == "d" || n.Name == "mfenced":
		open, shut := n.first("dPr").first("begChr"), n.first("dPr").first("endChr")
		return cmp.Or(open.Attr["val"], "(") + strings.Join(parts, ", ") + cmp.Or(shut.Attr["val"], ")")
	}
	return sign.Formula(n.Name, before, parts)
}
