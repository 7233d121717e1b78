package borderline

import (
	"fmt"
	"strings"
	"unicode"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/platform/fault"
)

// locate is where words stand in a text, in code points. Unlike compliance.Locate it forgives capitals: people and
// judges quote the beginning of a sentence in lower case.
func locate(text, words string) (start, end int, ok bool) {
	span, ok := compliance.Locate(text, words)
	if !ok {
		span, ok = compliance.Locate(lower(text), lower(words))
	}
	return span[0], span[1], ok
}

// lower keeps the number of code points, which strings.ToLower does not.
func lower(s string) string { return strings.Map(unicode.ToLower, s) }

const notThere = "These words are not in the text. Copy them from it."

// place checks marks against the text, and finds the words of those that have no place. The names of wrong fields are
// mark_quote and mark_code with the mark's number, from 0.
func place(text string, marks []Mark, known rubric.Taxonomy) ([]Mark, []fault.Field) {
	var wrong []fault.Field
	bad := func(i int, field, msg string) {
		wrong = append(wrong, fault.Field{Name: fmt.Sprintf("mark_%s_%d", field, i), Msg: msg})
	}
	out := make([]Mark, 0, len(marks))
	for i, m := range marks {
		m.Quote = strings.TrimSpace(m.Quote)
		if m.Code == "" && m.Quote == "" {
			continue
		}
		if len(out) == maxMarks {
			bad(i, "quote", fmt.Sprintf("At most %d marks. Keep the most important.", maxMarks))
			break
		}
		if _, ok := known.Find(m.Code); !ok {
			bad(i, "code", "Choose what is wrong with these words.")
			continue
		}
		if m.Quote == "" {
			out = append(out, Mark{Code: m.Code})
			continue
		}
		if m.End <= m.Start || slice(text, m.Start, m.End) != m.Quote {
			start, end, ok := locate(text, m.Quote)
			if !ok {
				bad(i, "quote", notThere)
				continue
			}
			m.Start, m.End = start, end
		}
		m.Quote = slice(text, m.Start, m.End)
		out = append(out, m)
	}
	return out, wrong
}

// markFault is what is wrong with a mark, said of the whole form.
func markFault(f fault.Field) string {
	switch {
	case strings.HasPrefix(f.Name, "mark_code_"):
		return "Choose an issue for the words you marked."
	case f.Msg == notThere:
		return "Some of the marked words can't be found in the text."
	}
	return f.Msg
}
