package advisor

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/text"
)

var wordRE = regexp.MustCompile(`[\pL\pN]+`)

// things tell which names the cases of a recall have, and which of them the question does.
type things struct{ names, asked map[string]bool }

func thingsOf(r Request) things {
	return things{namesIn(r.Recall.Cases), text.Set(text.Words(r.Situation.Question))}
}

// about reports whether a document's heading has a name of the question, or one that the question hasn't.
func (t things) about(it knowledge.Item) (this, another bool) {
	if released(it) {
		return false, false // its heading is a question
	}
	for w := range text.Set(text.Words(it.Title + "\n" + it.Case.Page)) {
		this, another = this || t.names[w] && t.asked[w], another || t.names[w] && !t.asked[w]
	}
	return this, another
}

// named leaves out the cases of other things than the question names: "How wide is the Bergen?" isn't answered by the
// page of the Oslo, but may be by one on delivery, which names nothing.
func named(list []passage, r Request) []passage {
	t := thingsOf(r)
	if !slices.ContainsFunc(r.Recall.Cases, func(it knowledge.Item) bool {
		this, _ := t.about(it)
		return this
	}) {
		return list
	}
	return slices.DeleteFunc(list, func(p passage) bool {
		it := r.Recall.Cases[p.item]
		this, another := t.about(it)
		if this || !another {
			return false
		}
		for w := range text.Set(text.Words(it.Text)) {
			if t.names[w] && t.asked[w] {
				return false // it speaks of it, too
			}
		}
		return true
	})
}

// tellOther tells the supervisor where the question names what nothing recalled does and the answer is of something
// else that has a name: the customer may ask about what no document knows.
func (c *composition) tellOther() {
	if c.pack.Concept {
		return // its headings are no products
	}
	t, known, q := thingsOf(c.r), map[string]bool{}, c.r.Situation.Question
	for _, it := range c.r.Recall.Cases {
		maps.Copy(known, text.Set(text.Words(it.Title+"\n"+it.Text)))
	}
	for _, it := range c.r.Recall.Cases {
		this, another := t.about(it)
		if !c.cited[it.ID] || this || !another {
			continue
		}
		for _, at := range wordRE.FindAllStringIndex(q, -1) {
			w := q[at[0]:at[1]]
			if len(w) > 1 && isName(w) && goesOn(q[:at[0]]) && !known[strings.ToLower(w)] {
				c.tell("The question names “%s”, which nothing in use does, and the answer is from “%s”. "+
					"Check that it holds.", w, c.sourceName(it))
				return
			}
		}
	}
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
