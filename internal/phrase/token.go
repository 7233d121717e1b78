package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a word of a sentence as the lexicon reads it: in lower case, contractions undone ("you'd" is "you would"), a
// figure as "#", an amount ("£250", "250 pounds", "GBP 250", "Amount in £: 250") as "£#" and a share as "#%".
type Token struct {
	Text       string
	Start, End int   // bytes in the text that was read
	Word       *Word // once it was read
	ids        []int32
}

// contractions are undone by hand where the end alone does not tell.
var contractions = map[string][2]string{"can't": {"can", "not"}, "won't": {"will", "not"}, "shan't": {"shall", "not"},
	"cannot": {"can", "not"}, "let's": {"let", "us"},
	"it's": {"it", "is"}, "that's": {"that", "is"}, "there's": {"there", "is"}, "here's": {"here", "is"},
	"what's": {"what", "is"}, "who's": {"who", "is"}, "he's": {"he", "is"}, "she's": {"she", "is"},
	"where's": {"where", "is"}, "how's": {"how", "is"}}

// endings of contractions with what they stand for.
var endings = [...]struct{ end, word string }{{"n't", "not"}, {"'d", "would"}, {"'ll", "will"}, {"'re", "are"},
	{"'ve", "have"}, {"'m", "am"}}

// Tokens cuts a sentence into tokens. base is added to every place.
func Tokens(s string, base int) []Token {
	out := make([]Token, 0, len(s)/5+4)
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			i = figure(&out, s, i, i, "#", base)
		case unitBefore(s[i:]) > 0:
			i = figure(&out, s, i, i+unitBefore(s[i:]), "£#", base)
		case isLetter(c):
			i = letters(&out, s, i, base)
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
		}
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isLetter counts every byte of a letter beyond ASCII; £ and typographic marks begin with 0xC2 and 0xE2.
func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 && c != 0xC2 && c != 0xE2
}

// unitBefore is how many bytes a unit of money takes at the start of s that a figure follows, as "£", "GBP " or "£): ";
// 0 where there is none.
func unitBefore(s string) int {
	rest, ok := strings.CutPrefix(s, "£")
	if !ok {
		if len(s) < 4 || !strings.EqualFold(s[:3], "gbp") {
			return 0
		}
		rest = s[3:]
	}
	for _, mark := range []string{")", ":", " "} {
		rest = strings.TrimPrefix(rest, mark)
	}
	if rest == "" || !isDigit(rest[0]) {
		return 0
	}
	return len(s) - len(rest)
}

// word is the word after one space at the start of s, in lower case.
func word(s string) string {
	end := 1
	for end < len(s) && isLetter(s[end]) {
		end++
	}
	if w, ok := strings.CutPrefix(s[:min(end, len(s))], " "); ok {
		return lower(w)
	}
	return ""
}

func isUnit(w string) bool { return w == "pounds" || w == "gbp" }

func figure(out *[]Token, s string, start, i int, kind string, base int) int {
	for i < len(s) && (isDigit(s[i]) || (s[i] == ',' || s[i] == '.') && i+1 < len(s) && isDigit(s[i+1])) {
		i++
	}
	if i < len(s) && s[i] == '%' {
		i, kind = i+1, "#%"
	} else if strings.HasPrefix(s[i:], " %") {
		i, kind = i+2, "#%"
	}
	suffix := i
	for i < len(s) && isLetter(s[i]) { // 1st, 10k, 2x
		i++
	}
	if kind == "#%" {
		*out = append(*out, Token{Text: kind, Start: base + start, End: base + i})
		return i
	}
	end := i
	if word(s[i:]) == "million" {
		end += len(" million")
	}
	if w := word(s[end:]); isUnit(w) {
		kind, end = "£#", end+1+len(w)
	} else if isUnit(lower(s[suffix:i])) {
		kind = "£#"
	}
	if kind == "£#" {
		i = end
	}
	*out = append(*out, Token{Text: kind, Start: base + start, End: base + i})
	return i
}

func letters(out *[]Token, s string, start, base int) int {
	i := start
	for i < len(s) {
		n := 1
		if !isLetter(s[i]) {
			if n = apostrophe(s[i:]); n == 0 || i+n >= len(s) || !isLetter(s[i+n]) {
				break
			}
		}
		i += n
	}
	w := strings.ReplaceAll(lower(s[start:i]), "’", "'")
	add := func(t string) { *out = append(*out, Token{Text: t, Start: base + start, End: base + i}) }
	if strings.IndexByte(w, '\'') < 0 && w != "cannot" {
		add(w)
		return i
	}
	if two, ok := contractions[w]; ok {
		add(two[0])
		add(two[1])
		return i
	}
	for _, e := range endings {
		if head, ok := strings.CutSuffix(w, e.end); ok && head != "" {
			add(head)
			add(e.word)
			return i
		}
	}
	w, _, _ = strings.Cut(w, "'") // a possessive
	if w != "" {
		add(w)
	}
	return i
}

// apostrophe is how many bytes one takes at the start of s; 0 where there is none.
func apostrophe(s string) int {
	switch {
	case s[0] == '\'':
		return 1
	case strings.HasPrefix(s, "’"):
		return len("’")
	}
	return 0
}

func lower(w string) string {
	for i := 0; i < len(w); i++ {
		if c := w[i]; c >= 'A' && c <= 'Z' || c >= 0x80 {
			return strings.Map(unicode.ToLower, w)
		}
	}
	return w
}

// syllablesOf counts groups of vowels; a silent e at the end is none, and every word has one. A figure counts as one.
func syllablesOf(w string) int {
	n, in := 0, false
	for i := 0; i < len(w); i++ {
		vowel := false
		switch w[i] {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowel = true
		}
		if vowel && !in {
			n++
		}
		in = vowel
	}
	if len(w) > 3 && w[len(w)-1] == 'e' && w[len(w)-2] != 'l' && n > 1 {
		n--
	}
	if len(w) > 3 && w[len(w)-2:] == "ed" && w[len(w)-3] != 't' && w[len(w)-3] != 'd' && n > 1 {
		n--
	}
	return max(n, 1)
}
