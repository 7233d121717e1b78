package compliance

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Locate finds quoted words in a text as a reader sees both: invisible marks, kinds of blanks and of quotation marks,
// and where lines break make no difference, and neither do blanks at the ends of the quote. span is in code points of
// the text; ok is false when the words don't stand there, or when there are none.
func Locate(text, quote string) (span [2]int, ok bool) {
	hay, places := inOneLine(text)
	needle, _ := inOneLine(quote)
	needle = trimBlanks(needle)
	at := indexRunes(hay, needle)
	if len(needle) == 0 || at < 0 {
		return span, false
	}
	return [2]int{places[at], places[at+len(needle)-1] + 1}, true
}

// inOneLine is a text as its reader sees it, every run of blanks and line ends one blank. places leads back.
func inOneLine(text string) (out []rune, places []int) {
	seen, at := visible([]rune(strings.ToValidUTF8(text, "\uFFFD")))
	i := 0
	for _, r := range seen {
		if unicode.IsSpace(r) {
			r = ' '
		}
		if r != ' ' || len(out) == 0 || out[len(out)-1] != ' ' {
			out = append(out, r)
			places = append(places, at[i])
		}
		i++
	}
	return out, places
}

func trimBlanks(r []rune) []rune {
	for len(r) > 0 && r[0] == ' ' {
		r = r[1:]
	}
	for len(r) > 0 && r[len(r)-1] == ' ' {
		r = r[:len(r)-1]
	}
	return r
}

// indexRunes is strings.Index in code points; -1 when it is not there.
func indexRunes(hay, needle []rune) int {
	at := strings.Index(string(hay), string(needle))
	if at < 0 {
		return -1
	}
	return len([]rune(string(hay)[:at]))
}

// visible is a text without what is invisible (zero-width and direction marks, soft hyphens), with plain blanks for the
// others and straight quotation marks: what a quote and the text that it was cut from share, wherever it was cut.
// places says where each of its code points stands in the original, and at its end how long that is.
func visible(original []rune) (text string, places []int) {
	var b strings.Builder
	b.Grow(len(original) + len(original)/16)
	places = make([]int, 0, len(original)+1)
	for i, r := range original {
		switch {
		case r < utf8.RuneSelf:
		case unicode.Is(unicode.Cf, r):
			continue
		case unicode.Is(unicode.Zs, r):
			r = ' '
		case r == '\u2019' || r == '\u2018':
			r = '\''
		case r == '\u201c' || r == '\u201d':
			r = '"'
		}
		b.WriteRune(r)
		places = append(places, i)
	}
	return b.String(), append(places, len(original))
}
