package interaction

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/text"
)

// The limits of actions.
const (
	mostActions = 20
	maxAction   = 64 << 10 // bytes, of the arguments and of the schema
	maxDoes     = 2_000
)

// Action is something that an agent wants to do: a call of one of its tools.
type Action struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`             // an object
	Schema    json.RawMessage `json:"schema,omitempty"`      // JSON Schema of the arguments; nil: any
	Does      string          `json:"description,omitempty"` // what it does, in words
	Refused   string          `json:"refused,omitempty"`     // of a decision: why a person refused it; "": they didn't
}

// Actions are those of one draft, in their order.
type Actions []Action

// Object are the arguments, with numbers as they were written.
func (a Action) Object() map[string]any {
	object := map[string]any{}
	if strict.Tree(a.Arguments, &object) != nil {
		return nil
	}
	return object
}

// wrong is what keeps the arguments from fitting the schema, in words, and the field that it is about; "" when they
// fit.
func (a Action) wrong() (field, msg string) {
	if len(a.Arguments) > maxAction {
		return "/arguments", text.TooBig(string(a.Arguments), maxAction)
	}
	s, values, err := a.schema()
	if err != nil {
		return "/schema", "We can't use this JSON Schema: " + err.Error()
	}
	if err := strict.Check(a.Arguments, deepest); err != nil {
		return "/arguments", "It " + err.Error() + "."
	}
	var object map[string]any
	if err := json.Unmarshal(a.Arguments, &object); err != nil || object == nil {
		return "/arguments", "Send an object."
	}
	switch {
	case s == nil:
		return "", ""
	case values*count(object) > mostWork:
		return "/arguments", "The schema and the arguments are too large together."
	}
	if err := s.Validate(object); err != nil {
		return "/arguments", "It doesn't fit the schema: " + plainly(err.Error()) + "."
	}
	return "", ""
}

// Fitted is the action without its schema where that can't be used or the arguments don't fit it, and why in words:
// whoever brings it didn't write it.
func (a Action) Fitted() (Action, string) {
	a.Does = strings.ToValidUTF8(a.Does[:min(len(a.Does), maxDoes)], "")
	_, msg := a.wrong()
	if len(a.Schema) > maxAction {
		msg = text.TooBig(string(a.Schema), maxAction)
	}
	if msg != "" {
		a.Schema = nil
	}
	return a, msg
}

func (list Actions) check() (wrong []fault.Field) {
	add := func(i int, field, msg string) {
		wrong = append(wrong, fault.Field{Name: "/actions/" + strconv.Itoa(i) + field, Msg: msg})
	}
	if len(list) > mostActions {
		return []fault.Field{{Name: "/actions", Msg: fmt.Sprintf("At most %d are accepted.", mostActions)}}
	}
	for i, a := range list {
		switch {
		case strings.TrimSpace(a.Name) == "" || len(a.Name) > maxTask:
			add(i, "/name", fmt.Sprintf("Send the name of a tool, of at most %d bytes.", maxTask))
		case len(a.Schema) > maxAction:
			add(i, "/schema", text.TooBig(string(a.Schema), maxAction))
		case len(a.Does) > maxDoes:
			add(i, "/description", text.TooBig(a.Does, maxDoes))
		default:
			if field, msg := a.wrong(); msg != "" {
				add(i, field, msg)
			}
		}
	}
	return wrong
}

// clean gives every action arguments, and its JSON its shortest form.
func (list Actions) clean() {
	for i := range list {
		a := &list[i]
		a.Name, a.Does = strings.ToValidUTF8(a.Name, "\uFFFD"), strings.ToValidUTF8(a.Does, "\uFFFD")
		if len(a.Arguments) == 0 {
			a.Arguments = json.RawMessage("{}")
		}
		a.Schema, _ = inlined(a.Schema) // check says why not
		for _, raw := range []*json.RawMessage{&a.Arguments, &a.Schema} {
			var b bytes.Buffer
			if len(*raw) > 0 && json.Compact(&b, *raw) == nil {
				*raw = b.Bytes()
			}
		}
	}
}

// Text says what the actions do, a paragraph each: its name, a line for each argument and what it does. A check reads
// the name and the arguments as one sentence, which a description before them would end.
func (list Actions) Text() string {
	parts := make([]string, 0, len(list))
	for _, a := range list {
		var b strings.Builder
		b.WriteString(a.Name)
		object, title := a.Object(), a.titles()
		if a.Refused != "" {
			b.WriteString("\nNot approved: " + a.Refused)
			object = nil
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			value := flatten(object[name])
			b.WriteString("\n" + name + ": " + value)
			if _, err := strconv.ParseFloat(value, 64); err == nil && title[name] != "" { // only there is its unit
				b.WriteString(" (" + title[name] + ": " + value + ")")
			}
		}
		if a.Does != "" {
			b.WriteString("\n" + a.Does)
		}
		parts = append(parts, b.String())
	}
	return strings.Join(parts, "\n\n")
}

// titles are what the schema calls the arguments, where that says more than their names.
func (a Action) titles() map[string]string {
	var s struct {
		Properties map[string]struct{ Title, Description string } `json:"properties"`
	}
	_ = json.Unmarshal(a.Schema, &s) // another form has none
	out := map[string]string{}
	for name, p := range s.Properties {
		title := text.Opening(cmp.Or(strings.TrimSpace(p.Title), strings.TrimSpace(p.Description)), maxTask)
		if !strings.EqualFold(title, strings.ReplaceAll(name, "_", " ")) {
			out[name] = title
		}
	}
	return out
}

// Same reports whether both ask for the same calls.
func (list Actions) Same(other Actions) bool {
	return slices.EqualFunc(list, other, func(a, b Action) bool {
		return a.Name == b.Name && a.Refused == b.Refused && bytes.Equal(a.Arguments, b.Arguments)
	})
}

// sums are numbers, with their sign of money where they have one.
var sums = regexp.MustCompile(`[£$€]?\d([\d.,]*\d)?`)

// With are the actions with other arguments, one for each: no figure that the agent said of the former arguments is
// said of others. Invalid where one doesn't fit its schema; its field is actions.N.
func (list Actions) With(arguments []json.RawMessage) (Actions, error) {
	if len(arguments) != len(list) {
		return nil, fault.Wrong("The actions have changed.", "actions", "Open the review again.")
	}
	out := slices.Clone(list)
	var wrong []fault.Field
	first := "" // the name of the first that is wrong
	for i := range out {
		out[i].Arguments = arguments[i]
		_, msg := out[i].wrong()
		if msg == "" && len(out[i].Schema) == 0 {
			msg = out[i].otherKind(list[i].Object())
		} else if msg == "" {
			msg = strict.Misformed(out[i].Schema, out[i].Object(), list[i].Object())
		}
		if msg != "" {
			first = cmp.Or(first, out[i].Name)
			wrong = append(wrong, fault.Field{Name: "actions." + strconv.Itoa(i), Msg: msg})
		}
	}
	if len(wrong) > 0 {
		return nil, fault.WithFields(first+": "+wrong[0].Msg, wrong...)
	}
	out.clean()
	for i := range out {
		if !bytes.Equal(out[i].Arguments, list[i].Arguments) {
			out[i].Does = sums.ReplaceAllString(out[i].Does, "…")
		}
	}
	return out, nil
}

// Refuse are the actions of which a person refused some: why, one for each. "" refuses none. Invalid where a reason is
// too long; its field is actions.N.
func (list Actions) Refuse(why []string) (Actions, error) {
	if len(why) != len(list) {
		return nil, fault.Wrong("The actions have changed.", "actions", "Open the review again.")
	}
	out := slices.Clone(list)
	for i := range out {
		if out[i].Refused = text.Typed(why[i]); len(out[i].Refused) > maxDoes {
			return nil, fault.Wrong("The reason is too long.", "actions."+strconv.Itoa(i), text.TooBig(why[i], maxDoes))
		}
	}
	return out, nil
}

// Approved are those that nobody refused.
func (list Actions) Approved() Actions {
	return slices.DeleteFunc(slices.Clone(list), func(a Action) bool { return a.Refused != "" })
}

// otherKind names an argument that was of another kind before, as "5,000" is a text and no number; no schema says so.
func (a Action) otherKind(was map[string]any) string {
	object := a.Object()
	for _, name := range slices.Sorted(maps.Keys(object)) {
		before, had := was[name]
		if had && before != nil && reflect.TypeOf(before) != reflect.TypeOf(object[name]) {
			kind := ValueKind(before)
			return name + " was " + kind + ", " + flatten(before) + ". Give " + kind + " again."
		}
	}
	return ""
}

// ValueKind is what a JSON value is, as people say it.
func ValueKind(v any) string {
	switch v.(type) {
	case bool:
		return "true or false"
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a number"
}

// Column is the list as the columns of drafts and decisions hold it.
func (list Actions) Column() string {
	if len(list) == 0 {
		return ""
	}
	b, _ := json.Marshal(list) // what check passed
	return string(b)
}

// ReadActions reads such a column.
func ReadActions(column string) (list Actions, err error) {
	if column == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(column), &list)
	return list, err
}
