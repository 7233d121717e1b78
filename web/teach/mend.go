package teach

import (
	"slices"
	"strings"

	"preceptor/internal/learning"
	domain "preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	"preceptor/views/statement"
)

// Suggested are the acts that the difference of two texts suggests.
func Suggested(before, after string) (out []rule.Act) {
	for _, s := range rule.Suggest(Unix(before), Unix(after)) {
		out = append(out, s.Act)
	}
	return out
}

// particulars are the words of a text that belong to one customer, each once.
func particulars(text string, s domain.Situation, known []string) (out []string) {
	for _, span := range learning.Particulars(text, s, known) {
		if w := line(span.In(text)); w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// Mend holds what is ticked against what a statement needs, and says beside each row what is wrong. known are names of
// this customer beyond the situation; vet is the base's gate. Nil when nothing is.
func Mend(f *statement.Form, s domain.Situation, known []string, vet func(rule.Statement) error) error {
	if len(f.Statements()) == 0 {
		return nil
	}
	Note(f, s, known)
	when := f.Conditions()
	for i := range f.Rows {
		r := &f.Rows[i]
		if !r.On {
			continue
		}
		st := rule.Statement{When: when, Do: r.Act, Because: f.Because}.Tidy()
		wrong := fault.Fields(st.Check())
		if len(wrong) == 0 && len(r.Words) == 0 {
			err := vet(st)
			if err != nil && !fault.Is(err, fault.Invalid) {
				return err
			}
			wrong = fault.Fields(err)
		}
		for _, w := range wrong {
			switch w.Name {
			case "when":
				f.WrongWhen = w.Msg
			case "because":
				f.WrongBecause = w.Msg
			default:
				r.Wrong = strings.TrimSpace(r.Wrong + " " + w.Msg)
			}
		}
		r.Wrong = general(r.Wrong, r.Words)
	}
	f.WrongBecause = general(f.WrongBecause, particulars(f.Because, s, known))
	for i := range f.When {
		w := &f.When[i]
		if c := w.Condition; w.On && (c.Kind == rule.Mentions || c.Kind == rule.Like &&
			slices.ContainsFunc(when, func(o rule.Condition) bool { return o.Kind == rule.Like })) {
			w.Wrong = general("", particulars(strings.Join(c.Values, "\n"), s, known))
		}
	}
	if f.Wrong() {
		return fault.Wrong("What should change next time can't be saved yet. "+f.Said(), "statements",
			"See the rows that are marked.")
	}
	return nil
}

// general is what is wrong with a text, and that it has words of one customer.
func general(wrong string, words []string) string {
	if len(words) == 0 {
		return wrong
	}
	return strings.TrimSpace(wrong + " Make general or remove: “" + strings.Join(words, "”, “") + "”.")
}

// Compared adds what the difference of two texts suggests. What it says of this customer is offered and not ticked: it
// is no lesson for others, and would hold up the answer.
func Compared(f statement.Form, s domain.Situation, known []string, suggested []rule.Act) statement.Form {
	was := map[string]bool{}
	for _, r := range f.Rows {
		was[r.From], was[statement.Mark(r.Act)] = true, true
	}
	f = f.Compared(suggested)
	for i := range f.Rows {
		if r := &f.Rows[i]; r.From != "" && !was[r.From] && len(particulars(actWords(r.Act), s, known)) > 0 {
			r.On = false
		}
	}
	return f
}

// Note names in each row the words that belong to this customer.
func Note(f *statement.Form, s domain.Situation, known []string) {
	for i := range f.Rows {
		if r := &f.Rows[i]; r.On {
			r.Words = particulars(actWords(r.Act), s, known)
		}
	}
}

// actWords is everything that an act says, what is never to be said included: it goes to others, too.
func actWords(a rule.Act) string {
	parts := append(a.Texts(), a.Phrases...)
	for _, w := range a.Swaps {
		parts = append(parts, w.Avoid)
	}
	return strings.Join(parts, "\n")
}
