package observe

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

const (
	// Most is how many proposals a session may bring.
	Most = 5
	// Budget is how many tokens they may have together.
	Budget = 1000
)

// mostGained is how much evidence a proposal has that several sessions gave.
const mostGained = 12

// Evidence is what a proposal rested on, and what came to it.
func Evidence(had, more []string) []string {
	for _, e := range more {
		if !slices.Contains(had, e) && len(had) < mostGained {
			had = append(had, e)
		}
	}
	return had
}

// Tokens estimates what the proposal takes in a prompt: a token for four characters.
func (p Proposal) Tokens() int {
	n := utf8.RuneCountInString(p.Content)
	for _, e := range p.Evidence {
		n += utf8.RuneCountInString(e)
	}
	return (n + 3) / 4
}

// Rank keeps the best proposals, at most most and within a budget of tokens, and says how many tokens they have. What
// does not fit is left out, and what ranks below it may fit.
func Rank(list []Proposal, most, budget int) (kept []Proposal, tokens int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Proposal) int { return cmp.Compare(weight(b), weight(a)) })
	for _, p := range list {
		if n := p.Tokens(); len(kept) < most && tokens+n <= budget {
			kept, tokens = append(kept, p), tokens+n
		}
	}
	return kept, tokens
}

func weight(p Proposal) float64 { return p.Confidence / float64(max(p.Priority, 1)) }
