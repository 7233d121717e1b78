package word

import (
	"strconv"
	"strings"

	"preceptor/internal/platform/text/sign"
)

func (f *file) walk(n *Node, depth int) {
	if depth > 4*maxDepth {
		return
	}
	for _, k := range n.Kids {
		switch k.Name {
		case "p":
			f.paragraph(k, depth)
		case "tbl":
			f.table(k, depth)
		case "sdt":
			if strings.Contains(k.first("sdtPr").first("docPartObj").val("docPartGallery"), "Table of Contents") {
				continue
			}
			f.walk(k, depth+1)
		case "altChunk":
			f.Blocks = append(f.Blocks, f.chunk(k))
		default:
			f.walk(k, depth+1)
		}
	}
}

func (f *file) paragraph(p *Node, depth int) {
	pr := p.first("pPr")
	style := pr.val("pStyle")
	if f.toc[style] {
		return
	}
	block := Block{Text: strings.TrimSpace(f.text(p, depth)), Level: max(0, f.level[style]), Bold: f.bold(p)}
	if n, err := strconv.Atoi(pr.val("outlineLvl")); err == nil && n >= 0 && n < 9 {
		block.Level = n + 1
	}
	switch block.Label = p.label; {
	case block.Level > 0:
	case p.list != "":
		block.List = p.list
	case strings.HasPrefix(style, "List"):
		block.List = "ul"
		if strings.Contains(style, "Number") {
			block.List = "ol"
		}
	}
	if block.Text != "" {
		f.Named = f.Named || block.Level > 0
		f.Blocks = append(f.Blocks, block)
	}
	f.frames(p, depth)
}

// frames walks what is in text boxes of a paragraph or table.
func (f *file) frames(n *Node, depth int) {
	for _, k := range n.Kids {
		switch k.Name {
		case "txbxContent":
			f.walk(k, depth+1)
		case "altChunk": // in a cell
			f.Blocks = append(f.Blocks, f.chunk(k))
		default:
			f.frames(k, depth)
		}
	}
}

// bold reports whether every run of a paragraph is bold.
func (f *file) bold(p *Node) bool {
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
func (f *file) text(n *Node, depth int) string {
	var s strings.Builder
	f.write(&s, n, depth)
	return s.String()
}

// lifted reports whether a run's position raises it by 2 points or more.
func lifted(pr *Node) bool {
	n, err := strconv.Atoi(pr.val("position"))
	return err == nil && n >= 4
}

func (f *file) write(s *strings.Builder, n *Node, depth int) {
	if depth > 4*maxDepth {
		return
	}
	struck := false // what is before
	for _, k := range n.Kids {
		if k.hidden {
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
			f.Math = true
			s.WriteString(k.Equation(s.String()))
		case "textpath":
			s.WriteString(" " + k.Attr["string"])
		case "ruby":
			f.write(s, k.first("rubyBase"), depth+1)
			s.WriteString(" (" + f.text(k.first("rt"), depth+1) + ")")
		case "p":
			s.WriteString(k.label)
			f.write(s, k, depth+1)
			s.WriteByte(' ')
		case "footnoteReference", "endnoteReference":
			if note := f.notes[strings.TrimSuffix(k.Name, "Reference")+"s"+k.Attr["id"]]; note != "" {
				s.WriteString(" (" + note + ")")
			}
		case "delText", "instrText", "rPr", "pPr", "txbxContent", "annotationRef":
		case "r":
			pr := k.first("rPr")
			look, says := f.lookOf(pr), len(k.all("t")) > 0
			switch {
			case pr.first("vanish").on():
			case look.struck && says:
				if !struck && !k.counted {
					k.counted = true
					f.Struck++
				}
			case look.raised && says, says && lifted(pr) && strings.TrimSpace(s.String()) != "":
				s.WriteString(sign.Raised(s.String(), f.text(k, depth+1)))
			default:
				f.write(s, k, depth+1)
			}
			struck = look.struck
		default:
			f.write(s, k, depth+1)
			s.WriteString(k.mark)
		}
	}
}
