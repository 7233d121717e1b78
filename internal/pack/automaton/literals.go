package automaton

import (
	"math/bits"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Literals finds which of many strings stand in a text, in one walk over its bytes (Aho and Corasick, 1975). States near the root,
// where most of a text leads, have a row for all bytes; the others, some ten thousands, know only how their strings go on, so that
// they fit into a processor's cache.
type Literals struct {
	classes [256]uint8 // bytes that stand in no string share class 0
	width   uint32     // classes
	rows    []uint32   // by state near the root, class: the next state
	near    uint32     // states near the root
	far     []farState
	states  []ending
	said    []uint16 // of each state in which strings end, what they tell together
	numbers []uint16 // of each state, the strings that end there
	lengths []uint16 // of strings in bytes, without marks of edges
	tells   [][]uint16
	begins  uint8 // classes of the edges of words
	ends    uint8
}

// ending is what ends in a state.
type ending struct {
	said  uint32 // where it begins in said; the next one begins where it ends
	first uint32 // and in numbers
	bytes uint32 // how long the state's own string is, without marks of edges
}

// farState is a state far from the root. Its children stand side by side, in the order of their classes.
type farState struct {
	goes  uint64 // the classes that lead to children, as bits
	first uint32 // the first child
	fail  uint32 // the state of the longest end of its string that begins another; loud where a string ends
}

// loud marks a state in which a string ends.
const loud = 1 << 31

// nearDepth is how far from the root states have rows; all have where there are more classes than a far state has bits.
const (
	nearDepth = 2
	farWidth  = 64
)

// NewLiterals prepares to find words, of which none may be empty, and what each of them tells.
func NewLiterals(words []string, tells [][]uint16) *Literals {
	l := &Literals{width: 1, tells: tells}
	l.begins, l.ends = l.class(wordBegins), l.class(wordEnds)
	t := &trie{nodes: make([]trieNode, 1), begins: l.begins, ends: l.ends}
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

// number lays out the states by their depth, so that those near the root come first.
func (l *Literals) number(t *trie) {
	number := make([]uint32, len(t.nodes))
	for k, at := range t.breadth {
		number[at] = uint32(k)
		if t.nodes[at].depth <= nearDepth || l.width > farWidth {
			l.near = uint32(k) + 1
		}
	}
	l.rows = make([]uint32, l.near*l.width)
	l.far = make([]farState, 0, uint32(len(t.breadth))-l.near)
	for k, at := range t.breadth {
		n := &t.nodes[at]
		l.states = append(l.states, ending{uint32(len(l.said)), uint32(len(l.numbers)), n.bytes})
		l.numbers = append(l.numbers, n.ends...)
		l.said = l.together(l.said, n.ends)
		if uint32(k) < l.near {
			for c := range l.width {
				to := t.lead(at, uint8(c))
				l.rows[uint32(k)*l.width+c] = number[to] | t.nodes[to].loud()
			}
			continue
		}
		f := farState{fail: number[n.fail] | n.loud()}
		for c := n.first; c != 0; c = t.nodes[c].next {
			if f.goes == 0 {
				f.first = number[c]
			}
			f.goes |= 1 << t.nodes[c].label
		}
		l.far = append(l.far, f)
	}
	l.states = append(l.states, ending{uint32(len(l.said)), uint32(len(l.numbers)), 0})
}

// together adds to out what some strings tell, each thing once.
func (l *Literals) together(out, words []uint16) []uint16 {
	from := len(out)
	for _, w := range words {
		out = append(out, l.tells[w]...)
	}
	slices.Sort(out[from:])
	return out[:from+len(slices.Compact(out[from:]))]
}

// step is the state after at and a byte of class c, loud where a string ends.
func (l *Literals) step(at uint32, c uint8) uint32 {
	for at >= l.near {
		n := &l.far[at-l.near]
		if bit := uint64(1) << (c & (farWidth - 1)); n.goes&bit != 0 {
			at = n.first + uint32(bits.OnesCount64(n.goes&(bit-1)))
			return at | l.far[at-l.near].fail&loud
		}
		at = n.fail &^ loud
	}
	return l.rows[at*l.width+uint32(c)]
}

// Hit is a place where strings end.
type Hit struct {
	state uint32
	End   uint32 // the byte after it
}

// Walk adds to out every place of text where strings end, in their order. Where a word begins or ends, strings may say so (see Edged).
func (l *Literals) Walk(text string, out []Hit) []Hit {
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
				out = append(out, Hit{at, uint32(i)})
			}
		}
		if at = l.step(at, l.classes[c]); at >= loud {
			at &^= loud
			out = append(out, Hit{at, uint32(i + 1)})
		}
	}
	if word {
		if at = l.step(at, l.ends); at >= loud {
			out = append(out, Hit{at &^ loud, uint32(len(text))})
		}
	}
	return out
}

// Told is what all strings tell that end there.
func (l *Literals) Told(h Hit) []uint16 {
	return l.said[l.states[h.state].said:l.states[h.state+1].said]
}

// Within tells whether all strings that end there surely begin at from or later.
func (l *Literals) Within(h Hit, from int) bool {
	return int(h.End)-int(l.states[h.state].bytes) >= from
}

// Each gives the strings that end there, with what each tells and where it begins.
func (l *Literals) Each(h Hit, hear func(tells []uint16, begins int)) {
	for _, w := range l.numbers[l.states[h.state].first:l.states[h.state+1].first] {
		hear(l.tells[w], int(h.End)-int(l.lengths[w]))
	}
}

// trie is the strings by their beginnings.
type trie struct {
	nodes   []trieNode
	breadth []uint32 // the nodes by depth
	begins  uint8    // the labels of edges
	ends    uint8
}

type trieNode struct {
	fail, first, next uint32 // the longest end that begins another string; the first child; the parent's next child
	depth             int32
	bytes             uint32 // its depth without marks of edges
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
	bytes := t.nodes[at].bytes
	if label != t.begins && label != t.ends {
		bytes++
	}
	t.nodes = append(t.nodes, trieNode{label: label, depth: t.nodes[at].depth + 1, bytes: bytes, next: t.nodes[at].first})
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
		t.sort(at)
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

// sort brings the children of a node into the order of their labels.
func (t *trie) sort(at uint32) {
	var all []uint32
	for c := t.nodes[at].first; c != 0; c = t.nodes[c].next {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b uint32) int { return int(t.nodes[a].label) - int(t.nodes[b].label) })
	last := uint32(0)
	for _, c := range slices.Backward(all) {
		t.nodes[c].next, last = last, c
	}
	t.nodes[at].first = last
}

// loud is set where a string ends.
func (n *trieNode) loud() uint32 {
	if len(n.ends) > 0 {
		return loud
	}
	return 0
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
