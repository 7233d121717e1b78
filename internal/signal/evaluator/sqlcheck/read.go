package sqlcheck

import (
	"regexp"
	"slices"
	"strings"
)

type kind int

const (
	blank kind = iota
	literal
	name // in double quotes or backticks: never a keyword
	number
	word
	mark  // an operator, a comma, a parameter
	group // in parentheses or brackets, with what is in it
)

// node is one token, or a group of them.
type node struct {
	kind kind
	text string // as it is written; the opening sign of a group
	low  string // in lower case; of a name without its quotes
	gap  bool   // a blank or a comment stands before it
	in   []node
}

func (n node) is(w string) bool     { return n.kind == word && n.low == w }
func (n node) isMark(m string) bool { return n.kind == mark && n.text == m }
func (n node) named() bool          { return n.kind == word || n.kind == name }

// token is one token of any dialect; its groups are the kinds, in their order.
var token = regexp.MustCompile(`(?s)([\s\p{Z}]+|--[^\n]*|/\*.*?\*/)` +
	`|([eE]'(?:[^'\\]|\\.|'')*'|[nN]?'(?:[^']|'')*'|\$\$.*?\$\$)` +
	"|(\"(?:[^\"]|\"\")*\"|`[^`]*`)" +
	`|((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)` +
	`|([\p{L}_][\p{L}\p{N}_$]*)` +
	`|(/\*|::|.)`)

// deepest is how many groups may stand in each other.
const deepest = 100

var closes = map[string]string{"(": ")", "[": "]"}

// read is the text as a tree, or what keeps it from being read.
func read(sql string) (list []node, problem string) {
	outer := []node{{kind: group}} // the groups that are open, from the outside
	gap := false
	for _, at := range token.FindAllStringSubmatchIndex(sql, -1) {
		n := node{text: sql[at[0]:at[1]], gap: gap}
		for k := blank; k <= mark; k++ {
			if at[2*k+2] >= 0 {
				n.kind = k
			}
		}
		if gap = n.kind == blank; gap {
			continue
		}
		n.low = strings.ToLower(n.text)
		if n.kind == name {
			n.low = n.low[1 : len(n.low)-1]
		}
		open := &outer[len(outer)-1]
		here := func() string { return quote(append(slices.Clone(open.in[max(0, len(open.in)-6):]), n)) }
		switch {
		case n.kind != mark || n.text != "/*" && !strings.Contains("()[]'\"`", n.text):
			open.in = append(open.in, n)
		case closes[n.text] != "" && len(outer) > deepest:
			return nil, "more nested parentheses than a statement needs"
		case closes[n.text] != "":
			n.kind = group
			outer = append(outer, n)
		case n.text == ")" || n.text == "]":
			if closes[open.text] != n.text {
				return nil, "a parenthesis that closes nothing, at " + here()
			}
			inner := *open
			outer = outer[:len(outer)-1]
			outer[len(outer)-1].in = append(outer[len(outer)-1].in, inner)
		default:
			return nil, "a quote or a comment that is never closed, at " + here()
		}
	}
	if open := outer[len(outer)-1]; len(outer) > 1 {
		return nil, "a parenthesis that is never closed, at " + quoted(open.text+show(open.in))
	}
	return outer[0].in, ""
}

// show writes nodes on one line, without comments.
func show(list []node) string {
	var b strings.Builder
	for i, n := range list {
		if n.gap && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(n.text)
		if n.kind == group {
			b.WriteString(show(n.in) + closes[n.text])
		}
	}
	return b.String()
}

// split parts a list at a mark, as its commas.
func split(list []node, at string) (parts [][]node) {
	begin := 0
	for i, n := range list {
		if n.isMark(at) {
			parts = append(parts, list[begin:i])
			begin = i + 1
		}
	}
	return append(parts, list[begin:])
}
