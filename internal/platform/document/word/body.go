package word

import (
	"strconv"
	"strings"

	"preceptor/internal/platform/text/sign"
)

// body reads the body.
type body struct {
	f   *file
	out Document
}

func (b *body) walk(n *Node, depth int) {
	if depth > 4*maxDepth {
		return
	}
	for _, k := range n.Kids {
		switch k.Name {
		case "p":
			b.paragraph(k, depth)
		case "tbl":
			b.table(k, depth)
		case "sdt":
			if strings.Contains(k.first("sdtPr").first("docPartObj").first("docPartGallery").Attr["val"],
				"Table of Contents") {
				continue
			}
			b.walk(k, depth+1)
		case "AlternateContent":
			b.walk(k.first("Choice"), depth+1)
		case "del", "moveFrom":
		default:
			b.walk(k, depth+1)
		}
	}
}

func (b *body) paragraph(p *Node, depth int) {
	pr := p.first("pPr")
	style := pr.first("pStyle").Attr["val"]
	if b.f.toc[style] {
		return
	}
	block := Block{Text: strings.TrimSpace(b.text(p, depth)), Level: max(0, b.f.level[style]), Bold: b.bold(p)}
	if n, err := strconv.Atoi(pr.first("outlineLvl").Attr["val"]); err == nil && n >= 0 && n < 9 {
		block.Level = n + 1
	}
	num := pr.first("numPr")
	if id := num.first("numId").Attr["val"]; id != "" && id != "0" && block.Level == 0 {
		level := num.first("ilvl").Attr["val"]
		if level == "" {
			level = "0"
		}
		block.List = "ol"
		if kind := b.f.kinds[id+" "+level]; kind == "bullet" || kind == "none" || kind == "" {
			block.List = "ul"
		}
	} else if strings.HasPrefix(style, "List") && block.Level == 0 {
		block.List = "ul"
		if strings.Contains(style, "Number") {
			block.List = "ol"
		}
	}
	if block.Text != "" {
		b.out.Named = b.out.Named || block.Level > 0
		b.out.Blocks = append(b.out.Blocks, block)
	}
	b.frames(p, depth)
}

// frames walks what is in text boxes of a paragraph, but for the copies that old programs show.
func (b *body) frames(n *Node, depth int) {
	for _, k := range n.Kids {
		switch k.Name {
		case "txbxContent":
			b.walk(k, depth+1)
		case "Fallback":
		default:
			b.frames(k, depth)
		}
	}
}

// bold reports whether every run of a paragraph is bold.
func (b *body) bold(p *Node) bool {
	some := false
	for _, r := range p.all("r") {
		if len(r.all("t")) == 0 {
			continue
		}
		if !r.first("rPr").first("b").on() {
			return false
		}
		some = true
	}
	return some
}

// text is what a paragraph says: without what was deleted, struck out, hidden, or is a field's code.
func (b *body) text(n *Node, depth int) string {
	var s strings.Builder
	b.write(&s, n, depth)
	return s.String()
}

func (b *body) write(s *strings.Builder, n *Node, depth int) {
	if depth > 4*maxDepth {
		return
	}
	struck := false // what is before
	for _, k := range n.Kids {
		switch k.Name {
		case "t":
			for _, c := range k.Kids {
				s.WriteString(c.Text)
			}
		case "tab", "br", "cr", "ptab":
			s.WriteByte(' ')
		case "noBreakHyphen":
			s.WriteByte('-')
		case "sym":
			s.WriteString(sign.Symbol(k.Attr["font"], k.Attr["char"]))
		case "oMath":
			b.f.math = true
			s.WriteString(k.Equation(s.String()))
		case "p":
			b.write(s, k, depth+1)
			s.WriteByte(' ')
		case "footnoteReference", "endnoteReference":
			if note := b.f.notes[strings.TrimSuffix(k.Name, "Reference")+"s"+k.Attr["id"]]; note != "" {
				s.WriteString(" (" + note + ")")
			}
		case "del", "moveFrom", "delText", "instrText", "rPr", "pPr", "txbxContent", "Fallback", "annotationRef":
		case "r":
			pr := k.first("rPr")
			look, says := b.f.lookOf(pr), len(k.all("t")) > 0
			switch {
			case pr.first("vanish").on():
			case look.struck && says:
				if !struck {
					b.f.struck[k] = true
				}
			case look.raised && says:
				s.WriteString(sign.Raised(s.String(), b.text(k, depth+1)))
			default:
				b.write(s, k, depth+1)
			}
			struck = look.struck
		default:
			b.write(s, k, depth+1)
		}
	}
}
