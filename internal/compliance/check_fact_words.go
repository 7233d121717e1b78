package compliance

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// phrases are alternatives, each of which begins where a word or an amount does. There are thousands of them, and nearly every
// sentence has none of a set: so the beginnings of a sentence's words are noted once (see beginnings), and an alternative is only
// looked at where one of them fits.
type phrases struct {
	literals []literal
	patterns []phrasePattern
}

// literal is an alternative without anything special.
type literal struct {
	text  string
	mark  uint16
	whole bool // ends where a word does
}

type phrasePattern struct {
	re     *regexp.Regexp // at the beginning of what it is held against
	starts []string       // with one of these, at most three bytes each, every match begins; nil: with anything
	marks  []uint16
}

// sentence is one in plain form with the beginnings of its words.
type sentence struct {
	text   string
	digits bool
	starts []int
	marks  [64]uint64 // of the first one, two and three bytes of each word
}

func startMark(s string) uint16 {
	h := uint32(len(s))
	for i := 0; i < len(s); i++ {
		h = h*961 + uint32(s[i])
	}
	return uint16(h*2654435761>>16) & (64*64 - 1)
}

func (s *sentence) marked(m uint16) bool { return s.marks[m>>6]&(1<<(m&63)) != 0 }

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 'A' && c <= 'Z'
}

func beginnings(text string) sentence {
	s := sentence{text: text, starts: make([]int, 0, len(text)/4)}
	for i := range len(text) {
		if c := text[i]; c >= '0' && c <= '9' {
			s.digits = true
		}
		if i > 0 && isWordByte(text[i-1]) || text[i] == ' ' {
			continue
		}
		s.starts = append(s.starts, i)
		for n := 1; n <= 3 && i+n <= len(text); n++ {
			m := startMark(text[i : i+n])
			s.marks[m>>6] |= 1 << (m & 63)
		}
	}
	return s
}

// atWord compiles an expression into alternatives that begin at a word.
func atWord(p string) *phrases {
	out := &phrases{}
	var rest []string
	for _, alt := range alternatives(p) {
		text, whole := strings.CutSuffix(alt, `\b`)
		if regexp.QuoteMeta(text) == text && text != "" {
			out.literals = append(out.literals, literal{text, startMark(text[:min(3, len(text))]), whole})
			continue
		}
		rest = append(rest, alt)
	}
	for _, alt := range rest {
		out.patterns = append(out.patterns, newPhrasePattern(alt))
	}
	return out
}

func newPhrasePattern(alt string) phrasePattern {
	p := phrasePattern{re: regexp.MustCompile(`^(?:` + alt + `)`)}
	re, err := syntax.Parse(alt, syntax.Perl)
	if err != nil {
		panic(err)
	}
	p.starts = firstBytes(re)
	for i, s := range p.starts {
		if s = s[:min(3, len(s))]; s == "" {
			p.starts, p.marks = nil, nil
			break
		}
		p.starts[i] = s
		p.marks = append(p.marks, startMark(s))
	}
	return p
}

// alternatives splits an expression at the bars that stand in no group.
func alternatives(p string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '|':
			if depth == 0 {
				out, from = append(out, p[from:i]), i+1
			}
		}
	}
	return append(out, p[from:])
}

// manyStarts bounds how many beginnings an expression is taken apart into.
const manyStarts = 96

// firstBytes is how a match can begin, up to three bytes or more; an empty one among them means anything.
func firstBytes(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return firstBytes(re.Sub[0])
	case syntax.OpCharClass:
		return classBytes(re)
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			out = append(out, firstBytes(sub)...)
		}
		return out
	case syntax.OpConcat:
		return concatBytes(re.Sub)
	}
	return []string{""}
}

func classBytes(re *syntax.Regexp) []string {
	var out []string
	for i := 0; i+1 < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if out = append(out, string(r)); len(out) > 12 {
				return []string{""}
			}
		}
	}
	return out
}

func concatBytes(subs []*syntax.Regexp) []string {
	out := []string{""}
	for k, sub := range subs {
		next, open := firstBytes(sub), false
		switch sub.Op {
		case syntax.OpWordBoundary, syntax.OpEmptyMatch:
			continue
		case syntax.OpQuest, syntax.OpStar:
			next = append(firstBytes(sub.Sub[0]), concatBytes(subs[k+1:])...)
			open = true
		}
		var joined []string
		longer := false
		for _, a := range out {
			if len(a) >= 3 {
				joined = append(joined, a)
				continue
			}
			for _, b := range next {
				joined = append(joined, a+b)
				longer = longer || len(a)+len(b) < 3 && b != ""
			}
		}
		out = joined
		if !longer || open || len(out) > manyStarts || sub.Op != syntax.OpLiteral && sub.Op != syntax.OpAlternate && sub.Op != syntax.OpCapture && sub.Op != syntax.OpCharClass {
			break
		}
	}
	if len(out) > manyStarts {
		return []string{""}
	}
	return out
}

// cost orders the conditions of a rule: what is quickly told, and seldom so, comes first.
func (p *phrases) cost() int {
	n := len(p.literals)
	for _, q := range p.patterns {
		if n += 3; q.starts == nil {
			n += 100
		}
	}
	return n
}

// in tells whether one of the phrases stands in a sentence.
func (p *phrases) in(s *sentence) bool {
	for i := range p.literals {
		if l := &p.literals[i]; s.marked(l.mark) && s.has(l) {
			return true
		}
	}
	for i := range p.patterns {
		if p.patterns[i].in(s) {
			return true
		}
	}
	return false
}

func (s *sentence) has(l *literal) bool {
	for from := 0; ; {
		k := strings.Index(s.text[from:], l.text)
		if k < 0 {
			return false
		}
		k += from
		end := k + len(l.text)
		if (k == 0 || !isWordByte(s.text[k-1])) && (!l.whole || end == len(s.text) || isWordByte(s.text[end]) != isWordByte(s.text[end-1])) {
			return true
		}
		from = k + 1
	}
}

func (p *phrasePattern) in(s *sentence) bool {
	if p.starts == nil {
		for _, at := range s.starts {
			if p.re.MatchString(s.text[at:]) {
				return true
			}
		}
		return false
	}
	for i, m := range p.marks {
		if !s.marked(m) {
			continue
		}
		for _, at := range s.starts {
			if strings.HasPrefix(s.text[at:], p.starts[i]) && p.re.MatchString(s.text[at:]) {
				return true
			}
		}
	}
	return false
}
