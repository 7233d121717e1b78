package automaton

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Literals finds which of many strings stand in a text, in one walk over its bytes (Aho and Corasick, 1975).
type Literals struct {
	classes [256]uint8 // bytes that stand in no string share class 0
	width   int        // classes
	next    []uint16   // by state, class
	heard   []uint32   // by state, where in said begins what ends there; one more at the end
	said    []uint16   // numbers of strings
}

// NewLiterals prepares to find words; none may be empty, and together they may have 65,000 beginnings.
func NewLiterals(words []string) *Literals {
	l := &Literals{width: 1}
	for _, w := range words {
		for i := range len(w) {
			if l.classes[w[i]] == 0 {
				l.classes[w[i]] = uint8(l.width)
				l.width++
			}
		}
	}
	ends := [][]uint16{nil}
	l.next = make([]uint16, l.width)
	for n, w := range words {
		at := uint16(0)
		for i := range len(w) {
			step := &l.next[int(at)*l.width+int(l.classes[w[i]])]
			if at = *step; at == 0 {
				at = uint16(len(ends))
				*step = at
				ends = append(ends, nil)
				l.next = append(l.next, make([]uint16, l.width)...)
			}
		}
		ends[at] = append(ends[at], uint16(n))
	}
	l.link(ends)
	return l
}

// link leads every state on where its string does not go on: to the longest end of it that begins another.
func (l *Literals) link(ends [][]uint16) {
	back := make([]uint16, len(ends))
	queue := []uint16{0}
	for k := 0; k < len(queue); k++ {
		at := queue[k]
		for c := range l.width {
			step := &l.next[int(at)*l.width+c]
			other := l.next[int(back[at])*l.width+c]
			if *step == 0 {
				*step = other
				continue
			}
			if at != 0 {
				back[*step] = other
			}
			ends[*step] = append(ends[*step], ends[back[*step]]...)
			queue = append(queue, *step)
		}
	}
	for _, e := range ends {
		l.heard = append(l.heard, uint32(len(l.said)))
		l.said = append(l.said, e...)
	}
	l.heard = append(l.heard, uint32(len(l.said)))
}

// Mark sets the bits of the strings that stand in text. Where a word begins or ends, strings may say so (see Edged).
func (l *Literals) Mark(text string, bits []uint64) {
	at, word := 0, false
	hear := func(c byte) {
		at = int(l.next[at*l.width+int(l.classes[c])])
		for _, n := range l.said[l.heard[at]:l.heard[at+1]] {
			bits[n>>6] |= 1 << (n & 63)
		}
	}
	for i := range len(text) {
		switch w := isWord[text[i]]; {
		case w && !word:
			hear(wordBegins)
			word = true
		case !w && word:
			hear(wordEnds)
			word = false
		}
		hear(text[i])
	}
	if word {
		hear(wordEnds)
	}
}

// Marks of the edges of words, which stand in no text.
const (
	wordBegins = 0xFE
	wordEnds   = 0xFF
)

var isWord = func() (out [256]bool) {
	for c := range utf8.RuneSelf {
		out[c] = syntax.IsWordChar(rune(c))
	}
	return out
}()

// Edged is a string as Mark looks for it. opens and closes ask that a word begins, or ends, with it.
func Edged(s string, opens, closes bool) string {
	var b strings.Builder
	word := !opens
	for i := range len(s) {
		switch w := isWord[s[i]]; {
		case w && !word:
			b.WriteByte(wordBegins)
		case !w && word && i > 0:
			b.WriteByte(wordEnds)
		}
		word = isWord[s[i]]
		b.WriteByte(s[i])
	}
	if closes && word {
		b.WriteByte(wordEnds)
	}
	return b.String()
}
