package learned

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// part is what begins on a line of a Markdown file: a heading, an item of a list that stands in nothing else, or
// something else.
type part struct {
	line  int // from 0
	item  bool
	level int // of a heading
	name  string
}

// blocks reads a file's blocks, and no words in them.
var blocks = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// partsOf are a file's parts in their order; each goes to the line before the next.
func partsOf(lines []string) (out []part) {
	var src []byte
	var starts []int
	for _, l := range lines {
		starts = append(starts, len(src))
		bare := strings.TrimRight(l, "\r\n")
		src = append(append(src, strings.Replace(bare, "\ufeff", "   ", 1)...), '\n')
	}
	add := func(p part, n ast.Node) {
		at, _ := slices.BinarySearch(starts, n.Pos()+1)
		if p.line = at - 1; len(out) == 0 || out[len(out)-1].line < p.line {
			out = append(out, p)
		}
	}
	root := blocks.Parse(text.NewReader(src))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		switch b := n.(type) {
		case *ast.List:
			for item := b.FirstChild(); item != nil; item = item.NextSibling() {
				add(part{item: true}, item)
			}
		case *ast.Heading:
			add(part{level: b.Level, name: strings.TrimSpace(string(b.Lines().Value(src)))}, b)
		default:
			add(part{}, n)
		}
	}
	return out
}

// mostDeep bounds what nests lists and quotes in front of a line: reading takes the square of it.
const mostDeep = 60

func deep(line string) bool {
	before := line[:len(line)-len(strings.TrimLeft(line, " \t>-*+.)0123456789"))]
	return strings.Count(before, " ")+strings.Count(before, ">")+4*strings.Count(before, "\t") > mostDeep
}

// marks begin an item.
var marks = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)`)

// wordsOf is what an item's lines say, on one line.
func wordsOf(lines []string) string {
	var words []string
	for i, l := range lines {
		if l = strings.TrimPrefix(l, "\ufeff"); i == 0 {
			l = marks.ReplaceAllString(l, "")
		}
		if l = strings.TrimSpace(l); l != "" {
			words = append(words, l)
		}
	}
	return strings.Join(words, " ")
}
