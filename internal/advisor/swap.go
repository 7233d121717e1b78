package advisor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/pack"
)

// swap is a term to say instead of another, in the form that a person gave.
type swap struct{ avoid, say, id, label string }

// done is a replaced term in the new text.
type done struct {
	start, end int
	by         swap
}

// swap replaces whole words, the longest term first, and never what it has just written. The first letter keeps its
// case, and "a" or "an" before the term follows it.
func (a acts) swap(text string) (string, []done) {
	if len(a.swaps) == 0 {
		return text, nil
	}
	var b strings.Builder
	var list []done
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if by, n := a.swapAt(text, i); n > 0 {
			say := asIn(text[i:], by)
			article(&b, say)
			list = append(list, done{b.Len(), b.Len() + len(say), by})
			b.WriteString(say)
			i += n
			continue
		}
		b.WriteRune(r)
		i += size
	}
	return b.String(), list
}

// swapAt finds the term that begins at i, and its length in text; 0 when none does.
func (a acts) swapAt(text string, i int) (swap, int) {
	if before, _ := utf8.DecodeLastRuneInString(text[:i]); i > 0 && partOfWord(before) {
		return swap{}, 0
	}
	for _, s := range a.swaps {
		n := prefix(text[i:], s.avoid)
		if n == 0 {
			continue
		}
		if after, _ := utf8.DecodeRuneInString(text[i+n:]); i+n == len(text) || !partOfWord(after) {
			return s, n
		}
	}
	return swap{}, 0
}

func partOfWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_'
}

// prefix is the length of the run of text that begins it and equals term, letter case and the form of apostrophes
// aside; 0 for none.
func prefix(text, term string) int {
	n := 0
	for _, want := range term {
		have, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || plainRune(have) != plainRune(want) {
			return 0
		}
		n += size
	}
	return n
}

func plainRune(r rune) rune {
	switch {
	case r == '’' || r == '‘':
		return '\''
	case unicode.IsSpace(r):
		return ' '
	}
	return unicode.ToLower(r)
}

// asIn is the term to say with the case of the first letter that text has.
func asIn(text string, by swap) string {
	have, _ := utf8.DecodeRuneInString(text)
	given, _ := utf8.DecodeRuneInString(by.avoid)
	switch {
	case unicode.IsUpper(have) && !unicode.IsUpper(given):
		return pack.Upper(by.say)
	case unicode.IsLower(have) && unicode.IsUpper(given):
		return pack.Lower(by.say)
	}
	return by.say
}

// article mends the "a" or "an" at the end of b for the word that follows.
func article(b *strings.Builder, say string) {
	text := b.String()
	at := strings.LastIndexAny(strings.TrimSuffix(text, " "), " \n(") + 1
	first := strings.ToLower(say[:min(1, len(say))])
	mended := ""
	switch word := text[at:]; {
	case (word == "an " || word == "An ") && strings.Contains("bcdfgjklmnpqrstvwyz", first) &&
		say != strings.ToUpper(say):
		mended = word[:1] + " "
	case (word == "a " || word == "A ") && strings.Contains("aeio", first) &&
		!strings.HasPrefix(strings.ToLower(say), "one"):
		mended = word[:1] + "n "
	default:
		return
	}
	b.Reset()
	b.WriteString(text[:at] + mended)
}
