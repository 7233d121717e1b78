package phrase

import (
	"iter"
	"math/bits"
)

// Set is a set of classes.
type Set [maxClasses / 64]uint64

// Add puts c in.
func (s *Set) Add(c Class) { s[c>>6] |= 1 << (c & 63) }

// Has reports whether c is in; no class is where c is negative.
func (s *Set) Has(c Class) bool { return c >= 0 && s[c>>6]&(1<<(c&63)) != 0 }

// Below are the classes under limit that are in, ascending.
func (s *Set) Below(limit Class) iter.Seq[Class] {
	return func(yield func(Class) bool) {
		for i, word := range s[:(limit+63)/64] {
			for ; word != 0; word &= word - 1 {
				if c := Class(i<<6 + bits.TrailingZeros64(word)); c < limit && !yield(c) {
					return
				}
			}
		}
	}
}

// Any reports whether one of cs is in.
func (s *Set) Any(cs ...Class) bool {
	for _, c := range cs {
		if s.Has(c) {
			return true
		}
	}
	return false
}

// or is the union.
func (s *Set) or(o *Set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Sentence is one sentence as it was read.
type Sentence struct {
	Span
	Tokens  []Token
	Matches []Match
	Set     Set
	Asks    bool // it ends in a question mark
	Item    bool // it is a line of a list, or a heading
}

// Reading is a text as it was read, sentence by sentence.
type Reading struct {
	Text      string
	Sentences []Sentence
	Set       Set // of all its sentences
	Quotes    []Span
}

// ReadText reads a whole text, with the figures of its day.
func (l *Lexicon) ReadText(text string, of Figures) *Reading {
	return l.read(text, Sentences(text), of)
}

func (l *Lexicon) read(text string, spans []Span, of Figures) *Reading {
	r := &Reading{Text: text, Sentences: make([]Sentence, len(spans)), Quotes: Quoted(text)}
	for i, sp := range spans {
		s := &r.Sentences[i]
		s.Span = sp
		s.Tokens = Tokens(sp.In(text), sp.Start)
		s.Matches = l.Read(s.Tokens, text, of)
		for _, m := range s.Matches {
			s.Set.Add(m.Class)
		}
		for k := sp.End - 1; k >= sp.Start && k > sp.End-4; k-- {
			s.Asks = s.Asks || text[k] == '?'
		}
		s.Item = len(sp.In(text)) > 1 && breaksLine(sp.In(text))
		r.Set.or(&s.Set)
	}
	return r
}

// Words are the words of a match as they stand in the text.
func (s *Sentence) Words(text string, m Match) string {
	return text[s.Tokens[m.First].Start:s.Tokens[m.Last].End]
}
