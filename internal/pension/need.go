package pension

import (
	"regexp/syntax"
	"slices"
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
const literalMost = 20

// required is what every match must contain; nil when nothing is certain. opens and closes tell whether a match lies between the
// edges of words, so that "lta" need not be looked for within "consultation".
func required(re *syntax.Regexp, opens, closes bool) *need {
	switch re.Op {
	case syntax.OpLiteral:
		if len(re.Rune) < 2 {
			return nil
		}
		return &need{literals: []uint16{vocabulary.number(automaton.Edged(strings.ToLower(string(re.Rune)), opens, closes))}}
	case syntax.OpCapture:
		return required(re.Sub[0], opens, closes)
	case syntax.OpPlus:
		return required(re.Sub[0], false, false)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0], false, false)
		}
	case syntax.OpConcat:
		return requiredOfAll(spread(re.Sub), opens, closes)
	case syntax.OpAlternate:
		n := &need{}
		for _, sub := range re.Sub {
			p := required(sub, opens, closes)
			if p == nil {
				return nil
			}
			n.add(p)
		}
		return n
	}
	return nil
}

func requiredOfAll(subs []*syntax.Regexp, opens, closes bool) *need {
	n := &need{all: true}
	for i, sub := range subs {
		before, after := opens, closes
		if i > 0 {
			before = isEdge(subs[i-1])
		}
		if i+1 < len(subs) {
			after = isEdge(subs[i+1])
		}
		if p := required(sub, before, after); p != nil {
			n.add(p)
		}
	}
	if len(n.literals)+len(n.parts) == 0 {
		return nil
	}
	return n
}

// isEdge tells whether a word beside what matches re must begin, or end, there.
func isEdge(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText:
		return true
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= min(re.Rune[i+1], 'z'); r++ {
				if syntax.IsWordChar(r) {
					return false
				}
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if !isEdge(sub) {
				return false
			}
		}
		return true
	}
	return false
}

// spread undoes what the parser draws together: of "death|dead" it makes "dea(?:th|d)", which says less of what must be there.
func spread(subs []*syntax.Regexp) []*syntax.Regexp {
	out := make([]*syntax.Regexp, 0, len(subs))
	for i := 0; i < len(subs); i++ {
		if i+1 < len(subs) && subs[i].Op == syntax.OpLiteral {
			if branches := branchesOf(subs[i+1]); branches != nil {
				all := &syntax.Regexp{Op: syntax.OpAlternate}
				for _, b := range branches {
					all.Sub = append(all.Sub, prefixed(subs[i], b))
				}
				out = append(out, all)
				i++
				continue
			}
		}
		out = append(out, subs[i])
	}
	return out
}

// fewLetters is how many letters a class may have to be spread.
const fewLetters = 6

func branchesOf(re *syntax.Regexp) []*syntax.Regexp {
	switch re.Op {
	case syntax.OpAlternate:
		return re.Sub
	case syntax.OpCharClass:
		var out []*syntax.Regexp
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if out = append(out, &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{r}}); len(out) > fewLetters {
					return nil
				}
			}
		}
		return out
	}
	return nil
}

func prefixed(literal, re *syntax.Regexp) *syntax.Regexp {
	switch {
	case re.Op == syntax.OpEmptyMatch:
		return literal
	case re.Op == syntax.OpLiteral:
		return &syntax.Regexp{Op: syntax.OpLiteral, Rune: slices.Concat(literal.Rune, re.Rune)}
	case re.Op == syntax.OpConcat && re.Sub[0].Op == syntax.OpLiteral:
		return &syntax.Regexp{Op: syntax.OpConcat, Sub: append([]*syntax.Regexp{prefixed(literal, re.Sub[0])}, re.Sub[1:]...)}
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{literal, re}}
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
