package transfer

import (
	"maps"
	"slices"
	"strings"

	"preceptor/internal/dataset"
)

// Mapping says which field of the file is which part of an item; "" is none. Customer may be a field that holds a JSON
// object, or a prefix such as "customer." of several fields.
type Mapping struct {
	ID        string `json:"id,omitempty"`
	Group     string `json:"group,omitempty"`
	Customer  string `json:"customer,omitempty"`
	Question  string `json:"question,omitempty"`
	Messages  string `json:"messages,omitempty"` // a list of what was said, or one as text
	Guidance  string `json:"guidance,omitempty"`
	Label     string `json:"label,omitempty"`
	Boundary  string `json:"boundary,omitempty"`
	Codes     string `json:"codes,omitempty"` // issue codes, with or without spans
	Rationale string `json:"rationale,omitempty"`
	Notes     string `json:"notes,omitempty"`
	Rater     string `json:"rater,omitempty"`
	// Labels says which label of the set a label of the file is.
	Labels map[string]string `json:"labels,omitempty"`
	// Guess has what is empty guessed, too.
	Guess bool `json:"-"`
}

// or fills what is empty with a guess, if that is wanted.
func (m Mapping) or(g Mapping) Mapping {
	if !m.Guess {
		return m
	}
	theirs := g.parts()
	for part, into := range m.parts() {
		if *into == "" {
			*into = *theirs[part]
		}
	}
	return m
}

// names are what fields are usually called, the best first.
var names = map[string][]string{
	"id":        {"external_id", "id", "uid", "uuid", "item_id", "record_id", "inner_id", "row_id"},
	"group":     {"group", "group_key", "group_id", "family", "template", "customer_id", "thread"},
	"customer":  {"customer", "profile", "persona", "customer."},
	"question":  {"question", "query", "prompt", "instruction", "input", "user", "customer_question"},
	"messages":  {"messages", "conversation", "history", "turns"},
	"guidance":  {"guidance", "text", "response", "answer", "output", "completion", "draft", "content", "generation"},
	"label":     {"label", "gold_label", "gold", "verdict", "expected", "sentiment", "class", "category", "choice"},
	"boundary":  {"boundary", "boundary_class", "classification"},
	"codes":     {"issues", "codes", "issue_codes", "tags"},
	"rationale": {"rationale", "reason", "reasoning", "explanation", "why"},
	"notes":     {"notes", "note", "comment", "comments"},
	"rater":     {"rater", "annotator", "labeller", "labeler", "completed_by", "annotated_by"},
}

// guess finds the fields by their names.
func guess(known []string) (m Mapping) {
	lower := map[string]string{}
	for _, f := range known {
		k := strings.ToLower(strings.NewReplacer(" ", "_", "-", "_").Replace(f))
		if _, ok := lower[k]; !ok {
			lower[k] = f
		}
	}
	for part, into := range m.parts() {
		for _, n := range names[part] {
			if f, ok := lower[n]; ok {
				*into = f
				break
			}
			if strings.HasSuffix(n, ".") && slices.ContainsFunc(known, func(f string) bool {
				return strings.HasPrefix(f, n)
			}) {
				*into = n
				break
			}
		}
	}
	return m
}

// guessRows is guess; a field of another name is the label if its values are labels of the set, as in Label Studio's
// JSON_MIN. None is where people annotated: what else is a label there, they were shown. Our own JSON Lines leave out
// what is empty, so the first rows don't tell all of their fields.
func guessRows(columns []string, rows []row, set *dataset.Settings) Mapping {
	known := fieldsOf(columns, rows)
	if slices.Contains(known, "hash") && slices.Contains(known, "state") && slices.Contains(known, "source") {
		known = append(known, csvColumns...)
	}
	m := guess(known)
	for _, name := range known {
		labels, others := 0, 0
		for _, r := range rows {
			if w, err := r.fields[name].word(); err == nil && slices.Contains(set.Labels, word(w, set.Labels, nil)) {
				labels++
			} else if w != "" {
				others++
			}
		}
		if m.Label == "" && labels > 0 && others == 0 {
			m.Label = name
		}
	}
	if slices.ContainsFunc(rows, func(r row) bool { return r.judge != nil }) {
		m.Label = ""
	}
	return m
}

func (m *Mapping) parts() map[string]*string {
	return map[string]*string{"id": &m.ID, "group": &m.Group, "customer": &m.Customer, "question": &m.Question,
		"messages": &m.Messages,
		"guidance": &m.Guidance, "label": &m.Label,
		"boundary": &m.Boundary, "codes": &m.Codes, "rationale": &m.Rationale, "notes": &m.Notes, "rater": &m.Rater}
}

// has reports whether a field of the file is read.
func (m *Mapping) has(name string) bool {
	for _, into := range m.parts() {
		if *into == name || strings.HasSuffix(*into, ".") && strings.HasPrefix(name, *into) {
			return true
		}
	}
	return false
}

// Used are the fields of the file that are read, each with the part of an item that it is where the names differ.
func (m *Mapping) Used() (list []string) {
	for part, into := range m.parts() {
		switch *into {
		case "":
		case part:
			list = append(list, part)
		default:
			list = append(list, *into+" as "+part)
		}
	}
	slices.Sort(list)
	return list
}

// fieldsOf are the names of a file's columns and of the fields of some rows.
func fieldsOf(columns []string, rows []row) []string {
	all := map[string]bool{}
	for _, c := range columns {
		all[c] = true
	}
	for _, r := range rows {
		for k := range r.fields {
			all[k] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// synonyms are how people write the labels of the guidance line.
var synonyms = map[string]string{
	"COMPLIANT": "COMPLIANT_GUIDANCE", "GUIDANCE": "COMPLIANT_GUIDANCE", "PASS": "COMPLIANT_GUIDANCE",
	"PASSED":       "COMPLIANT_GUIDANCE",
	"NONCOMPLIANT": "NON_COMPLIANT", "ADVICE": "NON_COMPLIANT", "FAIL": "NON_COMPLIANT", "FAILED": "NON_COMPLIANT",
	"BREACH": "NON_COMPLIANT",
}

// word finds what a word of the file is among the words of the set; as it stands when it is none of them.
func word(w string, of []string, also map[string]string) string {
	w = strings.TrimSpace(w)
	if to, ok := also[w]; ok {
		return to
	}
	if slices.Contains(of, w) {
		return w
	}
	k := strings.ToUpper(strings.NewReplacer(" ", "_", "-", "_").Replace(w))
	for _, o := range of {
		if strings.ToUpper(o) == k {
			return o
		}
	}
	if s := synonyms[k]; s != "" && slices.Contains(of, s) {
		return s
	}
	return w
}

func (m *Mapping) label(w string, set *dataset.Settings) string { return word(w, set.Labels, m.Labels) }

func codeWord(set *dataset.Settings) func(string) string {
	return func(w string) string { return word(w, set.Codes, nil) }
}
