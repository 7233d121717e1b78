package pack

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"preceptor/internal/pack/automaton"
)

// vocabulary numbers the literals of all patterns, and the patterns, so that one walk over a text finds for every pattern whether the
// text may match.
var vocabulary = &literals{numbers: map[string]uint16{}, known: map[string]uint16{}}

type literals struct {
	mu       sync.Mutex
	numbers  map[string]uint16
	list     []string
	gates    [][]uint16 // by pattern, literals one of which stands in every text that matches; nil when nothing is certain
	signs    [][]uint16 // by sign, the literals any of which sets it
	known    map[string]uint16
	count    atomic.Int32
	patterns atomic.Int32
	ready    atomic.Pointer[finder]
}

// finder finds the first so many literals of the vocabulary, and what they tell: the patterns that may match where they stand, and the
// signs that further conditions ask for. Both are bits, those of the signs after those of the patterns.
type finder struct {
	known    int
	literals *automaton.Literals
	patterns int
	signs    int
	first    int      // the bit of the first sign
	always   []uint64 // the bits of patterns that may match anywhere, and room for all others
}

func (w *literals) number(literal string) uint16 {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, ok := w.numbers[literal]
	if !ok {
		if len(w.list) >= math.MaxUint16 {
			panic("pension: too many literals in patterns")
		}
		n = uint16(len(w.list))
		w.numbers[literal] = n
		w.list = append(w.list, literal)
		w.count.Store(int32(len(w.list)))
	}
	return n
}

// sign numbers what any of some literals sets.
func (w *literals) sign(of ...uint16) uint16 {
	key := make([]byte, 0, 2*len(of))
	for _, l := range of {
		key = binary.LittleEndian.AppendUint16(key, l)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	n, ok := w.known[string(key)]
	if !ok {
		n = uint16(len(w.signs))
		w.known[string(key)] = n
		w.signs = append(w.signs, of)
	}
	return n
}

// dear guesses how often a literal stands in a text.
func (w *literals) dear(literal uint16) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return math.Pow(3, -float64(len(w.list[literal])))
}

// pattern numbers a pattern with that gate.
func (w *literals) pattern(gate []uint16) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gates = append(w.gates, gate)
	w.patterns.Store(int32(len(w.gates)))
	return len(w.gates) - 1
}

// finder is that of all literals and patterns so far, or of most: they are made when the program starts and at first use of some
// checks.
func (w *literals) finder() *finder {
	f := w.ready.Load()
	if f != nil && int(w.count.Load()) < f.known+f.known/8 && int(w.patterns.Load()) < f.patterns+f.patterns/8 {
		return f
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if f = w.ready.Load(); f == nil || f.known < len(w.list) || f.patterns < len(w.gates) {
		f = w.build()
		w.ready.Store(f)
	}
	return f
}

func (w *literals) build() *finder {
	f := &finder{known: len(w.list), patterns: len(w.gates), signs: len(w.signs)}
	f.first = (f.patterns + 63) &^ 63
	if f.first+f.signs > math.MaxUint16 {
		panic("pension: too many patterns")
	}
	f.always = make([]uint64, (f.first+f.signs)/64+1)
	tells := make([][]uint16, len(w.list))
	for p, gate := range w.gates {
		if gate == nil {
			f.always[p>>6] |= 1 << (p & 63)
		}
		for _, l := range gate {
			tells[l] = append(tells[l], uint16(p))
		}
	}
	for n, of := range w.signs {
		for _, l := range of {
			tells[l] = append(tells[l], uint16(f.first+n))
		}
	}
	f.literals = automaton.NewLiterals(w.list, tells)
	return f
}

// look is a text in lower case with what the literals that stand in it tell.
type look struct {
	of    string
	lower string
	by    *finder
	bits  []uint64 // by pattern, whether it may match, and by sign
}

// shows tells whether a sign is set, or may be because it is newer than the look.
func (l *look) shows(sign uint16) bool {
	at := l.by.first + int(sign)
	return int(sign) >= l.by.signs || l.bits[at>>6]&(1<<(at&63)) != 0
}

// straight tells whether places in the lower-cased text are places in the text.
func (l *look) straight() bool { return len(l.lower) == len(l.of) }

// looks keeps the last texts that were looked at, each at the place that its address gives. An entry holds on to its text, so
// that no other can take its address meanwhile.
var looks [1024]atomic.Pointer[look]

// lookable bounds the texts that are kept; longer ones are looked at anew.
const lookable = 16 << 10

func placeOf(s string) *atomic.Pointer[look] {
	at := uintptr(unsafe.Pointer(unsafe.StringData(s)))
	return &looks[(at>>3^at>>13^uintptr(len(s))<<2)%uintptr(len(looks))]
}

func lookAt(s string) *look {
	place := placeOf(s)
	if l := place.Load(); l != nil && len(l.of) == len(s) && unsafe.StringData(l.of) == unsafe.StringData(s) {
		return l
	}
	l := newLook(s)
	if len(s) <= lookable {
		place.Store(l)
	}
	return l
}

// LookAll looks at a text and at its sentences together, as they stand and in lower case: all of them are about to be held against
// patterns. lower is the text in lower case, byte for byte.
func LookAll(text, lower string, sentences []Span) {
	if len(text) > lookable || lowered(text) != lower || !apart(lower, sentences) {
		return
	}
	f := vocabulary.finder()
	blank := f.blank(len(sentences) + 1)
	whole := &blank[len(sentences)]
	k := 0
	var room [hitsRoom]automaton.Hit
	for _, h := range f.literals.Walk(lower, room[:0]) {
		for k < len(sentences) && sentences[k].End < int(h.End) {
			k++
		}
		switch {
		case k == len(sentences):
			whole.note(f.literals.Told(h))
		case f.literals.Within(h, sentences[k].Start):
			blank[k].note(f.literals.Told(h))
		default:
			f.literals.Each(h, func(tells []uint16, begins int) {
				if begins >= sentences[k].Start {
					blank[k].note(tells)
				} else {
					whole.note(tells)
				}
			})
		}
	}
	keep := func(l *look, text, lower string) {
		l.of, l.lower = lower, lower
		placeOf(lower).Store(l)
		if unsafe.StringData(text) != unsafe.StringData(lower) {
			as := *l
			as.of = text
			placeOf(text).Store(&as)
		}
	}
	for i, sp := range sentences {
		whole.join(&blank[i])
		keep(&blank[i], sp.In(text), sp.In(lower))
	}
	keep(whole, text, lower)
}

// join adds what another found.
func (l *look) join(other *look) {
	for i, w := range other.bits {
		l.bits[i] |= w
	}
}

// apart tells whether no sentence begins or ends within a word.
func apart(text string, sentences []Span) bool {
	for _, sp := range sentences {
		if sp.Start > 0 && !isSpace(text[sp.Start-1]) || sp.End < len(text) && !isSpace(text[sp.End]) {
			return false
		}
	}
	return len(text) >= worthLooking
}

// blank are n looks at nothing.
func (f *finder) blank(n int) []look {
	out := make([]look, n)
	size := len(f.always)
	room := make([]uint64, n*size)
	for i := range out {
		bits := room[i*size : (i+1)*size : (i+1)*size]
		copy(bits, f.always)
		out[i] = look{by: f, bits: bits}
	}
	return out
}

// note notes what literals tell that stand in the text.
func (l *look) note(tells []uint16) {
	bits := l.bits
	for _, b := range tells {
		bits[b>>6] |= 1 << (b & 63)
	}
}

// hitsRoom is for how many hits of a walk there is room without asking for any; most texts have fewer.
const hitsRoom = 512

func newLook(s string) *look {
	f := vocabulary.finder()
	l := &f.blank(1)[0]
	l.of, l.lower = s, lowered(s)
	var room [hitsRoom / 4]automaton.Hit
	for _, h := range f.literals.Walk(l.lower, room[:0]) {
		l.note(f.literals.Told(h))
	}
	return l
}

// lowered is s in lower case, without copying when it is so already.
func lowered(s string) string {
	capitals := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == "£"[0] && i+1 < len(s) && s[i+1] == "£"[1]:
			i++ // many sentences have it, and nothing else beyond ASCII
		case c >= utf8.RuneSelf:
			return strings.ToLower(s)
		default:
			capitals = capitals || c >= 'A' && c <= 'Z'
		}
	}
	if !capitals {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// Set is patterns that are tried on the same texts, most of them in vain.
type Set struct {
	patterns []*Pattern
	mask     []uint64 // the numbers of the patterns, as bits
	before   []int    // by word of mask, how many patterns stand in those before it
	last     int      // the greatest number
}

// NewSet makes a set; patterns stand in the order in which they were made.
func NewSet(patterns []*Pattern) *Set {
	s := &Set{patterns: patterns}
	for i, p := range patterns {
		if i > 0 && p.number <= s.last {
			panic("pension: a set's patterns are out of order")
		}
		s.last = p.number
	}
	s.mask = make([]uint64, s.last/64+1)
	for _, p := range patterns {
		s.mask[p.number>>6] |= 1 << (p.number & 63)
	}
	n := 0
	for _, w := range s.mask {
		s.before = append(s.before, n)
		n += bits.OnesCount64(w)
	}
	return s
}

// Rarest is the pattern whose words stand in the fewest texts, by guess.
func Rarest(patterns []*Pattern) *Pattern {
	best, least := patterns[0], math.Inf(1)
	for _, p := range patterns {
		if p.need == nil {
			continue
		}
		if _, dear, _ := p.need.gate(); dear < least {
			best, least = p, dear
		}
	}
	return best
}

// Possible adds to out the places in the set of those patterns that may match one of the texts, ascending.
func (s *Set) Possible(out []int, texts ...string) []int {
	var room [4]*look
	at := room[:0]
	for _, t := range texts {
		l := lookAt(t)
		if len(t) == 0 || s.last >= l.by.patterns {
			return s.all(out)
		}
		at = append(at, l)
	}
	for w, mask := range s.mask {
		if mask == 0 {
			continue
		}
		open := uint64(0)
		for _, l := range at {
			open |= l.bits[w]
		}
		for open &= mask; open != 0; open &= open - 1 {
			out = append(out, s.before[w]+bits.OnesCount64(mask&(open&-open-1)))
		}
	}
	return out
}

func (s *Set) all(out []int) []int {
	for i := range s.patterns {
		out = append(out, i)
	}
	return out
}
