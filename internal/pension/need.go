package pension

import (
	"regexp/syntax"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"preceptor/internal/pension/automaton"
)

// need is a condition on a text that every match fulfils: all or one of some literals and of further conditions.
type need struct {
	all      bool
	literals []uint16 // by number in vocabulary
	parts    []*need
}

// literalMost is how many bytes of a literal are looked for; more would tell little.
const literalMost = 5

// required is what every match must contain; nil when nothing is certain.
func required(re *syntax.Regexp) *need {
	switch re.Op {
	case syntax.OpLiteral:
		if len(re.Rune) < 2 {
			return nil
		}
		return &need{literals: []uint16{vocabulary.number(strings.ToLower(string(re.Rune)))}}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		n := &need{all: true}
		for _, sub := range re.Sub {
			if p := required(sub); p != nil {
				n.add(p)
			}
		}
		if len(n.literals)+len(n.parts) > 0 {
			return n
		}
	case syntax.OpAlternate:
		n := &need{}
		for _, sub := range re.Sub {
			p := required(sub)
			if p == nil {
				return nil
			}
			n.add(p)
		}
		return n
	}
	return nil
}

// add takes in a part, whose literals stand among its own where that says the same.
func (n *need) add(p *need) {
	if p.all == n.all || len(p.literals)+len(p.parts) == 1 {
		n.literals, n.parts = append(n.literals, p.literals...), append(n.parts, p.parts...)
		return
	}
	n.parts = append(n.parts, p)
}

// holds tells whether a text may fulfil the condition.
func (n *need) holds(l *look) bool {
	for _, i := range n.literals {
		if l.may(i) != n.all {
			return !n.all
		}
	}
	for _, p := range n.parts {
		if p.holds(l) != n.all {
			return !n.all
		}
	}
	return n.all
}

// vocabulary numbers the literals of all patterns, so that one walk over a text finds them for every pattern.
var vocabulary = &literals{numbers: map[string]uint16{}}

type literals struct {
	mu      sync.Mutex
	numbers map[string]uint16
	list    []string
	count   atomic.Int32
	ready   atomic.Pointer[finder]
}

// finder finds the first so many literals of the vocabulary.
type finder struct {
	known    int
	literals *automaton.Literals
}

func (w *literals) number(literal string) uint16 {
	literal = literal[:min(literalMost, len(literal))]
	w.mu.Lock()
	defer w.mu.Unlock()
	n, ok := w.numbers[literal]
	if !ok {
		if len(w.list) > 12_000 {
			panic("pension: too many literals in patterns")
		}
		n = uint16(len(w.list))
		w.numbers[literal] = n
		w.list = append(w.list, literal)
		w.count.Store(int32(len(w.list)))
	}
	return n
}

// finder is that of all literals so far, or of most: patterns are made when the program starts and at first use of some checks.
func (w *literals) finder() *finder {
	f := w.ready.Load()
	if f != nil && int(w.count.Load()) < f.known+f.known/8 {
		return f
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if f = w.ready.Load(); f == nil || f.known < len(w.list) {
		f = &finder{len(w.list), automaton.NewLiterals(w.list)}
		w.ready.Store(f)
	}
	return f
}

// look is a text in lower case with the literals that stand in it.
type look struct {
	of    string
	lower string
	bits  []uint64 // by number of a literal
	known int      // literals
}

// may tells whether a literal stands in the text, or may do so because it is newer than the look.
func (l *look) may(literal uint16) bool {
	return int(literal) >= l.known || l.bits[literal>>6]&(1<<(literal&63)) != 0
}

// looks keeps the last texts that were looked at, each at the place that its address gives. An entry holds on to its text, so
// that no other can take its address meanwhile.
var looks [128]atomic.Pointer[look]

// lookable bounds the texts that are kept; longer ones are looked at anew.
const lookable = 16 << 10

func lookAt(s string) *look {
	at := uintptr(unsafe.Pointer(unsafe.StringData(s)))
	place := &looks[(at>>3^at>>10^uintptr(len(s)))%uintptr(len(looks))]
	if l := place.Load(); l != nil && len(l.of) == len(s) && unsafe.StringData(l.of) == unsafe.StringData(s) {
		return l
	}
	f := vocabulary.finder()
	l := &look{of: s, lower: lowered(s), known: f.known, bits: make([]uint64, f.known/64+1)}
	f.literals.Mark(l.lower, l.bits)
	if len(s) <= lookable {
		place.Store(l)
	}
	return l
}

// lowered is s in lower case, without copying when it is so already.
func lowered(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 'A' && c <= 'Z' || c >= 0x80 {
			return strings.ToLower(s)
		}
	}
	return s
}
