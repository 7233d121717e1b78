// Package intake reads texts that somebody wants checked, one JSON object each, in whatever shape they come, and says
// what is answered to them. The command preceptor check and POST /api/check share it, so that both are the same.
//
// It owns no table. What it promises: only what can't be checked at all is refused (no JSON object, no guidance), and
// what two readers would read as two texts (package strict: a name that comes twice, NUL, what is not UTF-8; a guidance
// that is no text). A customer of an unknown shape, a question that is missing or null, names of fields that are only
// alike lose nothing else. Decided against: strictness as for POST /api/guidance, where the sender can put it right;
// here one wrong field in a file of thousands must not cost a verdict.
package intake

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/text"
)

// MaxLine bounds one item, in bytes.
const MaxLine = 4 << 20

// Item is one text to check.
type Item struct {
	ID       json.RawMessage // as it came, whatever its type; nil when there was none
	Customer interaction.Customer
	Question string
	Task     string
	Guidance string
	Messages []interaction.Message
	Fields
}

// Fields are the names of an item's fields that were read and those that were not.
type Fields struct{ Used, Unused []string }

// Answer is a verdict with the item's id in front.
type Answer struct {
	ID json.RawMessage
	Fields
	compliance.Verdict
}

// MarshalJSON writes the id as it came, null when there was none, and the verdict's fields beside it.
func (a Answer) MarshalJSON() ([]byte, error) {
	a.Verdict.ID = ""
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a.Verdict); err != nil {
		return nil, err
	}
	id := []byte(a.ID)
	if len(id) == 0 {
		id = []byte("null")
	}
	out := append([]byte(`{"id":`), id...)
	out = append(out, ',')
	return append(out, bytes.TrimSpace(b.Bytes())[1:]...), nil
}

// names by which the parts of an item may go, the first being the documented one.
var (
	guidanceNames = []string{"guidance", "guidance_text", "text", "response", "answer", "draft", "reply", "output",
		"advice"}
	questionNames = []string{"question", "query", "prompt", "customer_question", "customer_query", "message", "input"}
	customerNames = []string{"customer", "customer_context", "customer_profile", "profile", "client", "consumer",
		"context"}
	taskNames    = []string{"task_type", "task"}
	messageNames = []string{"messages", "conversation", "history"}
)

// Read reads one item. The error is a fault of kind Invalid, for a person; the item then carries its id where there was
// one.
func Read(line []byte) (Item, error) {
	var it Item
	var all map[string]json.RawMessage
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF")))
	err := strict.Into(line, &all)
	if half := strict.HalfCharacter(line); err == nil && half != "" {
		err = &strict.Error{What: "has half a character, " + half}
	}
	if err == nil && all == nil {
		err = &strict.Error{What: "is null"}
	}
	doubt, _ := errors.AsType[*strict.Error](err)
	if err != nil && !doubt.Twice() {
		_ = json.Unmarshal(line, &all) // for the id
	}
	it.ID, _ = it.field(all, []string{"id"})
	switch {
	case err == nil:
	case doubt.Twice():
		return it, fault.Wrap(fault.Invalid, err,
			"This %s. Send each name once; names that differ only in case are the same.", doubt.What)
	case all != nil:
		return it, fault.Wrap(fault.Invalid, err, "This %s. Correct it and send it again, in UTF-8.", doubt.What)
	default:
		const such = `{"id": 1, "customer": {}, "question": "...", "guidance": "..."}`
		return it, fault.Wrap(fault.Invalid, err, "This %s. Send a JSON object such as %s.", doubt.What, such)
	}
	if c, ok := it.field(all, []string{"consultation"}); ok { // as POST /api/guidance has it
		var inner map[string]json.RawMessage
		if json.Unmarshal(c, &inner) == nil {
			for name, v := range inner {
				if _, _, there := find(all, []string{name}); !there {
					all[name] = v
				}
			}
		}
	}
	it.Question, it.Task = it.text(all, questionNames), interaction.TaskForm(it.text(all, taskNames))
	if _, raw, ok := find(all, messageNames); ok {
		if it.Messages = pack.MessagesLoosely(raw); it.Messages != nil {
			it.field(all, messageNames)
		}
	}
	if raw, ok := it.field(all, customerNames); ok {
		if len(raw) > interaction.MaxCustomerBytes {
			return it, tooLong("customer", string(raw), interaction.MaxCustomerBytes)
		}
		it.Customer = interaction.CustomerLoosely(raw)
	}
	if _, raw, ok := find(all, guidanceNames); ok && !isText(raw) {
		return it, fault.New(fault.Invalid,
			`The "guidance" is not a text. Send it in quotation marks, as one text: "guidance": "...".`)
	}
	it.Guidance = it.text(all, guidanceNames)
	it.Unused = slices.Sorted(maps.Keys(all))
	about := it.Consultation()
	if wrong := about.Converse(""); len(wrong) > 0 {
		return it, fault.New(fault.Invalid, "The messages can't be read. %s", wrong[0].Msg)
	}
	it.Messages, it.Question = about.Messages, about.Question
	switch n := len(it.Guidance); {
	case strings.TrimSpace(it.Guidance) == "":
		return it, fault.New(fault.Invalid, `There is no "guidance", or it is empty.`)
	case n > interaction.MaxGuidance:
		return it, tooLong("guidance", it.Guidance, interaction.MaxGuidance)
	case len(it.Question) > interaction.MaxQuestion:
		return it, tooLong("question", it.Question, interaction.MaxQuestion)
	}
	return it, nil
}

func tooLong(what, s string, most int) error {
	return fault.New(fault.Invalid, "The %s is too long. %s", what, text.TooBig(s, most))
}

// Consultation is what the validator wants to know beside the text.
func (it Item) Consultation() interaction.Consultation {
	return interaction.Consultation{Customer: it.Customer, Question: it.Question, TaskType: it.Task,
		Messages: it.Messages}
}

// field takes the first of names that all has, in any letter case and not null, out of it.
func (f *Fields) field(all map[string]json.RawMessage, names []string) (json.RawMessage, bool) {
	name, v, ok := find(all, names)
	if ok {
		f.Used = append(f.Used, name)
		delete(all, name)
	}
	return v, ok
}

func find(all map[string]json.RawMessage, names []string) (string, json.RawMessage, bool) {
	for _, n := range names {
		for k, v := range all { // which has it once: strict sees to that
			if strings.EqualFold(k, n) && string(v) != "null" {
				return k, v, true
			}
		}
	}
	return "", nil, false
}

// isText reports whether raw is one text, as a string or as a message or its parts ({"text": "..."}); 7, true and ["a"]
// are none.
func isText(raw json.RawMessage) bool {
	var v any
	_ = json.Unmarshal(raw, &v) // it is valid
	if _, ok := v.(string); ok {
		return true
	}
	parts, ok := v.([]any)
	if !ok {
		parts = []any{v}
	}
	for _, p := range parts {
		if m, ok := p.(map[string]any); !ok || plain(m, "") == "" {
			return false
		}
	}
	return len(parts) > 0
}

// text reads a string; a list of strings or of messages is joined, and a number is taken as it is written.
func (f *Fields) text(all map[string]json.RawMessage, names []string) string {
	raw, ok := f.field(all, names)
	if !ok {
		return ""
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	return plain(v, string(raw))
}

func plain(v any, raw string) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var parts []string
		for _, one := range v {
			if p := plain(one, ""); p != "" {
				parts = append(parts, p)
			}
		}
		return strings.Join(parts, "\n")
	case map[string]any:
		for _, n := range []string{"text", "content", "guidance", "question"} {
			if s, ok := v[n].(string); ok {
				return s
			}
		}
		return ""
	case float64, bool:
		return raw
	}
	return ""
}
