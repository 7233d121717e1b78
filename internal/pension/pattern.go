package pension

import (
	"regexp"
	"regexp/syntax"
	"sync"

	"preceptor/internal/pension/automaton"
)

// Pattern is a regular expression, blind to case, that first looks for the words without which it can't match. Most patterns
// meet most sentences in vain, and looking for words is some hundred times faster than running the expression: what words stand
// in a text is noted once (see look), and kept for the patterns that come after. Where the words are there, an automaton tells
// whether the expression matches, and only where it does and the place matters the expression itself runs.
type Pattern struct {
	whole *quick        // the expression
	fast  func() *quick // the same for texts in lower case, several times as quick; it gives nil where capitals matter
	need  *need         // what must stand in the lower-cased text; nil when nothing is certain
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
func NewPlain(p string) *Pattern {
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return &Pattern{whole: newQuick(p), fast: func() *quick { return nil }, need: required(re, false, false)}
}

// NewPattern reads p; like regexp.MustCompile it is for expressions in the source.
func NewPattern(p string) *Pattern {
	re, err := syntax.Parse(`(?i)`+p, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return &Pattern{
		whole: newQuick(`(?i)` + p),
		fast: sync.OnceValue(func() *quick {
			if capitalRE.MatchString(escapeRE.ReplaceAllString(p, "")) {
				return nil
			}
			return newQuick(p)
		}),
		need: required(re, false, false),
	}
}

var (
	escapeRE  = regexp.MustCompile(`\\.`)
	capitalRE = regexp.MustCompile(`[A-Z]|\(\?-?[a-z]`)
)

func ci(p string) *Pattern { return NewPattern(p) }

// String is the expression.
func (p *Pattern) String() string { return p.whole.expression }

// possible tells whether s, in any case, may match.
func (p *Pattern) possible(s string) bool {
	return p.need == nil || len(s) > 0 && p.need.holds(lookAt(s))
}

// worthLooking is from how many bytes on a text is looked at before an expression runs.
const worthLooking = 20

// run gives the expression and the text on which to run it: places in that text are places in s. The expression is nil where s
// can't match.
func (p *Pattern) run(s string) (*quick, string) {
	lower := ""
	switch {
	case len(s) == 0:
		return p.whole, s
	case len(s) < worthLooking || p.need == nil:
		lower = lowered(s)
	default:
		l := lookAt(s)
		if !p.need.holds(l) {
			return nil, s
		}
		lower = l.lower
	}
	if len(lower) == len(s) {
		if fast := p.fast(); fast != nil {
			return fast, lower
		}
	}
	return p.whole, s
}

// find is run for whoever asks for the place: the expression is nil where s does not match.
func (p *Pattern) find(s string) (*regexp.Regexp, string) {
	q, t := p.run(s)
	if q == nil || !q.matches(t) {
		return nil, s
	}
	return q.re(), t
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
