package automaton

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Literals finds which of many strings stand in a text, in one walk over its bytes (Aho and Corasick, 1975). States near the root,
// where most of a text leads, have a row for all bytes; the others, some ten thousand, know only how their strings go on, so that
// they fit into a processor's cache.
type Literals struct {
	classes [256]uint8 // bytes that stand in no string share class 0
	width   uint32     // classes
	rows    []uint32   // by state near the root, class: the next state
	near    uint32     // states near the root
	far     []farState
	heard   []uint32 // by state, where in said begins what ends there; one more at the end
	said    []uint16 // numbers of strings
	lengths []uint16 // of strings in bytes, without marks of edges
	begins  uint8    // classes of the edges of words
	ends    uint8
}

// farState is a state far from the root. Its children follow it, each with all of its own, and tell where the next begins.
type farState struct {
	fail    uint32 // the state of the longest end of its string that begins another
	next    uint32 // its parent's next child; 0 is none
	loud    uint32 // loud, where a string ends
	label   uint8  // the class that leads here
	parents bool   // it has children
}

// loud marks a state in which a string ends.
const loud = 1 << 31

// nearDepth is how far from the root states have rows.
const nearDepth = 2

// NewLiterals prepares to find words; none may be empty.
func NewLiterals(words []string) *Literals {
	l := &Literals{width: 1}
	l.begins, l.ends = l.class(wordBegins), l.class(wordEnds)
	t := &trie{nodes: make([]trieNode, 1)}
	for n, w := range words {
		at := uint32(0)
		length := uint16(0)
		for i := range len(w) {
			at = t.child(at, l.class(w[i]))
			if w[i] < wordBegins {
				length++
			}
		}
		t.nodes[at].ends = append(t.nodes[at].ends, uint16(n))
		l.lengths = append(l.lengths, length)
	}
	t.link()
	l.number(t)
	return l
}

func (l *Literals) class(c byte) uint8 {
	if l.classes[c] == 0 {
		l.classes[c] = uint8(l.width)
		l.width++
	}
	return l.classes[c]
}

// number lays out the states: those near the root first, then the others, each before its children.
func (l *Literals) number(t *trie) {
	number := make([]uint32, len(t.nodes))
	order := make([]uint32, 0, len(t.nodes))
	for _, at := range t.breadth {
		if t.nodes[at].depth > nearDepth {
			break
		}
		number[at] = uint32(len(order))
		order = append(order, at)
	}
	l.near = uint32(len(order))
	for _, at := range t.breadth {
		if t.nodes[at].depth == nearDepth+1 {
			order = t.descend(at, number, order)
		}
	}
	state := func(at uint32) uint32 {
		if len(t.nodes[at].ends) > 0 {
			return number[at] | loud
		}
		return number[at]
	}
	l.rows = make([]uint32, l.near*l.width)
	l.far = make([]farState, 0, uint32(len(order))-l.near)
	for k, at := range order {
		n := &t.nodes[at]
		l.heard = append(l.heard, uint32(len(l.said)))
		l.said = append(l.said, n.ends...)
		if uint32(k) < l.near {
			for c := range l.width {
				l.rows[uint32(k)*l.width+c] = state(t.lead(at, uint8(c)))
			}
			continue
		}
		f := farState{fail: number[n.fail], loud: state(at) & loud, label: n.label, parents: n.first != 0}
		if n.next != 0 && n.depth > nearDepth+1 {
			f.next = number[n.next]
		}
		l.far = append(l.far, f)
	}
	l.heard = append(l.heard, uint32(len(l.said)))
}

// step is the state after at and a byte of class c, loud where a string ends.
func (l *Literals) step(at uint32, c uint8) uint32 {
	for at >= l.near {
		n := &l.far[at-l.near]
		if n.parents {
			for k := at + 1; k != 0; {
				child := &l.far[k-l.near]
				if child.label == c {
					return k | child.loud
				}
				k = child.next
			}
		}
		at = n.fail
	}
	return l.rows[at*l.width+uint32(c)]
}

// Walk tells hear of every string that stands in text, with the byte after its end. Where a word begins or ends, strings may say so
// (see Edged).
func (l *Literals) Walk(text string, hear func(literals []uint16, end int)) {
	at, word := uint32(0), false
	for i := range len(text) {
		c := text[i]
		if w := isWord[c]; w != word {
			edge := l.ends
			if w {
				edge = l.begins
			}
			word = w
			if at = l.step(at, edge); at >= loud {
				at &^= loud
				hear(l.said[l.heard[at]:l.heard[at+1]], i)
			}
		}
		if at = l.step(at, l.classes[c]); at >= loud {
			at &^= loud
			hear(l.said[l.heard[at]:l.heard[at+1]], i+1)
		}
	}
	if word {
		if at = l.step(at, l.ends); at >= loud {
			at &^= loud
			hear(l.said[l.heard[at]:l.heard[at+1]], len(text))
		}
	}
}

// Length is that of a string in bytes, without the marks of edges.
func (l *Literals) Length(n uint16) int { return int(l.lengths[n]) }

// trie is the strings by their beginnings.
type trie struct {
	nodes   []trieNode
	breadth []uint32 // the nodes by depth
}

type trieNode struct {
	fail, first, next uint32 // the longest end that begins another string; the first child; the parent's next child
	depth             int32
	label             uint8
	ends              []uint16
}

func (t *trie) find(at uint32, label uint8) uint32 {
	k := t.nodes[at].first
	for k != 0 && t.nodes[k].label != label {
		k = t.nodes[k].next
	}
	return k
}

func (t *trie) child(at uint32, label uint8) uint32 {
	if k := t.find(at, label); k != 0 {
		return k
	}
	k := uint32(len(t.nodes))
	t.nodes = append(t.nodes, trieNode{label: label, depth: t.nodes[at].depth + 1, next: t.nodes[at].first})
	t.nodes[at].first = k
	return k
}

// lead is the node after at and a label, wherever that leads.
func (t *trie) lead(at uint32, label uint8) uint32 {
	for {
		if k := t.find(at, label); k != 0 || at == 0 {
			return k
		}
		at = t.nodes[at].fail
	}
}

// link leads every node on where its string does not go on.
func (t *trie) link() {
	t.breadth = append(t.breadth, 0)
	for k := 0; k < len(t.breadth); k++ {
		at := t.breadth[k]
		for c := t.nodes[at].first; c != 0; c = t.nodes[c].next {
			n := &t.nodes[c]
			if at != 0 {
				n.fail = t.lead(t.nodes[at].fail, n.label)
			}
			n.ends = append(n.ends, t.nodes[n.fail].ends...)
			t.breadth = append(t.breadth, c)
		}
	}
}

// descend numbers a node and all below it.
func (t *trie) descend(at uint32, number, order []uint32) []uint32 {
	number[at] = uint32(len(order))
	order = append(order, at)
	for c := t.nodes[at].first; c != 0; c = t.nodes[c].next {
		order = t.descend(c, number, order)
	}
	return order
}

// Marks of the edges of words, which stand in no text.
const (
	wordBegins = 0xFE
	wordEnds   = 0xFF
)

var isWord = func() (out [256]bool) {
	for c := range utf8.RuneSelf {
		out[c] = syntax.IsWordChar(rune(c))
	}
	return out
}()

// Edged is a string as Mark looks for it. opens and closes ask that a word begins, or ends, with it.
func Edged(s string, opens, closes bool) string {
	var b strings.Builder
	word := !opens
	for i := range len(s) {
		switch w := isWord[s[i]]; {
		case w && !word:
			b.WriteByte(wordBegins)
		case !w && word && i > 0:
			b.WriteByte(wordEnds)
		}
		word = isWord[s[i]]
		b.WriteByte(s[i])
	}
	if closes && word {
		b.WriteByte(wordEnds)
	}
	return b.String()
}
