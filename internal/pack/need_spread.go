package pack

import (
	"regexp/syntax"
	"slices"
)

// Bounds of how many strings an expression is written out as.
const (
	spreadProduct = 8 // where two lists are joined
	spreadMost    = 40
	fewLetters    = 6 // of a class
)

// spread writes out neighbours that match a few strings only, as one list of strings: of "(?:old|new) plans?" it makes the four that
// there are, and of "death|dead", which the parser draws together as "dea(?:th|d)", again the two.
func spread(subs []*syntax.Regexp) []*syntax.Regexp {
	var out []*syntax.Regexp
	var run []string
	flush := func() {
		if run != nil {
			out = append(out, listed(run))
		}
		run = nil
	}
	for _, sub := range subs {
		words := written(sub)
		switch {
		case words == nil && len(run) == 1 && sub.Op == syntax.OpAlternate:
			out, run = append(out, prefixedAll(run[0], sub)), nil
		case words == nil:
			flush()
			out = append(out, sub)
		case run == nil:
			run = words
		case len(run)*len(words) <= spreadProduct || len(run) == 1 || len(words) == 1:
			run = joined(run, words)
		default:
			flush()
			run = words
		}
	}
	flush()
	return out
}

func joined(heads, tails []string) []string {
	out := make([]string, 0, len(heads)*len(tails))
	for _, h := range heads {
		for _, t := range tails {
			out = append(out, h+t)
		}
	}
	return out
}

// listed is the expression of some strings.
func listed(words []string) *syntax.Regexp {
	if len(words) == 1 {
		return literal(words[0])
	}
	all := &syntax.Regexp{Op: syntax.OpAlternate}
	for _, w := range words {
		all.Sub = append(all.Sub, literal(w))
	}
	return all
}

func literal(s string) *syntax.Regexp {
	if s == "" {
		return &syntax.Regexp{Op: syntax.OpEmptyMatch}
	}
	return &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune(s)}
}

// written is every string that re matches, where they are few; nil otherwise.
func written(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return []string{""}
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCharClass:
		return writtenClass(re.Rune)
	case syntax.OpCapture:
		return written(re.Sub[0])
	case syntax.OpQuest:
		if words := written(re.Sub[0]); words != nil {
			return append(slices.Clone(words), "")
		}
	case syntax.OpConcat:
		return writtenAll(re.Sub)
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			words := written(sub)
			if words == nil || len(out)+len(words) > spreadMost {
				return nil
			}
			out = append(out, words...)
		}
		return out
	}
	return nil
}

func writtenAll(subs []*syntax.Regexp) []string {
	out := []string{""}
	for _, sub := range subs {
		words := written(sub)
		if words == nil || len(out)*len(words) > spreadProduct && len(out) > 1 && len(words) > 1 {
			return nil
		}
		out = joined(out, words)
	}
	return out
}

func writtenClass(class []rune) []string {
	var out []string
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= class[i+1]; r++ {
			if out = append(out, string(r)); len(out) > fewLetters {
				return nil
			}
		}
	}
	return out
}

// prefixedAll is a string before each branch of an alternative.
func prefixedAll(prefix string, re *syntax.Regexp) *syntax.Regexp {
	all := &syntax.Regexp{Op: syntax.OpAlternate}
	for _, b := range re.Sub {
		all.Sub = append(all.Sub, prefixed(prefix, b))
	}
	return all
}

func prefixed(prefix string, re *syntax.Regexp) *syntax.Regexp {
	switch {
	case re.Op == syntax.OpEmptyMatch:
		return literal(prefix)
	case re.Op == syntax.OpLiteral:
		return &syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: slices.Concat([]rune(prefix), re.Rune)}
	case re.Op == syntax.OpConcat && re.Sub[0].Op == syntax.OpLiteral:
		return &syntax.Regexp{Op: syntax.OpConcat, Sub: append([]*syntax.Regexp{prefixed(prefix, re.Sub[0])}, re.Sub[1:]...)}
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{literal(prefix), re}}
}
