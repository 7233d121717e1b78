package teach

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	domain "preceptor/internal/pack"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
	"preceptor/views/statement"
)

// Read reads the form in which somebody states what should change. Rows keep their order; numbers may be left out.
func Read(form url.Values) (f statement.Form) {
	for _, at := range numbered(form, "teach.", statement.MaxRows) {
		r := statement.Row{On: form.Get(at+"on") != "", From: line(form.Get(at + "from")), Act: readAct(form, at)}
		if r.Act.Kind != "" {
			f.Rows = append(f.Rows, r)
		}
	}
	for _, at := range numbered(form, "when.", statement.MaxWhen+3) {
		w := statement.When{On: form.Get(at+"on") != "", Typed: form.Get(at+"typed") != "",
			Condition: readCondition(form, at)}
		if len(w.Condition.Values) > 0 || w.Condition.Op == rule.Known && w.Condition.Name != "" {
			f.When = append(f.When, w)
		}
	}
	f.When = f.When[:min(len(f.When), statement.MaxWhen)]
	f.Because, f.Only = line(form.Get("because")), form.Get("only_customer") != ""
	return f
}

// numbered are the prefixes of fields as "teach.3.", in the order of their numbers.
func numbered(form url.Values, prefix string, most int) (out []string) {
	seen := map[int]bool{}
	for name := range form {
		rest, ok := strings.CutPrefix(name, prefix)
		n, _, dot := strings.Cut(rest, ".")
		if i, err := strconv.Atoi(n); ok && dot && err == nil && i >= 0 && n == strconv.Itoa(i) {
			seen[i] = true
		}
	}
	list := slices.Sorted(maps.Keys(seen))
	for _, i := range list[:min(len(list), most)] {
		out = append(out, prefix+strconv.Itoa(i)+".")
	}
	return out
}

func readAct(form url.Values, at string) rule.Act {
	a := rule.Act{Kind: form.Get(at + "kind")}
	text := plain(form.Get(at + "text"))
	switch a.Kind {
	case rule.Include:
		a.Text, a.Place = text, form.Get(at+"place")
		if a.Place != rule.AtStart && a.Place != rule.AtEnd {
			a.Place = rule.AtTopic
		}
	case rule.Ask, rule.Point, rule.Other:
		a.Text = text
	case rule.Never:
		a.Phrases = splitLines(text, "\n")
	case rule.Replace:
		say, avoid := form[at+"say"], form[at+"avoid"]
		for i := range min(len(say), len(avoid), rule.MaxValues+1) {
			if w := (rule.Swap{Say: line(say[i]), Avoid: line(avoid[i])}); w != (rule.Swap{}) {
				a.Swaps = append(a.Swaps, w)
			}
		}
		if len(a.Swaps) == 0 && text != "" { // its kind was changed
			a.Swaps = []rule.Swap{{Say: line(text)}}
		}
	default:
		a.Kind = ""
	}
	if a.Kind != rule.Replace && text == "" && len(form[at+"say"]) > 0 { // its kind was changed
		said := line(form.Get(at + "say"))
		if a.Text = said; a.Kind == rule.Never {
			a.Text, a.Phrases = "", splitLines(form.Get(at+"avoid"), "\n")
		}
	}
	return a
}

func readCondition(form url.Values, at string) rule.Condition {
	c := rule.Condition{Kind: form.Get(at + "kind"), Of: form.Get(at + "of")}
	for _, v := range form[at+"value"] {
		c.Values = append(c.Values, splitLines(v, "\n")...)
	}
	typed := plain(form.Get(at + "values"))
	switch c.Kind {
	case rule.Field:
		c.Name = line(form.Get(at + "name"))
		c.Values = append(c.Values, splitLines(typed, ";\n")...)
	case rule.Topic, rule.Mentions, rule.Like, rule.Scope:
		c.Values = append(c.Values, splitLines(typed, "\n")...)
	default:
		return rule.Condition{}
	}
	c = statement.SetHow(c, line(form.Get(at+"how")))
	if c.Kind == rule.Field && c.Op == rule.Known {
		c.Values = nil
	}
	return c
}

// InValues puts conditions on fields into the values that profiles have: a label stands for its value, a bound may be
// written as an amount.
func InValues(f *statement.Form, p *domain.Pack) {
	for i := range f.When {
		c := &f.When[i].Condition
		if c.Kind != rule.Field {
			continue
		}
		field, _ := p.Field(c.Name)
		for k, v := range c.Values {
			if c.Op == rule.Below || c.Op == rule.Above {
				c.Values[k] = strings.NewReplacer(",", "", "£", "", " ", "").Replace(v)
			}
			if at := slices.IndexFunc(field.Values, func(have domain.Value) bool {
				return strings.EqualFold(have.Label, v)
			}); at >= 0 {
				c.Values[k] = field.Values[at].Value
			}
		}
	}
}

// plain is a text as people meant it: Unix line ends, no marks of a broken encoding.
func plain(s string) string {
	return text.Typed(s)
}

// line is a text in one line.
func line(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}

// splitLines splits at any of the separators and leaves out what is blank.
func splitLines(s, separators string) (out []string) {
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if part = line(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// Keep is a form as it is kept with what somebody typed; "" when there is nothing to keep.
func Keep(f statement.Form) string {
	if f.Empty() {
		return ""
	}
	b, err := json.Marshal(f)
	if err != nil {
		return "" // strings and booleans only
	}
	return string(b)
}

// Kept is the way back, and reads what a decision states as well.
func Kept(s string) (f statement.Form, ok bool) {
	var kept struct {
		statement.Form
		Statements   []rule.Statement `json:"statements"`
		OnlyCustomer bool             `json:"only_customer"`
	}
	if s == "" || json.Unmarshal([]byte(s), &kept) != nil {
		return f, false
	}
	f = kept.Form
	f.Only = f.Only || kept.OnlyCustomer
	f.Settled = len(kept.Statements) > 0
	for i, st := range kept.Statements {
		if i == 0 {
			f.When, f.Because = statement.Of(st, nil).When, st.Because
		}
		f.Rows = append(f.Rows, statement.Row{Act: st.Do, On: true})
	}
	return f, true
}

// StatedBy is what a decision states, as a form that was put aside keeps it.
func StatedBy(list []rule.Statement, only bool) string {
	if len(list) == 0 && !only {
		return ""
	}
	b, err := json.Marshal(map[string]any{"statements": list, "only_customer": only})
	if err != nil {
		return "" // strings and booleans only
	}
	return string(b)
}
