// Package automaton tells whether a regular expression matches somewhere in a text, as package regexp does and several times as
// fast: it walks the text once with a deterministic automaton, of which it builds only what texts have asked for.
//
// It owns no table. The checks of compliance hold some hundred expressions against every sentence, most of them in vain; package
// regexp keeps a list of places in the expression for each letter, and this package a number.
//
// What it promises: Match says what regexp.MatchString says, or that it doesn't know, which is when an expression and a text
// have led to more places than it keeps (see kept). It is safe for concurrent use, takes time linear in the text, and bounded room.
// Decided against: finding where a match begins (callers ask regexp for that once they know that there is one), an automaton
// built whole beforehand (many of the expressions have millions of states, of which texts visit a handful), and a library
// (the few that there are bring engines for everything else).
package automaton

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// kept is how many states an automaton remembers before it forgets them all.
const kept = 4000

// Machine is the automaton of one expression.
type Machine struct {
	prog     *syntax.Prog
	anchored bool // it can only match from the text's beginning
	contexts bool // it asks what stands on both sides of a place
	letters  alphabet
	width    int32 // of a state's row: a column for every class of letters, and one for the text's end
	memory   atomic.Pointer[memory]
}

// memory is what was built so far.
type memory struct {
	mu     sync.Mutex
	states map[string]int32 // by their places, where their rows begin
	list   []state          // by row; the first is none
	rows   atomic.Pointer[[]int32]
	first  int32
	// for building, used again for every state
	here, after builder
	key         []byte
}

// state is where in the expression a text may have led.
type state struct {
	places []uint32 // in the program, before any look at what stands on both sides; ascending
	before rune     // the kind of letter that led here, of those in kinds
}

// What stands in a row: where the row of the next state begins, or one of these.
const (
	unbuilt int32 = 0
	found   int32 = -1
	never   int32 = -2
)

// New makes the automaton of an expression in the syntax of package regexp.
func New(expression string) (*Machine, error) {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	m := &Machine{prog: prog, anchored: prog.StartCond()&syntax.EmptyBeginText != 0, letters: alphabetOf(prog)}
	m.width = int32(m.letters.classes + 1)
	for _, in := range prog.Inst {
		m.contexts = m.contexts || in.Op == syntax.InstEmptyWidth
	}
	m.memory.Store(m.empty())
	return m, nil
}

// empty is a memory of nothing but the beginning.
func (m *Machine) empty() *memory {
	mem := &memory{states: map[string]int32{}, list: make([]state, 1, 8)}
	rows := make([]int32, 8*m.width)
	mem.rows.Store(&rows)
	b := mem.here.start(m.prog, false)
	b.reach(uint32(m.prog.Start))
	if mem.first = found; !b.matched {
		mem.first = m.add(mem, state{slices.Clone(b.places()), -1})
	}
	return mem
}

// add gives a state its row.
func (m *Machine) add(mem *memory, s state) int32 {
	at := int32(len(mem.list)) * m.width
	mem.list = append(mem.list, s)
	if rows := *mem.rows.Load(); int(at+m.width) > len(rows) {
		more := make([]int32, 2*len(rows))
		copy(more, rows)
		mem.rows.Store(&more)
	}
	return at
}

// Match tells whether the expression matches somewhere in text. It is known only where ok is true.
func (m *Machine) Match(text string) (matches, ok bool) {
	mem := m.memory.Load()
	at := mem.first
	if at == found { // it matches nothing at all, everywhere
		return true, true
	}
	rows := *mem.rows.Load()
	for i := 0; i < len(text); {
		class := int32(0)
		if c := text[i]; c < utf8.RuneSelf {
			class = int32(m.letters.narrow[c])
			i++
		} else {
			r, n := utf8.DecodeRuneInString(text[i:])
			class = int32(m.letters.wide(r))
			i += n
		}
		next := atomic.LoadInt32(&rows[at+class])
		if next <= 0 {
			if next == unbuilt {
				if next, rows = m.step(mem, at, class); next == unbuilt {
					return false, false
				}
			}
			if next < 0 {
				return next == found, true
			}
		}
		at = next
	}
	last := atomic.LoadInt32(&rows[at+m.width-1])
	if last == unbuilt {
		last, _ = m.step(mem, at, m.width-1)
	}
	return last == found, true
}

// step builds what a letter leads to, and remembers it, in rows that may be new; unbuilt when there is no more room.
func (m *Machine) step(mem *memory, from, class int32) (int32, []int32) {
	mem.mu.Lock()
	defer mem.mu.Unlock()
	if rows := *mem.rows.Load(); int(from+class) < len(rows) && rows[from+class] != unbuilt {
		return rows[from+class], rows
	}
	to := m.lead(mem, &mem.list[from/m.width], int(class))
	if to == unbuilt {
		m.memory.CompareAndSwap(mem, m.empty())
		return unbuilt, nil
	}
	rows := *mem.rows.Load()
	atomic.StoreInt32(&rows[from+class], to)
	return to, rows
}

func (m *Machine) lead(mem *memory, from *state, class int) int32 {
	letter := rune(-1)
	if class < m.letters.classes {
		letter = m.letters.example[class]
	}
	here := mem.here.start(m.prog, true)
	here.cond = syntax.EmptyOpContext(from.before, letter)
	for _, p := range from.places {
		here.reach(p)
	}
	if !m.anchored && from.before != -1 {
		here.reach(uint32(m.prog.Start))
	}
	if here.matched {
		return found
	}
	if letter < 0 {
		return never
	}
	after := mem.after.start(m.prog, false)
	for _, p := range here.list {
		if in := &m.prog.Inst[p]; in.Op != syntax.InstEmptyWidth && m.letters.matches(p, class) {
			after.reach(in.Out)
		}
	}
	if after.matched {
		return found
	}
	if len(after.list) == 0 && m.anchored {
		return never
	}
	return m.remember(mem, after.places(), m.kind(letter))
}

// remember gives the row of the state of some places, the same one each time; unbuilt when there is no more room.
func (m *Machine) remember(mem *memory, places []uint32, before rune) int32 {
	key := binary.LittleEndian.AppendUint32(mem.key[:0], uint32(before))
	for _, p := range places {
		key = binary.LittleEndian.AppendUint32(key, p)
	}
	mem.key = key
	if at, ok := mem.states[string(key)]; ok {
		return at
	}
	if len(mem.states) >= kept {
		return unbuilt
	}
	at := m.add(mem, state{slices.Clone(places), before})
	mem.states[string(key)] = at
	return at
}

// kind is a letter that stands for all before a place that the expression can't tell apart.
func (m *Machine) kind(letter rune) rune {
	switch {
	case !m.contexts:
		return 0
	case letter == '\n':
		return '\n'
	case syntax.IsWordChar(letter):
		return 'a'
	}
	return ' '
}

// builder collects the places of the program that can be reached.
type builder struct {
	prog    *syntax.Prog
	seen    []uint32 // the last turn in which a place was reached
	turn    uint32
	list    []uint32       // those that wait for a letter, and while nobody looks, for a look
	looking bool           // what stands on both sides is known
	cond    syntax.EmptyOp // and this is what it fulfils
	matched bool
}

// start begins a new collection.
func (b *builder) start(prog *syntax.Prog, looking bool) *builder {
	if b.seen == nil {
		b.prog, b.seen = prog, make([]uint32, len(prog.Inst))
	}
	b.turn++
	b.list, b.looking, b.matched = b.list[:0], looking, false
	return b
}

func (b *builder) reach(p uint32) {
	if b.seen[p] == b.turn {
		return
	}
	b.seen[p] = b.turn
	in := &b.prog.Inst[p]
	switch in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		b.reach(in.Out)
		b.reach(in.Arg)
	case syntax.InstCapture, syntax.InstNop:
		b.reach(in.Out)
	case syntax.InstMatch:
		b.matched = true
	case syntax.InstEmptyWidth:
		switch {
		case !b.looking:
			b.list = append(b.list, p)
		case syntax.EmptyOp(in.Arg)&^b.cond == 0:
			b.reach(in.Out)
		}
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		b.list = append(b.list, p)
	}
}

func (b *builder) places() []uint32 {
	slices.Sort(b.list)
	return b.list
}
