package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a run of bytes of a text.
type Span struct{ Start, End int }

// In is the text that the span covers.
func (s Span) In(text string) string { return text[s.Start:s.End] }

// abbreviations end in a full stop that ends no sentence.
var abbreviations = map[string]bool{"e.g": true, "i.e": true, "mr": true, "mrs": true, "ms": true, "dr": true,
	"st": true,
	"no": true, "approx": true, "vs": true, "inc": true, "ltd": true, "prof": true, "p.a": true, "s": true, "reg": true,
	"para": true}

// LongestSentence is from how many bytes on a sentence is cut between two words, and at twice as many anywhere: who can
// read one finds no end to it, and what rules cost goes up with the square of its length.
const LongestSentence = 2000

// Sentences cuts text into sentences. List items, headings and paragraphs end one too; a lone line break does not.
func Sentences(text string) []Span {
	var out []Span
	start := 0
	add := func(end int) {
		s, e := start, end
		for s < e && isSpace(text[s]) {
			s++
		}
		for e > s && isSpace(text[e-1]) {
			e--
		}
		if e > s {
			out = append(out, Span{s, e})
		}
		start = end
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if n := i - start; n >= LongestSentence && (!isLetter(c) && !isDigit(c) || n >= 2*LongestSentence) &&
			utf8.RuneStart(c) {
			add(i)
		}
		switch c {
		case '\n':
			if breaksLine(text[i+1:]) {
				add(i)
			}
		case '.', '!', '?':
			end := closeQuotes(text, i+1)
			if end < len(text) && !isSpace(text[end]) {
				continue
			}
			if c == '.' && endsAbbreviation(text[start:i]) {
				continue
			}
			if end > i+1 && continues(text[end:]) { // a quoted question inside a sentence
				continue
			}
			add(end)
			i = end - 1
		}
	}
	add(len(text))
	return out
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// breaksLine reports whether the text after a line break starts something new.
func breaksLine(rest string) bool {
	r := strings.TrimLeft(rest, " \t\r")
	if r == "" || r[0] == '\n' {
		return true
	}
	switch r[0] {
	case '-', '*', '#', '>', '|', '+':
		return true
	}
	if strings.HasPrefix(r, "•") || strings.HasPrefix(r, "–") {
		return true
	}
	n := 0
	for n < len(r) && r[n] >= '0' && r[n] <= '9' {
		n++
	}
	return n > 0 && n < 3 && n < len(r) && (r[n] == '.' || r[n] == ')')
}

// closeQuotes moves end past quotation marks and brackets that close after a sentence's mark.
func closeQuotes(text string, end int) int {
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if !strings.ContainsRune("\"')]’”*_", r) {
			return end
		}
		end += n
	}
	return end
}

// continues reports whether what follows a quoted sentence goes on in lower case.
func continues(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	return unicode.IsLower(r)
}

func endsAbbreviation(before string) bool {
	for n := 0; n <= longestAbbreviation; n++ {
		if n == len(before) || strings.IndexByte(" \n\t(", before[len(before)-1-n]) >= 0 {
			return abbreviations[strings.ToLower(before[len(before)-n:])]
		}
	}
	return false
}

// longestAbbreviation is how many bytes the longest abbreviation has, in any case of its letters.
const longestAbbreviation = 8
