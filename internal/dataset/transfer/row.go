package transfer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/table"
)

// maxDepth bounds the nesting of a row's JSON.
const maxDepth = 64

// value is one field of a row: a text, or JSON that is something else.
type value struct {
	text  string // of a text, number, true or false; "" for null
	json  []byte // of an object or array
	plain bool   // from CSV, where a cell may hold JSON as text
	bare  bool   // a number, true or false in JSON
}

type fields map[string]value

// judge fills a row's labels, and what follows from them, in the set's words.
type judge func(r *row, m *Mapping, set *dataset.Settings)

// row is one row of a file, read.
type row struct {
	line   int
	fields fields
	judge  judge                   // of annotations or responses; nil without any
	labels []dataset.ExternalLabel // from annotations and responses
	truth  *dataset.Answer         // the one of them that is marked as true, or that all of them agree on
	split  bool                    // they don't agree, and none is marked
	noted  []string                // what was left out of the labels, for a person
	beside string                  // what the labels are read from, around the fields
	left   []string                // what is around them and not read
	nth    int                     // of an array's elements, from 1
	wrong  error                   // for a person: why its labels can't be taken
	err    error                   // for a person: why the row can't be taken
}

func valueOf(raw json.RawMessage) value {
	switch raw = bytes.TrimSpace(raw); {
	case len(raw) == 0 || string(raw) == "null":
		return value{}
	case raw[0] == '"':
		var s string
		_ = json.Unmarshal(raw, &s) // the row is valid JSON
		return value{text: s}
	case raw[0] == '{' || raw[0] == '[':
		return value{json: raw}
	}
	return value{text: string(raw), bare: true}
}

// object reads a JSON object into its fields.
func object(raw []byte) (fields, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil || m == nil {
		return nil, errors.New("it is not a JSON object")
	}
	f := make(fields, len(m))
	for k, v := range m {
		f[k] = valueOf(v)
	}
	return f, nil
}

// readJSON makes a row of a JSON value: of our own form, Label Studio's task, Argilla's record or Hugging Face's row.
func readJSON(c chunk) row {
	r := row{line: c.line, nth: c.nth, err: c.err}
	if r.err != nil {
		return r
	}
	raw := bytes.TrimPrefix(c.raw, []byte(byteOrder))
	if !utf8.Valid(raw) {
		r.err = errors.New("it is not valid UTF-8")
		return r
	}
	if err := strict.Check(raw, maxDepth); err != nil {
		r.err = fmt.Errorf("the row %w", err)
		return r
	}
	if half := strict.HalfCharacter(raw); half != "" {
		r.err = fmt.Errorf("it has half a character, %s", half)
		return r
	}
	if r.fields, r.err = object(raw); r.err != nil {
		return r
	}
	switch f := r.fields; {
	case f["row"].json != nil && f["row_idx"].text != "":
		r.around(f, "", "row", "row_idx")
		r.fields, r.err = object(f["row"].json)
	case f["data"].json != nil && f["data"].json[0] == '{' && guess(fieldsOf(nil, []row{r})).Guidance == "":
		r.err = r.task(f)
	case f["fields"].json != nil && f["fields"].json[0] == '{':
		r.err = r.argilla(f)
	}
	return r
}

// spellings are the names of a file's fields, by table.Fold, as they were first written. Rows may differ in case.
type spellings map[string]string

// mostSpellings bounds what is remembered of a file whose names are data.
const mostSpellings = 10_000

// fold gives a row the names that the rows before it have.
func (s spellings) fold(r row) row {
	f := make(fields, len(r.fields))
	for name, v := range r.fields {
		key := table.Fold(name)
		first, ok := s[key]
		if !ok && len(s) < mostSpellings {
			s[key] = name
		}
		if first = cmp.Or(first, name); r.err == nil && f.has(first) {
			r.err = fmt.Errorf("it has the field %.40q twice: the names differ in case alone", first)
		}
		f[first] = v
	}
	r.fields = f
	return r
}

func (f fields) has(name string) bool {
	_, ok := f[name]
	return ok
}

// word is a field's text; of {"choices": ["A"]}, also as the text of a cell, and ["A"] it is A, and of several an
// error.
func (v value) word() (string, error) {
	if strings.HasPrefix(v.text, `{"choices":`) {
		v.json = json.RawMessage(v.text)
	}
	if v.json == nil {
		return strings.TrimSpace(v.text), nil
	}
	var one struct {
		Choices []string        `json:"choices"`
		Value   json.RawMessage `json:"value"`
		Label   string          `json:"label"`
	}
	var list []string
	if json.Unmarshal(v.json, &list) != nil {
		if json.Unmarshal(v.json, &one) != nil {
			if v.text != "" {
				return "", fmt.Errorf("its choices can't be read: %.200s", v.text)
			}
			return "", nil
		}
		list = one.Choices
	}
	list = slices.Compact(list)
	switch {
	case len(list) > 1:
		return "", several(list)
	case len(list) == 1:
		return list[0], nil
	case one.Value != nil:
		return valueOf(one.Value).word()
	}
	return one.Label, nil
}

// several is what is wrong with two answers to what takes one.
func several(list []string) error {
	return fmt.Errorf("it has %d answers where one is needed: %.200s", len(list), strings.Join(list, ", "))
}

// issues reads codes: "A, B", ["A", "B"], [{"code", "start", "end"}] or [{"code", "span": [start, end]}], the last also
// as the text of a cell.
func (v value) issues(known func(string) string) (list []dataset.Issue, err error) {
	raw := v.json
	if raw == nil && strings.HasPrefix(strings.TrimSpace(v.text), "[") {
		raw = []byte(v.text)
		if err := strict.Check(raw, maxDepth); err != nil {
			return nil, fmt.Errorf("the list of issues %w", err)
		}
	}
	if raw == nil {
		for _, c := range strings.FieldsFunc(v.text, func(r rune) bool { return strings.ContainsRune(",;|\n\t ", r) }) {
			list = append(list, dataset.Issue{Code: known(c)})
		}
		return list, nil
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, errors.New("the issues are no list")
	}
	for _, e := range entries {
		if e = bytes.TrimSpace(e); len(e) > 0 && e[0] == '"' {
			list = append(list, dataset.Issue{Code: known(valueOf(e).text)})
			continue
		}
		var i struct {
			Code  string `json:"code"`
			Label string `json:"label"`
			Start int    `json:"start"`
			End   int    `json:"end"`
			Span  []int  `json:"span"`
		}
		if err := json.Unmarshal(e, &i); err != nil {
			return nil, errors.New("an issue is neither a code nor an object with code, start and end")
		}
		if len(i.Span) == 2 {
			i.Start, i.End = i.Span[0], i.Span[1]
		}
		if i.Code == "" {
			i.Code = i.Label
		}
		list = append(list, dataset.Issue{Code: known(i.Code), Start: i.Start, End: i.End})
	}
	return list, nil
}
