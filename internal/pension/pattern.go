package pension

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"preceptor/internal/pension/automaton"
)

// Pattern is a regular expression, blind to case, that first looks for the words without which it can't match. Most patterns
// meet most sentences in vain, and looking for words is some hundred times faster than running the expression: what the letters
// of a text are is noted once (see look), and kept for the patterns that come after. Where the words are there, an automaton tells
// whether the expression matches, and only where it does and the place matters the expression itself runs.
type Pattern struct {
	*regexp.Regexp
	any  quick  // the expression
	fast *quick // the same for texts in lower case, several times as quick; nil where capitals matter
	need *need  // what must stand in the lower-cased text; nil when nothing is certain
}

// quick is an expression with its automaton, which is built at the first text that asks for it.
type quick struct {
	re      *regexp.Regexp
	machine func() *automaton.Machine
}

func newQuick(re *regexp.Regexp) quick {
	return quick{re, sync.OnceValue(func() *automaton.Machine {
		m, err := automaton.New(re.String())
		if err != nil {
			panic(err) // it was compiled before
		}
		return m
	})}
}

// matches tells whether s matches.
func (q *quick) matches(s string) bool {
	if yes, ok := q.machine().Match(s); ok {
		return yes
	}
	return q.re.MatchString(s)
}

// NewPattern compiles p; like regexp.MustCompile it is for expressions in the source.
func NewPattern(p string) *Pattern {
	var fast *quick
	if !capitalRE.MatchString(escapeRE.ReplaceAllString(p, "")) {
		q := newQuick(regexp.MustCompile(p))
		fast = &q
	}
	p = `(?i)` + p
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		panic(err)
	}
	whole := regexp.MustCompile(p)
	return &Pattern{whole, newQuick(whole), fast, required(re)}
}

var (
	escapeRE  = regexp.MustCompile(`\\.`)
	capitalRE = regexp.MustCompile(`[A-Z]|\(\?-?[a-z]`)
)

func ci(p string) *Pattern { return NewPattern(p) }

// need is a condition on a text that every match fulfils: a literal, all of some, or one of some.
type need struct {
	literal string
	marks   []uint16 // of its runs of three letters
	all     bool     // of the parts; else any
	parts   []*need
}

// required is what every match must contain; nil when nothing is certain.
func required(re *syntax.Regexp) *need {
	switch re.Op {
	case syntax.OpLiteral:
		if len(re.Rune) < 2 {
			return nil
		}
		n := &need{literal: strings.ToLower(string(re.Rune))}
		for i := 0; i+3 <= len(n.literal); i++ {
			n.marks = append(n.marks, mark(n.literal[i], n.literal[i+1], n.literal[i+2]))
		}
		return n
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
				n.parts = append(n.parts, p)
			}
		}
		switch len(n.parts) {
		case 0:
			return nil
		case 1:
			return n.parts[0]
		}
		return n
	case syntax.OpAlternate:
		n := &need{}
		for _, sub := range re.Sub {
			p := required(sub)
			if p == nil {
				return nil
			}
			n.parts = append(n.parts, p)
		}
		return n
	}
	return nil
}

// look is a text in lower case with a mark for each run of three letters in it.
type look struct {
	of    string
	lower string
	level bool // the lower case is byte for byte as long as the text
	marks [64]uint64
}

// markMask is which bits of a mark count.
const markMask = 64*64 - 1

func mark(a, b, c byte) uint16 {
	return uint16((uint32(a)*31*31+uint32(b)*31+uint32(c))*2654435761>>16) & markMask
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
	l := &look{of: s, lower: lowered(s)}
	l.level = len(l.lower) == len(s)
	for i := 0; i+3 <= len(l.lower); i++ {
		m := mark(l.lower[i], l.lower[i+1], l.lower[i+2])
		l.marks[m>>6] |= 1 << (m & 63)
	}
	if len(s) <= lookable {
		place.Store(l)
	}
	return l
}

func (n *need) holds(l *look) bool {
	if n.literal != "" {
		for _, m := range n.marks {
			if l.marks[m>>6]&(1<<(m&63)) == 0 {
				return false
			}
		}
		return strings.Contains(l.lower, n.literal)
	}
	for _, p := range n.parts {
		if p.holds(l) != n.all {
			return !n.all
		}
	}
	return n.all
}

// possible tells whether s, in any case, may match.
func (p *Pattern) possible(s string) bool {
	return p.need == nil || len(s) > 0 && p.need.holds(lookAt(s))
}

// run gives the expression and the text on which to run it: places in that text are places in s. The expression is nil where s
// can't match.
func (p *Pattern) run(s string) (*quick, string) {
	if len(s) == 0 {
		return &p.any, s
	}
	l := lookAt(s)
	if p.need != nil && !p.need.holds(l) {
		return nil, s
	}
	if p.fast != nil && l.level {
		return p.fast, l.lower
	}
	return &p.any, s
}

// find is run for whoever asks for the place: the expression is nil where s does not match.
func (p *Pattern) find(s string) (*regexp.Regexp, string) {
	q, t := p.run(s)
	if q == nil || !q.matches(t) {
		return nil, s
	}
	return q.re, t
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

// MatchString is regexp's.
func (p *Pattern) MatchString(s string) bool {
	q, t := p.run(s)
	return q != nil && q.matches(t)
}

// FindStringIndex is regexp's.
func (p *Pattern) FindStringIndex(s string) []int {
	re, t := p.find(s)
	if re == nil {
		return nil
	}
	return re.FindStringIndex(t)
}

// FindString is regexp's.
func (p *Pattern) FindString(s string) string {
	if m := p.FindStringIndex(s); m != nil {
		return s[m[0]:m[1]]
	}
	return ""
}

// FindAllStringIndex is regexp's.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	re, t := p.find(s)
	if re == nil {
		return nil
	}
	return re.FindAllStringIndex(t, n)
}

// FindAllStringSubmatchIndex is regexp's.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	re, t := p.find(s)
	if re == nil {
		return nil
	}
	return re.FindAllStringSubmatchIndex(t, n)
}

// FindStringSubmatch is regexp's.
func (p *Pattern) FindStringSubmatch(s string) []string {
	if !p.possible(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatch(s)
}

// FindStringSubmatchIndex is regexp's.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	re, t := p.find(s)
	if re == nil {
		return nil
	}
	return re.FindStringSubmatchIndex(t)
}

// ReplaceAllStringFunc is regexp's.
func (p *Pattern) ReplaceAllStringFunc(s string, f func(string) string) string {
	if !p.possible(s) {
		return s
	}
	return p.Regexp.ReplaceAllStringFunc(s, f)
}

// ReplaceAllString is regexp's.
func (p *Pattern) ReplaceAllString(s, with string) string {
	if !p.possible(s) {
		return s
	}
	return p.Regexp.ReplaceAllString(s, with)
}
