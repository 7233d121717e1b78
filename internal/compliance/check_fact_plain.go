package compliance

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// shorts are the short forms that the rules on facts read in full, so that each rule needs one spelling only.
var shorts = strings.NewReplacer("won't", "will not", "can't", "can not", "cannot", "can not", "n't", " not", "'ve", " have", "'re", " are", "'ll", " will", "'d ", " would ",
	"it's", "it is", "that's", "that is", "there's", "there is", "what's", "what is", "who's", "who is", "-", " ", "\u2011", " ", "\u2013", " ", "\u2014", " ", "\u00a0", " ", "\u202f%", "%", "\u202f", " ", "\n", " ",
	" per cent", "%", " percent", "%", " %", "%")

// hasShorts tells whether a sentence may hold something that shorts replaces; most hold nothing, and looking is quicker.
func hasShorts(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'' || c == '-' || c == '\n' || c == '%':
			return true
		case c >= utf8.RuneSelf && !strings.HasPrefix(s[i:], "£") && (c == 0xC2 || c == 0xE2):
			return true
		}
	}
	return strings.Contains(s, "cannot") || strings.Contains(s, "per cent") || strings.Contains(s, "percent")
}

// plainly is a sentence in lower case as the rules on facts read it: short forms in full, no hyphens, and every number in digits
// without commas: "ten thousand pounds" and "£10k" are "£10000", "twelve months" is "12 months", "forty per cent" "40%".
func plainly(low string) string {
	s := low
	if hasShorts(low) {
		s = shorts.Replace(low)
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	var run numberRun
	for len(s) > 0 {
		end := strings.IndexByte(s, ' ')
		if end < 0 {
			end = len(s)
		}
		word := s[:end]
		s = s[min(end+1, len(s)):]
		if word == "" {
			continue
		}
		run.add(&b, word, s)
	}
	run.flush(&b, "")
	return strings.TrimSuffix(b.String(), " ")
}

// numberRun collects the words of one number.
type numberRun struct {
	on, pounds bool
	written    bool // in digits, which takes no words but a scale
	sum, part  float64
}

// flush writes the number, if there is one, with the marks that stand behind it.
func (n *numberRun) flush(b *strings.Builder, tail string) {
	if !n.on {
		return
	}
	if n.pounds {
		b.WriteString("£")
	}
	b.WriteString(trimNumber(n.sum + n.part))
	b.WriteString(tail)
	b.WriteByte(' ')
	*n = numberRun{}
}

// add takes the next word; rest is what follows it.
func (n *numberRun) add(b *strings.Builder, word, rest string) {
	if word[0] == '(' && len(word) > 1 {
		n.flush(b, "")
		b.WriteByte('(')
		word = word[1:]
	}
	bare := word
	if c := word[len(word)-1]; c < 'a' || c > 'z' {
		bare = strings.TrimRight(word, ".,;:!?)\"%")
	}
	tail := word[len(bare):]
	v, kind := numberWord(bare, rest)
	switch {
	case kind == scale && n.on:
		n.scaleBy(v)
	case kind == noNumber || kind == scale:
		n.word(b, word, bare, rest)
		return
	default:
		if n.on && (n.written || kind == digits || n.part != 0 && n.part < 100 && (n.part < 20 || v >= 10)) {
			n.flush(b, "")
		}
		n.on, n.written, n.part = true, kind == digits, n.part+v
		n.pounds = n.pounds || strings.Contains(bare, "£")
	}
	if tail != "" {
		n.flush(b, tail)
	}
}

// word takes a word that is no number: it ends the one before it, and may name its unit.
func (n *numberRun) word(b *strings.Builder, word, bare, rest string) {
	if n.on && bare == "and" && n.part >= 100 && isSmall(rest) {
		return // two hundred and fifty
	}
	if n.on && (bare == "pounds" || bare == "quid") {
		n.pounds = true
		n.flush(b, word[len(bare):])
		return
	}
	n.flush(b, "")
	b.WriteString(word)
	b.WriteByte(' ')
}

func (n *numberRun) scaleBy(v float64) {
	if v == 100 {
		n.part *= 100
		return
	}
	n.sum, n.part = n.sum+n.part*v, 0
}

func isSmall(rest string) bool {
	word, _, _ := strings.Cut(rest, " ")
	_, kind := numberWord(strings.TrimRight(word, ".,;:"), "")
	return kind == small
}

type wordKind int

const (
	noNumber wordKind = iota
	small
	digits
	scale
)

// numberWord is what a word counts. "One" counts only before a unit of time and a share, as it is a pronoun elsewhere.
func numberWord(w, rest string) (float64, wordKind) {
	if w == "" || len(w) > 14 {
		return 0, noNumber
	}
	if c := w[0]; c >= '0' && c <= '9' || strings.HasPrefix(w, "£") {
		return digitsWord(w)
	}
	if strings.IndexByte("efhmnost", w[0]) < 0 {
		return 0, noNumber // no word for a number begins so
	}
	switch w {
	case "hundred":
		return 100, scale
	case "thousand":
		return 1000, scale
	case "million":
		return 1e6, scale
	case "one":
		if strings.HasPrefix(rest, "month") || strings.HasPrefix(rest, "year") || strings.HasPrefix(rest, "week") || strings.HasPrefix(rest, "tax year") || strings.HasPrefix(rest, "qualifying") {
			return 1, small
		}
		return 0, noNumber
	}
	if v, ok := numberWords[w]; ok {
		return v, small
	}
	return 0, noNumber
}

var numberWords = map[string]float64{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}

// digitsWord reads "£10,000", "10,000", "£1.5m" and "£30k"; other words with digits ("5th", "2026/27") are left alone.
func digitsWord(w string) (float64, wordKind) {
	n, by := strings.TrimPrefix(w, "£"), 1.0
	if len(n) < len(w) {
		switch {
		case strings.HasSuffix(n, "k"):
			n, by = n[:len(n)-1], 1e3
		case strings.HasSuffix(n, "m"):
			n, by = n[:len(n)-1], 1e6
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(n, ",", ""), 64)
	if err != nil || v > 1e12 {
		return 0, noNumber
	}
	return v * by, digits
}

// trimNumber spells a number without needless noughts.
func trimNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
