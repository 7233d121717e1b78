package automaton

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Literals finds which of many strings stand in a text, in one walk over its bytes (Aho and Corasick, 1975).
type Literals struct {
	classes [256]uint8 // bytes that stand in no string share class 0
	width   uint32     // classes
	next    []uint32   // by state, class: where the next state's row begins
	quiet   uint32     // the rows before are those of states where no string ends
	heard   []uint32   // by state from quiet on, where in said begins what ends there; one more at the end
	said    []uint16   // numbers of strings
	begins  uint32     // classes of the edges of words
	ends    uint32
}

// NewLiterals prepares to find words; none may be empty.
func NewLiterals(words []string) *Literals {
	l := &Literals{width: 1}
	class := func(c byte) uint32 {
		if l.classes[c] == 0 {
			l.classes[c] = uint8(l.width)
			l.width++
		}
		return uint32(l.classes[c])
	}
	l.begins, l.ends = class(wordBegins), class(wordEnds)
	for _, w := range words {
		for i := range len(w) {
			class(w[i])
		}
	}
	ends := [][]uint16{nil}
	next := make([]uint32, l.width)
	for n, w := range words {
		at := uint32(0)
		for i := range len(w) {
			step := &next[at*l.width+uint32(l.classes[w[i]])]
			if at = *step; at == 0 {
				at = uint32(len(ends))
				*step = at
				ends = append(ends, nil)
				next = append(next, make([]uint32, l.width)...)
			}
		}
		ends[at] = append(ends[at], uint16(n))
	}
	l.link(next, ends)
	l.sort(next, ends)
	return l
}

// link leads every state on where its string does not go on: to the longest end of it that begins another.
func (l *Literals) link(next []uint32, ends [][]uint16) {
	back := make([]uint32, len(ends))
	queue := []uint32{0}
	for k := 0; k < len(queue); k++ {
		at := queue[k]
		for c := range l.width {
			step := &next[at*l.width+c]
			other := next[back[at]*l.width+c]
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
}

// sort gives the states their rows, those first where no string ends, so that a walk sees by the row whether one does.
func (l *Literals) sort(next []uint32, ends [][]uint16) {
	row := make([]uint32, len(ends))
	rows := uint32(0)
	for _, loud := range []bool{false, true} {
		for at, e := range ends {
			if loud != (len(e) > 0) {
				continue
			}
			row[at] = rows * l.width
			rows++
			if loud {
				l.heard = append(l.heard, uint32(len(l.said)))
				l.said = append(l.said, e...)
			}
		}
		if !loud {
			l.quiet = rows * l.width
		}
	}
	l.heard = append(l.heard, uint32(len(l.said)))
	l.next = make([]uint32, len(next))
	for at := range ends {
		for c := range l.width {
			l.next[row[at]+c] = row[next[uint32(at)*l.width+c]]
		}
	}
}

// Mark sets the bits of the strings that stand in text, and gives the numbers of those that were not set, added to news. Where a
// word begins or ends, strings may say so (see Edged).
func (l *Literals) Mark(text string, bits []uint64, news []uint16) []uint16 {
	at, word := uint32(0), false
	for i := range len(text) {
		c := text[i]
		if w := isWord[c]; w != word {
			edge := l.ends
			if w {
				edge = l.begins
			}
			word = w
			if at = l.next[at+edge]; at >= l.quiet {
				news = l.hear(at, bits, news)
			}
		}
		if at = l.next[at+uint32(l.classes[c])]; at >= l.quiet {
			news = l.hear(at, bits, news)
		}
	}
	if word {
		if at = l.next[at+l.ends]; at >= l.quiet {
			news = l.hear(at, bits, news)
		}
	}
	return news
}

func (l *Literals) hear(at uint32, bits []uint64, news []uint16) []uint16 {
	k := (at - l.quiet) / l.width
	for _, n := range l.said[l.heard[k]:l.heard[k+1]] {
		if bit := uint64(1) << (n & 63); bits[n>>6]&bit == 0 {
			bits[n>>6] |= bit
			news = append(news, n)
		}
	}
	return news
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
