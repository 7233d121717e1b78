package advisor

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/knowledge"
)

var wordRE = regexp.MustCompile(`[\pL\pN]+`)

// named leaves out the cases of other things than the question names: "How wide is the Bergen?" isn't answered by the
// page of the Oslo, but may be by one on delivery, which names nothing.
func named(list []passage, r Request) []passage {
	names := namesIn(r.Recall.Cases)
	asked := wordsOf(r.Situation.Question)
	about := func(it knowledge.Item) (this, another bool) {
		if released(it) {
			return false, false // its heading is a question
		}
		for w := range wordsOf(it.Title + "\n" + it.Case.Page) {
			this, another = this || names[w] && asked[w], another || names[w] && !asked[w]
		}
		return this, another
	}
	if !slices.ContainsFunc(r.Recall.Cases, func(it knowledge.Item) bool {
		this, _ := about(it)
		return this
	}) {
		return list
	}
	return slices.DeleteFunc(list, func(p passage) bool {
		it := r.Recall.Cases[p.item]
		this, another := about(it)
		if this || !another {
			return false
		}
		for w := range wordsOf(it.Text) {
			if names[w] && asked[w] {
				return false // it speaks of it, too
			}
		}
		return true
	})
}

func wordsOf(s string) map[string]bool {
	words := map[string]bool{}
	for _, w := range wordRE.FindAllString(s, -1) {
		words[strings.ToLower(w)] = true
	}
	return words
}

// namesIn are the words, in small letters, that cases write with a capital or a digit wherever they stand, and not only
// where a sentence or a heading begins.
func namesIn(cases []knowledge.Item) map[string]bool {
	names := map[string]bool{}
	var never []string
	for _, it := range cases {
		for _, at := range wordRE.FindAllStringIndex(it.Text, -1) {
			w := it.Text[at[0]:at[1]]
			switch low := strings.ToLower(w); {
			case strings.IndexFunc(w, unicode.IsUpper) < 0 && strings.IndexFunc(w, unicode.IsDigit) < 0:
				never = append(never, low)
			case goesOn(it.Text[:at[0]]) && strings.IndexFunc(w, unicode.IsLetter) >= 0:
				names[low] = true
			}
		}
	}
	for _, w := range never {
		delete(names, w)
	}
	return names
}

// goesOn reports whether what follows a text belongs to a sentence that has begun.
func goesOn(before string) bool {
	before, spaced := strings.CutSuffix(before, " ")
	r, _ := utf8.DecodeLastRuneInString(before)
	return spaced && (r == ',' || unicode.IsLetter(r) || unicode.IsDigit(r))
}
