package lexicon

import (
	"iter"
	"math/bits"

	"preceptor/internal/pack"
)

// Set is a set of classes.
type Set [MaxClasses / 64]uint64

// Add puts c in.
func (s *Set) Add(c Class) { s[c>>6] |= 1 << (c & 63) }

// Has tells whether c is in.
func (s Set) Has(c Class) bool { return s[c>>6]&(1<<(c&63)) != 0 }

// All are the classes that are in, ascending.
func (s Set) All() iter.Seq[Class] {
	return func(yield func(Class) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(Class(i<<6 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// Any tells whether one of cs is in.
func (s Set) Any(cs ...Class) bool {
	for _, c := range cs {
		if s.Has(c) {
			return true
		}
	}
	return false
}

// Or is the union.
func (s Set) Or(o Set) Set {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

// Sentence is one sentence as it was read.
type Sentence struct {
	pack.Span
	Tokens  []Token
	Matches []Match
	Set     Set
	Asks    bool // it ends in a question mark
}

// Reading is a text as it was read, sentence by sentence.
type Reading struct {
	Text      string
	Sentences []Sentence
	Set       Set // of all its sentences
}

// ReadText reads a whole text; spans are its sentences.
func (l *Lexicon) ReadText(text string, spans []pack.Span) *Reading {
	r := &Reading{Text: text, Sentences: make([]Sentence, len(spans))}
	for i, sp := range spans {
		s := &r.Sentences[i]
		s.Span = sp
		s.Tokens = Tokens(sp.In(text), sp.Start)
		s.Matches = l.Read(s.Tokens)
		for _, m := range s.Matches {
			s.Set.Add(m.Class)
		}
		for k := sp.End - 1; k >= sp.Start && k > sp.End-4; k-- {
			s.Asks = s.Asks || text[k] == '?'
		}
		r.Set = r.Set.Or(s.Set)
	}
	return r
}

// Words are the words of a match as they stand in the text.
func (s *Sentence) Words(text string, m Match) string {
	return text[s.Tokens[m.First].Start:s.Tokens[m.Last].End]
}
