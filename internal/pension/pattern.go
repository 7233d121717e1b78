package pension

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// Pattern is a regular expression, blind to case, that first looks for the words without which it can't match. Most patterns
// meet most sentences in vain, and looking for a word is some fifty times faster than running the expression.
type Pattern struct {
	*regexp.Regexp
	need []string // one of these must stand in the lower-cased text; nil when nothing is certain
}

// NewPattern compiles p; like regexp.MustCompile it is for expressions in the source.
func NewPattern(p string) *Pattern {
	p = `(?i)` + p
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return &Pattern{regexp.MustCompile(p), required(re)}
}

func ci(p string) *Pattern { return NewPattern(p) }

// required is a set of literals of which every match contains one; nil when there is none.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if len(re.Rune) < 2 {
			return nil
		}
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if n := required(sub); n != nil && (best == nil || strength(n) > strength(best)) {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			n := required(sub)
			if n == nil {
				return nil
			}
			all = append(all, n...)
		}
		return all
	}
	return nil
}

// strength prefers long literals, and few of them.
func strength(n []string) float64 {
	shortest := len(n[0])
	for _, s := range n {
		shortest = min(shortest, len(s))
	}
	return float64(shortest) - float64(len(n))/4
}

// possible tells whether s, in any case, may match.
func (p *Pattern) possible(s string) bool {
	if p.need == nil {
		return true
	}
	low := lowered(s)
	for _, n := range p.need {
		if strings.Contains(low, n) {
			return true
		}
	}
	return false
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
func (p *Pattern) MatchString(s string) bool { return p.possible(s) && p.Regexp.MatchString(s) }

// FindStringIndex is regexp's.
func (p *Pattern) FindStringIndex(s string) []int {
	if !p.possible(s) {
		return nil
	}
	return p.Regexp.FindStringIndex(s)
}

// FindString is regexp's.
func (p *Pattern) FindString(s string) string {
	if !p.possible(s) {
		return ""
	}
	return p.Regexp.FindString(s)
}

// FindAllStringIndex is regexp's.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	if !p.possible(s) {
		return nil
	}
	return p.Regexp.FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex is regexp's.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !p.possible(s) {
		return nil
	}
	return p.Regexp.FindAllStringSubmatchIndex(s, n)
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
	if !p.possible(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatchIndex(s)
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
