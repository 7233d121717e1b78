package pack

import (
	"regexp/syntax"
	"slices"
	"strings"

	"preceptor/internal/pack/automaton"
)

// need is a condition on a text that every match fulfils: all or one of some literals and of further conditions.
type need struct {
	all      bool
	words    []string // literals, until they are numbered
	literals []uint16 // by number in vocabulary
	signs    []uint16 // what of them a look shows: each where all are needed, else one for them all; set where a gate is not enough
	parts    []*need
	deep     []*need // those of parts that are more than one sign
}

// Bounds of how many bytes of a literal are looked for.
const (
	literalMost   = 28 // where it says all that an expression asks
	literalEnough = 9  // elsewhere; more would tell little
)

// side is what stands beside a part of an expression.
type side struct {
	edge  bool // a word begins or ends there, so that "lta" need not be looked for within "consultation"
	known bool // and that is all that is asked there
}

var (
	free   = side{known: true}
	unsure = side{}
)

// required is what every match must contain; nil when nothing is certain. exact tells that whatever contains it matches.
func required(re *syntax.Regexp, left, right side) (n *need, exact bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return requiredLiteral(string(re.Rune), left, right)
	case syntax.OpCapture:
		return required(re.Sub[0], left, right)
	case syntax.OpPlus:
		if left == free && right == free {
			return required(re.Sub[0], free, free)
		}
		n, _ = required(re.Sub[0], unsure, unsure)
		return n, false
	case syntax.OpRepeat:
		if re.Min > 0 {
			n, _ = required(re.Sub[0], unsure, unsure)
			return n, false
		}
	case syntax.OpConcat:
		return requiredOfAll(re.Sub, left, right)
	case syntax.OpAlternate:
		n, exact = &need{}, true
		for _, sub := range re.Sub {
			p, sure := required(sub, left, right)
			if p == nil {
				return nil, false
			}
			n.add(p)
			exact = exact && sure
		}
		return n, exact
	}
	return nil, false
}

func requiredLiteral(s string, left, right side) (*need, bool) {
	if s == "" || len(s) == 1 && !(left.edge && right.edge) {
		return nil, false
	}
	edged := automaton.Edged(strings.ToLower(s), left.edge, right.edge)
	exact := left.known && right.known && len(edged) <= literalMost && (!left.edge || beginsWord(s)) && (!right.edge || endsWord(s))
	if !exact {
		edged = edged[:min(literalEnough, len(edged))]
	}
	return &need{words: []string{edged}}, exact
}

func beginsWord(s string) bool { return syntax.IsWordChar(rune(s[0])) }

func endsWord(s string) bool { return syntax.IsWordChar(rune(s[len(s)-1])) }

func requiredOfAll(subs []*syntax.Regexp, left, right side) (*need, bool) {
	for len(subs) > 0 && left == free && optional(subs[0]) { // whether it is there or not, nothing else changes
		subs = subs[1:]
	}
	for len(subs) > 0 && right == free && optional(subs[len(subs)-1]) {
		subs = subs[:len(subs)-1]
	}
	subs = spread(subs)
	n, exact := &need{all: true}, false
	for i, sub := range subs {
		before, after := left, right
		if i > 0 {
			before = beside(subs[i-1], i == 1 && left == free)
			before.known = before.known || i == 1 && left == free && isBeginning(subs[0])
		}
		if i+1 < len(subs) {
			after = beside(subs[i+1], i+2 == len(subs) && right == free)
		}
		if p, sure := required(sub, before, after); p != nil {
			n.add(p)
			exact = sure && len(subs) <= 3
		}
	}
	switch len(n.words) + len(n.parts) {
	case 0:
		return nil, false
	case 1:
		return n, exact
	}
	return n, false
}

// optional tells whether re may be left out wherever it stands.
func optional(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpStar, syntax.OpQuest, syntax.OpEmptyMatch:
		return true
	case syntax.OpRepeat:
		return re.Min == 0
	}
	return false
}

// beside is what a neighbour asks. last tells that nothing at all is asked beyond it.
func beside(re *syntax.Regexp, last bool) side {
	return side{edge: isEdge(re), known: last && re.Op == syntax.OpWordBoundary}
}

// isBeginning tells whether re is "(?:^|\W)", which before a word says no more than that it begins.
func isBeginning(re *syntax.Regexp) bool {
	return re.Op == syntax.OpAlternate && len(re.Sub) == 2 && re.Sub[0].Op == syntax.OpBeginText && re.Sub[1].Op == syntax.OpCharClass && slices.Equal(re.Sub[1].Rune, noWord)
}

var noWord = func() []rune {
	re, err := syntax.Parse(`\W`, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return re.Rune
}()

// isEdge tells whether a word beside what matches re must begin, or end, there.
func isEdge(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText:
		return true
	case syntax.OpLiteral:
		return !slices.ContainsFunc(re.Rune, syntax.IsWordChar)
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

// add takes in a part, whose literals stand among its own where that says the same.
func (n *need) add(p *need) {
	if p.all == n.all || len(p.words)+len(p.parts) == 1 {
		n.words, n.parts = append(n.words, p.words...), append(n.parts, p.parts...)
		return
	}
	n.parts = append(n.parts, p)
}

// number numbers the literals, without those that say nothing new.
func (n *need) number() {
	slices.Sort(n.words)
	n.words = slices.Compact(n.words)
	for i, w := range n.words {
		if !n.all && slices.ContainsFunc(n.words, func(other string) bool { return len(other) < len(w) && strings.Contains(w, other) }) {
			continue // where it stands, the other does
		}
		n.literals = append(n.literals, vocabulary.number(n.words[i]))
	}
	n.words = nil
	for _, p := range n.parts {
		p.number()
	}
}

// sign sets the signs.
func (n *need) sign() {
	switch {
	case n.all:
		for _, l := range n.literals {
			n.signs = append(n.signs, vocabulary.sign(l))
		}
	case len(n.literals) > 0:
		n.signs = append(n.signs, vocabulary.sign(n.literals...))
	}
	for _, p := range n.parts {
		if p.sign(); len(p.signs) == 1 && len(p.deep) == 0 {
			n.signs = append(n.signs, p.signs...)
		} else {
			n.deep = append(n.deep, p)
		}
	}
}

// holds tells whether a text may fulfil the condition.
func (n *need) holds(l *look) bool {
	for _, i := range n.signs {
		if l.shows(i) != n.all {
			return !n.all
		}
	}
	for _, p := range n.deep {
		if p.holds(l) != n.all {
			return !n.all
		}
	}
	return n.all
}

// gate is literals one of which stands in every text that fulfils the condition; dear is how often one does, by guess. simple tells
// that one of them is enough.
func (n *need) gate() (literals []uint16, dear float64, simple bool) {
	if n.all && len(n.literals)+len(n.parts) > 1 {
		for i, p := range n.each() {
			if l, d, _ := p.gate(); i == 0 || d < dear {
				literals, dear = l, d
			}
		}
		return literals, dear, false
	}
	literals, simple = slices.Clone(n.literals), true
	for _, i := range n.literals {
		dear += vocabulary.dear(i)
	}
	for _, p := range n.parts {
		l, d, s := p.gate()
		literals, dear, simple = append(literals, l...), dear+d, simple && s
	}
	return literals, dear, simple
}

func (n *need) each() []*need {
	out := slices.Clone(n.parts)
	for _, i := range n.literals {
		out = append(out, &need{literals: []uint16{i}})
	}
	return out
}
