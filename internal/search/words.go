package search

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	forms "golang.org/x/text/unicode/norm"
)

// One word is found however it is written: 10,000 as 10000, Straße as Strasse, Łódź as lodz, and in a run of Chinese or
// Japanese, which has no spaces, any two signs that stand side by side. The tokenizer of FTS5 knows none of that, so
// what it would miss is indexed beside the text, and questions are cut by the same function.

// plainly are Latin letters that have no accent to take off.
var plainly = strings.NewReplacer("ł", "l", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "æ", "ae", "œ", "oe", "ı", "i",
	"ħ", "h")

// folded is a text in lower case, in one form of each sign, without accents on Latin letters.
func folded(s string) string {
	return plainly.Replace(accentless(forms.NFKC.String(cases.Fold().String(s))))
}

// accentless takes the accents off Latin letters, as the tokenizer does.
func accentless(s string) string {
	latin := false
	return forms.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			if latin {
				return -1
			}
			return r
		}
		latin = unicode.Is(unicode.Latin, r)
		return r
	}, forms.NFD.String(s)))
}

var (
	groupedRE = regexp.MustCompile(`\b\d{1,3}(?:[,'’\x{A0}\x{2009}\x{202F}]\d{3})+\b`)
	marks     = strings.NewReplacer(",", "", "'", "", "’", "", "\u00a0", "", "\u2009", "", "\u202f", "")
)

// unspaced reports whether a sign is of a script that puts no spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー'
}

// wordsOf are the words of a text, each as a question asks for it: a grouped number in one piece, and a run of Chinese
// or Japanese in pairs of signs. For the index there are the parts of a number too, and single signs.
func wordsOf(text string, index bool) (out []string) {
	whole := groupedRE.ReplaceAllStringFunc(text, marks.Replace)
	if index && whole != text {
		whole += " " + strings.Join(groupedRE.FindAllString(text, -1), " ")
	}
	for w := range strings.FieldsFuncSeq(folded(whole),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		signs := []rune(w)
		for from := 0; from < len(signs); {
			to := from
			for to < len(signs) && unspaced(signs[to]) == unspaced(signs[from]) {
				to++
			}
			run := signs[from:to]
			if from = to; !unspaced(run[0]) {
				out = append(out, string(run))
				continue
			}
			for i := range run {
				if index || len(run) == 1 {
					out = append(out, string(run[i]))
				}
				if i > 0 {
					out = append(out, string(run[i-1:i+1]))
				}
			}
		}
	}
	return out
}

// missed are the words of texts that FTS5 would not index as questions ask for them, each once.
func missed(texts ...string) string {
	var out []string
	for _, text := range texts {
		known := map[string]bool{}
		for w := range strings.FieldsFuncSeq(strings.ToLower(text),
			func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
			known[accentless(w)] = true
		}
		for _, w := range wordsOf(text, true) {
			if !known[w] && len(w) <= longestWord {
				known[w] = true
				out = append(out, w)
			}
		}
	}
	return strings.Join(out, " ")
}
