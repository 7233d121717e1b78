package pack

import (
	"regexp"
	"regexp/syntax"
	"sync"

	"preceptor/internal/pack/automaton"
)

// Pattern is a regular expression, blind to case, that first looks for the words without which it can't match. Most patterns
// meet most sentences in vain, and looking for words is some hundred times faster than running the expression: what words stand
// in a text is noted once (see look), and kept for the patterns that come after. Where the words are there, an automaton tells
// whether the expression matches, unless the words alone say so, and only where it does and the place matters the expression itself
// runs.
type Pattern struct {
	whole  *quick // the expression
	fast   *quick // the same for texts in lower case, several times as quick; nil where capitals matter
	need   *need  // what must stand in the lower-cased text; nil when nothing is certain
	exact  bool   // what stands there matches
	simple bool   // one of the literals of its gate is all that it needs
	number int
}

// quick is an expression with its automaton. Both are built at the first text that asks for them.
type quick struct {
	expression string
	re         func() *regexp.Regexp
	machine    func() *automaton.Machine
}

func newQuick(expression string) *quick {
	return &quick{expression,
		sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) }),
		sync.OnceValue(func() *automaton.Machine {
			m, err := automaton.New(expression)
			if err != nil {
				panic(err) // it was parsed before
			}
			return m
		})}
}

// matches tells whether s matches.
func (q *quick) matches(s string) bool {
	if yes, ok := q.machine().Match(s); ok {
		return yes
	}
	return q.re().MatchString(s)
}

// NewPlain is NewPattern for an expression that is held against texts in lower case alone, and is not blind to case.
func NewPlain(p string) *Pattern { return (&Pattern{whole: newQuick(p), fast: newQuick(p)}).needing(p) }

// NewPattern reads p; like regexp.MustCompile it is for expressions in the source.
func NewPattern(p string) *Pattern {
	if capitals(p) {
		return (&Pattern{whole: newQuick(`(?i)` + p)}).needing(`(?i)` + p)
	}
	return (&Pattern{whole: newQuick(`(?i)` + p), fast: newQuick(p)}).needing(p)
}

// needing notes what an expression needs, and numbers the pattern.
func (p *Pattern) needing(expression string) *Pattern {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		panic(err)
	}
	var gate []uint16
	if p.need, p.exact = required(re, free, free); p.need != nil {
		p.need.number()
		if gate, _, p.simple = p.need.gate(); !p.simple {
			p.need.sign()
		}
	}
	p.exact = p.exact && p.simple && p.fast != nil
	p.number = vocabulary.pattern(gate)
	return p
}

// capitals tells whether an expression has capital letters, or says itself where case counts.
func capitals(p string) bool {
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\':
			i++
		case c >= 'A' && c <= 'Z':
			return true
		case c == '(' && i+2 < len(p) && p[i+1] == '?' && (p[i+2] >= 'a' && p[i+2] <= 'z' || p[i+2] == '-'):
			return true
		}
	}
	return false
}

func ci(p string) *Pattern { return NewPattern(p) }

// String is the expression.
func (p *Pattern) String() string { return p.whole.expression }

// possible tells whether s, in any case, may match.
func (p *Pattern) possible(s string) bool {
	return p.need == nil || len(s) > 0 && p.mayMatch(lookAt(s))
}

// mayMatch tells whether a text may match.
func (p *Pattern) mayMatch(l *look) bool {
	if p.number >= l.by.patterns {
		return p.need == nil || p.simple || p.need.holds(l)
	}
	return l.bits[p.number>>6]&(1<<(p.number&63)) != 0 && (p.simple || p.need == nil || p.need.holds(l))
}

// worthLooking is from how many bytes on a text is looked at before an expression runs.
const worthLooking = 20

// run gives the expression and the text on which to run it: places in that text are places in s. The expression is nil where s
// can't match. sure tells that it does.
func (p *Pattern) run(s string) (q *quick, text string, sure bool) {
	if p.need == nil || len(s) < worthLooking {
		return p.once(s)
	}
	l := lookAt(s)
	switch {
	case !p.mayMatch(l):
		return nil, s, false
	case p.fast != nil && l.straight():
		return p.fast, l.lower, p.exact && p.number < l.by.patterns
	}
	return p.whole, s, false
}

// once is run for a text at which nobody looks again.
func (p *Pattern) once(s string) (q *quick, text string, sure bool) {
	if p.fast != nil && len(s) > 0 {
		if lower := lowered(s); len(lower) == len(s) {
			return p.fast, lower, false
		}
	}
	return p.whole, s, false
}

// find is run for whoever asks for the place: the expression is nil where s does not match.
func (p *Pattern) find(s string) (*regexp.Regexp, string) {
	q, t, sure := p.run(s)
	if q == nil || !sure && !q.matches(t) {
		return nil, s
	}
	return q.re(), t
}

// MatchString is regexp's.
func (p *Pattern) MatchString(s string) bool {
	q, t, sure := p.run(s)
	return q != nil && (sure || q.matches(t))
}

// MatchAll tells whether s matches every pattern. It asks for all of their words before any automaton runs.
func MatchAll(patterns []*Pattern, s string) bool {
	if len(s) < worthLooking {
		for _, p := range patterns {
			if !p.MatchString(s) {
				return false
			}
		}
		return true
	}
	l := lookAt(s)
	for _, p := range patterns {
		if !p.mayMatch(l) {
			return false
		}
	}
	for _, p := range patterns {
		if !p.MatchString(s) {
			return false
		}
	}
	return true
}

// MatchOnce is MatchString for a text that is held against few patterns, as a piece of a sentence is.
func (p *Pattern) MatchOnce(s string) bool {
	q, t, _ := p.once(s)
	return q.matches(t)
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
	return p.whole.re().FindStringSubmatch(s)
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
	return p.whole.re().ReplaceAllStringFunc(s, f)
}

// ReplaceAllString is regexp's.
func (p *Pattern) ReplaceAllString(s, with string) string {
	if !p.possible(s) {
		return s
	}
	return p.whole.re().ReplaceAllString(s, with)
}
