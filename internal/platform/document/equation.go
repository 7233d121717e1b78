package document

import (
	"cmp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"preceptor/internal/platform/text/sign"
)

// asXML is an equation of a page as Word's are read.
func asXML(n *html.Node, depth int) *xnode {
	if n.Type == html.CommentNode {
		return &xnode{}
	}
	if n.Type == html.TextNode {
		return &xnode{text: strings.Trim(n.Data, " \n\t\u2061\u2062\u2063\u2064")}
	}
	x := &xnode{name: n.Data}
	for k := n.FirstChild; k != nil && depth < 4*maxDepth; k = k.NextSibling {
		x.kids = append(x.kids, asXML(k, depth+1))
	}
	return x
}

const (
	joins = " oMath r t ins e num den sub sup deg fName box math mrow mi mn mo mtext mstyle mspace mpadded semantics "
	drops = " del annotation annotation-xml mphantom "
)

// equation writes one of Word or MathML on one line.
func (n *xnode) equation(before string) string {
	before = before[max(0, len(before)-1):] // whether a figure is in front is all that counts
	var parts []string
	out := n.text
	for _, k := range n.kids {
		part := k.equation(before + out)
		if strings.HasSuffix(k.name, "Pr") || k.name == "" && part == "" || strings.Contains(drops, " "+k.name+" ") {
			continue
		}
		out, parts = out+part, append(parts, part)
	}
	switch {
	case n.name == "" || strings.Contains(joins, " "+n.name+" "):
		return out
	case n.name == "d" || n.name == "mfenced":
		open, shut := n.first("dPr").first("begChr"), n.first("dPr").first("endChr")
		return cmp.Or(open.attr["val"], "(") + strings.Join(parts, ", ") + cmp.Or(shut.attr["val"], ")")
	}
	return sign.Formula(n.name, before, parts)
}

// remarks say what of equations and signs a person should check.
func remarks(page string, equations bool) (notes []Note) {
	if equations {
		notes = append(notes, Note{Why: "its equations are written on one line, as 1/4 and 2^5, or as " + sign.NoLine +
			" where that can't be done; check them"})
	}
	if n := strings.Count(page, sign.Unknown); n > 0 {
		notes = append(notes, Note{Why: "signs of a font that aren't known: " + strconv.Itoa(n) + ", shown as " +
			sign.Unknown + "; check them"})
	}
	return notes
}
