package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
)

// maxLine bounds a line of a file, in bytes.
const maxLine = 1 << 20

// line is one labelled text of a file. What else stands in it is left alone.
type line struct {
	ID       json.RawMessage      `json:"id"`
	Family   string               `json:"family"`
	Split    string               `json:"split"`
	Customer interaction.Customer `json:"customer"`
	Question string               `json:"question"`
	Messages json.RawMessage      `json:"messages"`
	Guidance *string              `json:"guidance"`
	Label    string               `json:"label"`
	Codes    []string             `json:"codes"`
}

// LineError is a line that can't be read.
type LineError struct {
	Line int
	Msg  string
}

// ReadLines reads labelled texts, one JSON object a line. A line that can't be read is reported by its number, and the
// rest is read; the error is of the reader.
func ReadLines(r io.Reader) (items []Item, wrong []LineError, err error) {
	in, seen := table.NewLines(r, maxLine), map[string]int{}
	for text, err := range in.All() {
		var it Item
		if err == nil {
			it, err = itemOf(text, in.N)
		}
		if err == nil && seen[it.ID] > 0 {
			err = fault.New(fault.Invalid, "Line %d has the same id %q.", seen[it.ID], it.ID)
		}
		if err != nil && !fault.Is(err, fault.Invalid) {
			return items, wrong, fmt.Errorf("evaluate: %w", err)
		}
		if err != nil {
			wrong = append(wrong, LineError{in.N, fault.Message(err)})
			continue
		}
		seen[it.ID] = in.N
		items = append(items, it)
	}
	return items, wrong, nil
}

func itemOf(text []byte, n int) (Item, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		if f, ok := errors.AsType[*fault.Error](err); ok {
			return Item{}, f
		}
		return Item{}, fault.Wrap(fault.Invalid, err,
			`This is no JSON object such as {"id":"a","customer":{},"question":"...","guidance":"...","label":"BORDERLINE","codes":[]}.`)
	}
	if l.Guidance == nil || strings.TrimSpace(*l.Guidance) == "" {
		return Item{}, fault.New(fault.Invalid, `The line has no "guidance".`)
	}
	if !slices.Contains(measure.Labels(), l.Label) {
		return Item{}, fault.New(fault.Invalid, "The label %q is not one of %s.", l.Label,
			strings.Join(measure.Labels(), ", "))
	}
	for _, c := range l.Codes {
		if _, known := compliance.InfoOf(c); !known {
			return Item{}, fault.New(fault.Invalid, "No check has the code %q.", c)
		}
	}
	id := strings.Trim(string(bytes.TrimSpace(l.ID)), `"`)
	if id == "" || id == "null" {
		id = fmt.Sprintf("line-%d", n)
	}
	about := interaction.Consultation{Customer: l.Customer, Question: l.Question,
		Messages: pack.MessagesLoosely(l.Messages)}
	if wrong := about.Converse(""); len(wrong) > 0 {
		return Item{}, fault.New(fault.Invalid, "The messages can't be read. %s", wrong[0].Msg)
	}
	return Item{ID: id, Family: l.Family, Split: l.Split, Guidance: *l.Guidance, Truth: l.Label, Codes: sorted(l.Codes),
		Consultation: about}, nil
}

func sorted(codes []string) []string {
	out := slices.Clone(codes)
	slices.Sort(out)
	if out = slices.Compact(out); out == nil {
		return []string{}
	}
	return out
}

// Hash is over everything that an evaluation of these items depends on but who is asked.
func Hash(items []Item) string {
	h := newHash()
	for _, it := range items {
		h.add(it)
	}
	return h.sum()
}
