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
			if strings.Contains(k.first("sdtPr").first("docPartObj").val("docPartGallery"), "Table of Contents") {
				continue
			}
			b.walk(k, depth+1)
		case "altChunk":
			if page := b.f.chunk(k); page != "" {
				b.out.Blocks = append(b.out.Blocks, Block{HTML: page})
			}
		default:
			b.walk(k, depth+1)
		}
	}
}

func (b *body) paragraph(p *Node, depth int) {
	pr := p.first("pPr")
	style := pr.val("pStyle")
	if b.f.toc[style] {
		return
	}
	block := Block{Text: strings.TrimSpace(b.text(p, depth)), Level: max(0, b.f.level[style]), Bold: b.bold(p)}
	if n, err := strconv.Atoi(pr.val("outlineLvl")); err == nil && n >= 0 && n < 9 {
		block.Level = n + 1
	}
	switch it := b.f.items[p]; {
	case block.Level > 0:
		block.Text = prefixed(it.label, block.Text)
	case it.kind != "":
		block.List, block.Label = it.kind, it.label
	case strings.HasPrefix(style, "List"):
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

// frames walks what is in text boxes of a paragraph.
func (b *body) frames(n *Node, depth int) {
	for _, k := range n.Kids {
		switch k.Name {
		case "txbxContent":
			b.walk(k, depth+1)
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

// lifted reports whether a run's position raises it by 2 points or more.
func lifted(pr *Node) bool {
	n, err := strconv.Atoi(pr.val("position"))
	return err == nil && n >= 4
}

func (b *body) write(s *strings.Builder, n *Node, depth int) {
	if depth > 4*maxDepth {
		return
	}
	struck := false // what is before
	for _, k := range n.Kids {
		if b.f.quiet[k] {
			continue
		}
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
		case "textpath":
			s.WriteString(" " + k.Attr["string"])
		case "ruby":
			b.write(s, k.first("rubyBase"), depth+1)
			s.WriteString(" (" + b.text(k.first("rt"), depth+1) + ")")
		case "p":
			s.WriteString(b.f.items[k].label)
			b.write(s, k, depth+1)
			s.WriteByte(' ')
		case "footnoteReference", "endnoteReference":
			if note := b.f.notes[strings.TrimSuffix(k.Name, "Reference")+"s"+k.Attr["id"]]; note != "" {
				s.WriteString(" (" + note + ")")
			}
		case "delText", "instrText", "rPr", "pPr", "txbxContent", "annotationRef":
		case "r":
			pr := k.first("rPr")
			look, says := b.f.lookOf(pr), len(k.all("t")) > 0
			switch {
			case pr.first("vanish").on():
			case look.struck && says:
				if !struck {
					b.f.struck[k] = true
				}
			case look.raised && says, says && lifted(pr) && strings.TrimSpace(s.String()) != "":
				s.WriteString(sign.Raised(s.String(), b.text(k, depth+1)))
			default:
				b.write(s, k, depth+1)
			}
			struck = look.struck
		default:
			b.write(s, k, depth+1)
			s.WriteString(b.f.marks[k])
		}
	}
}

// prefixed is a text with its label, or "".
func prefixed(label, text string) string {
	if text == "" {
		return ""
	}
	return label + text
}
