package document

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// symbols are the signs of fonts that have no letters, by their place in the font.
var symbols = map[string]map[int64]string{
	"symbol": {0xa2: "′", 0xa3: "≤", 0xa5: "∞", 0xac: "←", 0xae: "→", 0xb0: "°", 0xb1: "±", 0xb2: "″", 0xb3: "≥",
		0xb4: "×", 0xb7: "•", 0xb8: "÷", 0xb9: "≠", 0xba: "≡", 0xbb: "≈", 0xd6: "√", 0xde: "⇒"},
	"wingdings": {0x6c: "•", 0x6e: "•", 0x6f: "☐", 0x71: "☐", 0x72: "☐", 0x75: "•", 0x76: "•", 0x77: "•", 0x9f: "•",
		0xa7: "•", 0xa8: "☐", 0xd8: "•", 0xe0: "→", 0xfb: "✗", 0xfc: "✓", 0xfd: "☒", 0xfe: "☑"},
	"wingdings 2": {0x4f: "✗", 0x50: "✓", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xa3: "☐"},
}

const aSymbol = "[symbol]" // one that isn't known

// symbol is the sign that a font has at a place, which Word writes as a hexadecimal number.
func symbol(font, place string) string {
	n, err := strconv.ParseInt(place, 16, 32)
	font = strings.ToLower(font)
	switch known := symbols[font][n&0xfff]; {
	case err != nil:
	case known != "":
		return known
	case n > 0xff && n < 0xe000, n > ' ' && n < 0xe000 && symbols[font] == nil && !strings.Contains(font, "dings"):
		return string(rune(n))
	}
	return aSymbol
}

const aFormula = "[formula]" // one that can't be written on a line

var oneTerm = regexp.MustCompile(`^([\d.,]+|\pL|\([^()]*\)|)$`)

// formula writes a fraction, a power or the like on one line, by the name that Word or MathML has for it; before is
// what is in front of it.
func formula(name, before string, parts []string) string {
	if name == "mfenced" || name == "d" {
		return "(" + strings.Join(parts, ", ") + ")"
	}
	if name == "msqrt" {
		name, parts = "rad", []string{"", strings.Join(parts, "")}
	} else if name == "mroot" && len(parts) == 2 {
		parts[0], parts[1] = parts[1], parts[0]
	}
	for i, p := range parts {
		if !oneTerm.MatchString(p) {
			parts[i] = "(" + p + ")"
		}
	}
	switch two := len(parts) == 2; {
	case two && (name == "f" || name == "mfrac"):
		if last := before[max(0, len(before)-1):]; last >= "0" && last <= "9" {
			return " " + parts[0] + "/" + parts[1] // 2 1/4
		}
		return parts[0] + "/" + parts[1]
	case two && (name == "sSup" || name == "msup"):
		return parts[0] + "^" + parts[1]
	case two && (name == "sSub" || name == "msub"):
		return parts[0] + "_" + parts[1]
	case two && (name == "rad" || name == "mroot") && (parts[0] == "" || parts[0] == "2"):
		return "√" + parts[1]
	case two && (name == "func"):
		return parts[0] + " " + parts[1]
	}
	return aFormula
}

// asXML is an equation of a page as Word's are read.
func asXML(n *html.Node, depth int) *xnode {
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
	joins = " oMath r t ins e num den sub sup deg fName box math mrow mi mn mo mtext mstyle semantics "
	drops = " del annotation annotation-xml mphantom "
)

// equation writes one of Word or MathML on one line.
func (n *xnode) equation(before string) string {
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
	case n.name == "d" && len(n.first("dPr").kids) > 0:
		open, shut := n.first("dPr").first("begChr"), n.first("dPr").first("endChr")
		return cmp.Or(open.attr["val"], "(") + out + cmp.Or(shut.attr["val"], ")")
	}
	return formula(n.name, before, parts)
}

// remarks say what of equations and signs a person should check.
func remarks(page string, equations bool) (notes []Note) {
	if equations {
		notes = append(notes, Note{Why: "its equations are written on one line, as 1/4 and 2^5, or as " + aFormula +
			" where that can't be done; check them"})
	}
	if n := strings.Count(page, aSymbol); n > 0 {
		notes = append(notes, Note{Why: "signs of a font that aren't known: " + strconv.Itoa(n) + ", shown as " +
			aSymbol + "; check them"})
	}
	return notes
}
