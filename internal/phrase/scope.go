package phrase

import "strings"

// Scope is whose words or what time a sentence tells, by which what it says is excused.
type Scope int

// The scopes. Those before marked are classes of the lexicon with their names.
const (
	Denied   Scope = iota // "nobody can promise that ..."
	Reported              // "you asked whether ...", "the caller says ..."
	Supposed              // "if ...", "suppose ..."
	Past                  // "until April 2023 ..."
	Duty                  // "by law ..."
	Warned                // in or under a warning of scams
	marked
	Asked      = marked // the sentence is a question
	Quotation  = marked + 1
	scopeCount = marked + 2
)

func scopeOf(name string) Scope {
	for i, n := range scopeNames {
		if n == name {
			return Scope(i)
		}
	}
	return -1
}

// excused reports whether a match in sentence i, whose conditions are met by token last, is excused by a scope that
// isn't in even.
func (l *Lexicon) excused(r *Reading, i int, m Match, last int, even uint) bool {
	s := &r.Sentences[i]
	open := func(scope Scope) bool { return even&(1<<scope) == 0 }
	has := func(scope Scope) bool { return open(scope) && s.Set.Has(l.scopes[scope]) }
	switch {
	case open(Asked) && s.Asks:
		return true
	case open(Quotation) && r.quoted(s.Tokens[m.First].Start, s.Tokens[m.Last].End):
		return true
	case open(Warned) && l.warned(r, i):
		return true
	}
	from, to := -1, 0
	for _, k := range s.Matches {
		switch {
		case has(Reported) && k.Class == l.scopes[Reported] && k.First < m.First,
			has(Supposed) && k.Class == l.scopes[Supposed] && k.First < m.First:
			return true
		case has(Denied) && k.Class == l.scopes[Denied], has(Past) && k.Class == l.scopes[Past],
			has(Duty) && k.Class == l.scopes[Duty]:
			if from < 0 {
				from, to = s.clause(r.Text, m.First), s.clauseEnd(r.Text, last)
			}
			if k.First >= from && k.First <= to && (k.First <= last || k.Class != l.scopes[Denied]) {
				return true
			}
		}
	}
	return false
}

// quoted reports whether the bytes from start to end stand inside quotation marks.
func (r *Reading) quoted(start, end int) bool {
	for _, q := range r.Quotes {
		if q.Start <= start && end <= q.End {
			return true
		}
	}
	return false
}

// clause is the first token of the clause in which a token stands, and clauseEnd the last.
func (s *Sentence) clause(text string, at int) int {
	for ; at > 0 && !s.parts(text, at); at-- {
	}
	return at
}

func (s *Sentence) clauseEnd(text string, at int) int {
	for at = min(at, len(s.Tokens)-1); at+1 < len(s.Tokens) && !s.parts(text, at+1); at++ {
	}
	return at
}

// parts reports whether a clause begins at token k.
func (s *Sentence) parts(text string, k int) bool {
	switch s.Tokens[k-1].Text {
	case "but", "however", "though", "although", "so":
		return true
	}
	gap := text[s.Tokens[k-1].End:max(s.Tokens[k].Start, s.Tokens[k-1].End)]
	return strings.ContainsAny(gap, ",;:") || strings.Contains(gap, " - ") || strings.Contains(gap, "–") ||
		strings.Contains(gap, "—")
}

// warnsBefore is how many sentences of a paragraph a warning reaches.
const warnsBefore = 2

// warned reports whether sentence i stands in or under a warning, or in a list that one opens.
func (l *Lexicon) warned(r *Reading, i int) bool {
	if l.scopes[Warned] < 0 || !r.Set.Has(l.scopes[Warned]) {
		return false
	}
	for k := i; k >= 0; k-- {
		if r.Sentences[k].Set.Has(l.scopes[Warned]) {
			return true
		}
		if k == 0 {
			return false
		}
		before, item := strings.Contains(r.Text[r.Sentences[k-1].End:r.Sentences[k].Start], "\n\n"), r.Sentences[k].Item
		if !item && (i-k >= warnsBefore || before) || item && before && r.Sentences[k-1].Item {
			return false
		}
	}
	return false
}
