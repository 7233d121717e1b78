package transfer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"preceptor/internal/dataset"
)

// result is one entry of a Label Studio annotation (https://labelstud.io/guide/export: "result").
type result struct {
	From  string `json:"from_name"`
	Type  string `json:"type"`
	Value struct {
		Choices  []string   `json:"choices"`
		Labels   []string   `json:"labels"`
		Start    *float64   `json:"start"` // UTF-16 code units of the text, as browsers count
		End      *float64   `json:"end"`
		Text     any        `json:"text"` // of a span, what it covers; of a text area, a list of lines
		Taxonomy [][]string `json:"taxonomy"`
	} `json:"value"`
}

// annotation is one person's work on a Label Studio task.
type annotation struct {
	CompletedBy json.RawMessage `json:"completed_by"` // a number, or an object with a name
	Result      []result        `json:"result"`
	Cancelled   bool            `json:"was_cancelled"`
	Truth       bool            `json:"ground_truth"`
	LeadTime    float64         `json:"lead_time"` // seconds
	CreatedAt   string          `json:"created_at"`
}

// around notes what stands around the row's own fields: what is read with its labels, and what isn't read.
func (r *row) around(f fields, labels string, read ...string) {
	for name, v := range f {
		switch content := v.text + string(v.json); {
		case slices.Contains(read, name), content == "", content == "[]", content == "{}":
		case name == labels:
			r.beside = name
		default:
			r.left = append(r.left, name)
		}
	}
	slices.Sort(r.left)
}

// task reads a Label Studio task: its data become the row's fields, its annotations labels.
func (r *row) task(f fields) error {
	data, err := object(f["data"].json)
	if err != nil {
		return errors.New("the task's data are no object")
	}
	if _, ok := data["id"]; !ok && f["id"].text != "" {
		data["id"] = f["id"]
	}
	r.fields = data
	theirs := "annotations"
	if f[theirs].json == nil && f["completions"].json != nil {
		theirs = "completions"
	}
	r.around(f, theirs, "data", "id")
	raw := f[theirs].json
	if raw == nil && f[theirs].text == "" {
		return nil // nobody has labelled it
	}
	var list []annotation
	if err := json.Unmarshal(raw, &list); err != nil {
		return errors.New("the task's annotations can't be read")
	}
	r.judge = func(r *row, m *Mapping, set *dataset.Settings) { r.annotated(list, m, set) }
	return nil
}

func (r *row) annotated(list []annotation, m *Mapping, set *dataset.Settings) {
	cancelled, empty := 0, 0
	for _, a := range list {
		if a.Cancelled {
			cancelled++
			continue
		}
		l := dataset.ExternalLabel{Rater: rater(a.CompletedBy), SpentMs: int64(min(max(a.LeadTime, 0), 1e6) * 1000)}
		l.At, _ = time.Parse(time.RFC3339Nano, a.CreatedAt)
		for _, res := range a.Result {
			r.wrong = cmp.Or(r.wrong, res.into(&l.Answer, r.fields[m.Guidance].text, m, set))
		}
		if l.Answer.Label == "" {
			empty++
			continue
		}
		if a.Truth && r.truth == nil {
			truth := l.Answer
			r.truth = &truth
		}
		r.labels = append(r.labels, l)
	}
	r.leftOut(cancelled, "annotations", "cancelled")
	r.leftOut(empty, "annotations", "without a label")
	r.agree()
}

func (r *row) leftOut(n int, what, why string) {
	if n > 0 {
		r.noted = append(r.noted, fmt.Sprintf("%s left out because they are %s: %d", what, why, n))
	}
}

// agree keeps the newest answer of each annotator, and finds the one that all share when none is marked as true.
func (r *row) agree() {
	slices.Reverse(r.labels) // without times the last is the newest
	slices.SortStableFunc(r.labels, func(a, b dataset.ExternalLabel) int { return b.At.Compare(a.At) })
	seen := map[string]bool{}
	r.labels = slices.DeleteFunc(r.labels, func(l dataset.ExternalLabel) bool {
		again := l.Rater != "" && seen[l.Rater]
		if seen[l.Rater] = true; again {
			r.noted = append(r.noted, l.Rater+" annotated it more than once; the newest answer counts")
		}
		return again
	})
	if r.truth != nil || len(r.labels) == 0 {
		return
	}
	for _, l := range r.labels[1:] {
		if l.Answer.Label != r.labels[0].Answer.Label {
			r.split = true
			return
		}
	}
	truth := r.labels[0].Answer
	r.truth = &truth
}

// into adds what a result says to an answer: a choice is a label, a boundary class or a code, by which of them knows
// the word. A second label is an error, for a person.
func (res *result) into(a *dataset.Answer, text string, m *Mapping, set *dataset.Settings) (err error) {
	words := res.Value.Choices
	for _, path := range res.Value.Taxonomy {
		words = append(words, path...)
	}
	ours := false // the label is of this result
	for i, w := range words {
		l, b, c := m.label(w, set), word(w, set.Boundaries, nil), word(w, set.Codes, nil)
		switch label := slices.Contains(set.Labels, l); {
		case label && (a.Label == "" || !ours && !slices.Contains(set.Labels, a.Label)):
			a.Label, ours = l, true
		case label && a.Label != l:
			err = several([]string{a.Label, l})
		case label:
		case a.Boundary == "" && slices.Contains(set.Boundaries, b):
			a.Boundary = b
		case slices.Contains(set.Codes, c):
			a.Issues = append(a.Issues, dataset.Issue{Code: c})
		case a.Label == "":
			a.Label, ours = w, true // the set does not have it, which the row will say
		case ours && i < len(res.Value.Choices):
			err = several(words)
		}
	}
	if res.Value.Start != nil && res.Value.End != nil {
		covered, _ := res.Value.Text.(string)
		start, end := span(text, int(*res.Value.Start), int(*res.Value.End), covered)
		for _, w := range res.Value.Labels {
			a.Issues = append(a.Issues, dataset.Issue{Code: word(w, set.Codes, nil), Start: start, End: end})
		}
		return err
	}
	if res.Type == "textarea" {
		var lines []string
		switch t := res.Value.Text.(type) {
		case string:
			lines = append(lines, t)
		case []any:
			for _, x := range t {
				lines = append(lines, fmt.Sprint(x))
			}
		}
		a.Rationale = strings.TrimSpace(a.Rationale + "\n" + strings.Join(lines, "\n"))
	}
	return err
}

// span turns offsets into code points. Browsers count UTF-16 units, Python code points; where the two differ, the text
// that the span says it covers decides.
func span(text string, start, end int, covered string) (int, int) {
	if covered != "" {
		runes := []rune(text)
		if start >= 0 && start <= end && end <= len(runes) && string(runes[start:end]) == covered {
			return start, end
		}
	}
	units := utf16.Encode([]rune(text))
	if start < 0 || start > end || end > len(units) {
		return start, end // out of the text, which the row will say
	}
	points := func(n int) int { return utf8.RuneCountInString(string(utf16.Decode(units[:n]))) }
	return points(start), points(end)
}

// rater is the name of who annotated.
func rater(raw json.RawMessage) string {
	v := valueOf(raw)
	if v.json == nil {
		if v.text == "" {
			return ""
		}
		return "annotator " + v.text
	}
	var who struct {
		First string `json:"first_name"`
		Last  string `json:"last_name"`
		Email string `json:"email"`
		ID    int    `json:"id"`
	}
	_ = json.Unmarshal(v.json, &who) // what can't be read has no name
	if name := strings.TrimSpace(who.First + " " + who.Last); name != "" {
		return name
	}
	if who.Email != "" {
		return who.Email
	}
	return fmt.Sprintf("annotator %d", who.ID)
}

// response is one answer to one question of an Argilla record.
type response struct {
	Value  json.RawMessage `json:"value"`
	UserID string          `json:"user_id"`
	Status string          `json:"status"`
}

func (x response) submitted() bool { return x.Status != "discarded" && x.Status != "draft" }

// responses are those of a record, by question or by person.
type responses struct {
	byQuestion map[string][]response
	byPerson   []struct {
		UserID string              `json:"user_id"`
		Status string              `json:"status"`
		Values map[string]response `json:"values"`
	}
}

// argilla reads an Argilla record: 2.x keeps responses by question, 1.x by person.
func (r *row) argilla(f fields) error {
	data, err := object(f["fields"].json)
	if err != nil {
		return errors.New("the record's fields are no object")
	}
	for _, k := range []string{"metadata"} {
		if more, err := object(f[k].json); err == nil {
			for name, v := range more {
				if _, ok := data[name]; !ok {
					data[name] = v
				}
			}
		}
	}
	if _, ok := data["id"]; !ok && f["id"].text != "" {
		data["id"] = f["id"]
	}
	r.fields = data
	r.around(f, "responses", "fields", "metadata", "id")
	raw := f["responses"].json
	if raw == nil {
		return nil
	}
	var all responses
	if json.Unmarshal(raw, &all.byQuestion) != nil && json.Unmarshal(raw, &all.byPerson) != nil {
		return errors.New("the record's responses can't be read")
	}
	r.judge = func(r *row, m *Mapping, set *dataset.Settings) { r.answered(all, m, set) }
	return nil
}

func (r *row) answered(all responses, m *Mapping, set *dataset.Settings) {
	answers, order := map[string]*dataset.Answer{}, []string(nil)
	of := func(user string) *dataset.Answer {
		if answers[user] == nil {
			answers[user] = &dataset.Answer{}
			order = append(order, user)
		}
		return answers[user]
	}
	out := map[string]int{}
	for _, q := range sorted(all.byQuestion) {
		for _, x := range r.newest(all.byQuestion[q]) {
			if !x.submitted() {
				out[x.Status]++
			} else {
				r.wrong = cmp.Or(r.wrong, argillaValue(of(x.UserID), x.Value, m, set))
			}
		}
	}
	for _, p := range all.byPerson {
		if x := (response{Status: p.Status}); !x.submitted() {
			out[p.Status]++
			continue
		}
		delete(answers, p.UserID) // the last answer is the newest
		if slices.Contains(order, p.UserID) {
			order = slices.DeleteFunc(order, func(u string) bool { return u == p.UserID })
			r.again(p.UserID)
		}
		for _, q := range sorted(p.Values) {
			r.wrong = cmp.Or(r.wrong, argillaValue(of(p.UserID), p.Values[q].Value, m, set))
		}
	}
	for _, status := range sorted(out) {
		r.leftOut(out[status], "responses", status)
	}
	for _, user := range order {
		if a := answers[user]; a.Label != "" {
			r.labels = append(r.labels, dataset.ExternalLabel{Rater: "annotator " + user, Answer: *a})
		}
	}
	r.agree()
}

// newest drops the answers of who answered the question again: the last submitted one counts.
func (r *row) newest(list []response) []response {
	last := map[string]int{}
	for i, x := range list {
		if x.UserID != "" && x.submitted() {
			if _, again := last[x.UserID]; again {
				r.again(x.UserID)
			}
			last[x.UserID] = i
		}
	}
	var out []response
	for i, x := range list {
		if at, ok := last[x.UserID]; !ok || at == i || !x.submitted() {
			out = append(out, x)
		}
	}
	return out
}

func (r *row) again(user string) {
	if note := "annotator " + user + " annotated it more than once; the newest answer counts"; !slices.Contains(r.noted,
		note) {
		r.noted = append(r.noted, note)
	}
}

func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// argillaValue adds one value to an answer: a word, a list of words, spans, or a text.
func argillaValue(a *dataset.Answer, raw json.RawMessage, m *Mapping, set *dataset.Settings) error {
	v := valueOf(raw)
	var res result
	if v.json == nil {
		if w := m.label(v.text, set); !slices.Contains(set.Labels, w) &&
			!slices.Contains(set.Boundaries, word(v.text, set.Boundaries, nil)) &&
			(strings.ContainsAny(v.text, " \n") || a.Label != "") {
			a.Rationale = strings.TrimSpace(a.Rationale + "\n" + v.text)
			return nil
		}
		res.Value.Choices = []string{v.text}
		return res.into(a, "", m, set)
	}
	if json.Unmarshal(v.json, &res.Value.Choices) == nil {
		return res.into(a, "", m, set)
	}
	if issues, err := v.issues(codeWord(set)); err == nil {
		a.Issues = append(a.Issues, issues...)
	}
	return nil
}
