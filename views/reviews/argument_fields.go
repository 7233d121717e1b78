package reviews

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/lists"
	"preceptor/views/ui"
)

// How far the form follows a schema into objects: what is deeper, or larger, is typed as JSON.
const (
	deepestField = 3
	mostFields   = 40 // in an object
)

// ifGiven is the kind of the choice whether an object within the arguments is given at all.
const ifGiven = "if given"

// ArgumentField is one argument in the form, or one part of an argument that is an object.
type ArgumentField struct {
	Name     string // path of the argument, as payee/address/city
	Kind     string // of a JSON Schema: string, number, integer, boolean; "" is any JSON; or ifGiven
	Title    string
	Hint     string
	In       string   // titles of the objects that it is in
	Choices  []string // JSON values; none: typed
	Value    string   // as it is; "" where there is none
	Given    bool     // the agent gave it
	Required bool
	Nullable bool
	Long     bool

	path []string
}

// Label is what the schema calls it, else its name, and whether it may be left out.
func (f ArgumentField) Label() string {
	label := cmp.Or(strings.TrimSpace(f.Title), f.path[len(f.path)-1])
	if f.Required || f.Given {
		return label
	}
	return label + " (optional)"
}

func (f ArgumentField) options() []ui.Option {
	var out []ui.Option
	switch {
	case f.Kind == ifGiven:
		return []ui.Option{{Value: keepGroup, Label: "As below"}, {Value: "", Label: "Leave out"}}
	case !f.Required || f.Nullable:
		out = append(out, ui.Option{Value: "", Label: "Leave out"})
	}
	for _, c := range f.Choices {
		out = append(out, ui.Option{Value: c, Label: strings.Trim(c, `"`)})
	}
	return out
}

const keepGroup = "keep"

func argumentName(i int, name string) string { return "action." + strconv.Itoa(i) + "." + name }

// refusalName is the field in which an action is refused.
func refusalName(i int) string { return "action." + strconv.Itoa(i) }

// property is what the form reads of a schema.
type property struct {
	Type        any                        `json:"type"`
	Title       string                     `json:"title"`
	Description string                     `json:"description"`
	Enum        []json.RawMessage          `json:"enum"`
	Const       json.RawMessage            `json:"const"`
	AnyOf       []json.RawMessage          `json:"anyOf"`
	AllOf       []json.RawMessage          `json:"allOf"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Required    []string                   `json:"required"`

	nullable bool
}

// readProperty reads a schema; of one in another form, what was given is shown. One that may be null is what else it
// may be.
func readProperty(raw json.RawMessage) (p property) {
	_ = json.Unmarshal(raw, &p)
	if kinds, ok := p.Type.([]any); ok && len(kinds) == 2 && slices.Contains(kinds, "null") {
		p.nullable = true
		if p.Type = kinds[0]; p.Type == "null" {
			p.Type = kinds[1]
		}
	}
	one := p.AllOf
	if len(p.AnyOf) > 0 {
		one = slices.DeleteFunc(slices.Clone(p.AnyOf), func(raw json.RawMessage) bool {
			return readProperty(raw).Type == "null"
		})
		p.nullable = len(one) < len(p.AnyOf)
	}
	if len(one) == 1 && p.Type == nil && len(p.Properties) == 0 {
		in := readProperty(one[0])
		in.Title, in.Description = cmp.Or(p.Title, in.Title), cmp.Or(p.Description, in.Description)
		in.nullable = in.nullable || p.nullable
		p = in
	}
	if len(p.Const) > 0 {
		p.Enum = []json.RawMessage{p.Const}
	}
	return p
}

// ArgumentFields are the fields of an action: those of its schema, the required ones first, and whatever else was
// given. Those of an object in it come last, under its name.
func ArgumentFields(a interaction.Action) []ArgumentField {
	return fieldsOf(readProperty(a.Schema), a.Arguments, nil, "")
}

func fieldsOf(object property, raw json.RawMessage, path []string, in string) (out []ArgumentField) {
	var given map[string]json.RawMessage
	_ = json.Unmarshal(raw, &given)
	names := slices.Sorted(maps.Keys(object.Properties))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(x, y string) int {
		rank := func(name string) int {
			if slices.Contains(object.Required, name) {
				return 0
			}
			return 1
		}
		return rank(x) - rank(y)
	})
	var within []ArgumentField
	for _, name := range names {
		p, at := readProperty(object.Properties[name]), append(slices.Clone(path), name)
		raw, has := given[name]
		f := ArgumentField{Name: pointer(at), Title: p.Title, Hint: p.Description, Given: has, In: in, path: at,
			Required: slices.Contains(object.Required, name), Nullable: p.nullable}
		if parts := f.parts(p, raw); len(parts) > 0 {
			within = append(within, parts...)
			continue
		}
		f.fill(p, raw)
		out = append(out, f)
	}
	return append(out, within...)
}

// parts are the fields of an argument that is an object; none where it is typed as JSON.
func (f ArgumentField) parts(p property, raw json.RawMessage) (out []ArgumentField) {
	none := len(raw) == 0 || string(raw) == "null"
	if len(p.Properties) == 0 || len(f.path) > deepestField || !none && raw[0] != '{' {
		return nil
	}
	in := cmp.Or(strings.TrimSpace(p.Title), f.path[len(f.path)-1])
	if f.In != "" {
		in = f.In + " – " + in
	}
	parts := fieldsOf(p, raw, f.path, in)
	if len(parts) > mostFields {
		return nil
	}
	switch {
	case f.Required && !f.Nullable:
	case none:
		for i := range parts {
			parts[i].Required = false // as long as nothing of it is typed
		}
	default:
		f.Kind, f.Value, f.Choices, f.In = ifGiven, keepGroup, []string{keepGroup}, in
		return append([]ArgumentField{f}, parts...)
	}
	return parts
}

// fill says how a value is typed, and what it is.
func (f *ArgumentField) fill(p property, raw json.RawMessage) {
	f.Kind, _ = p.Type.(string)
	if p.Type == nil {
		f.Kind = kindOf(raw)
	}
	if f.Nullable && string(raw) == "null" {
		raw = nil
	}
	switch {
	case len(p.Enum) > 0:
		for _, one := range p.Enum {
			f.Choices = append(f.Choices, string(one))
			if sameValue(one, raw) {
				f.Value = string(one)
			}
		}
	case f.Kind == "boolean":
		f.Choices, f.Value = []string{"true", "false"}, string(raw)
	case f.Kind == "string" && kindOf(raw) == "string":
		_ = json.Unmarshal(raw, &f.Value) // it is one
		f.Long = strings.Contains(f.Value, "\n")
	case f.Kind == "string" || f.Kind == "number" || f.Kind == "integer":
		f.Value = string(raw)
	default:
		f.Kind, f.Value, f.Long = "", string(raw), true
		var b bytes.Buffer
		if json.Indent(&b, raw, "", "  ") == nil {
			f.Value = b.String()
		}
		f.Hint = strings.TrimSpace(f.Hint + " As JSON.")
	}
}

// chunks are the fields by the object that they are in.
func chunks(list []ArgumentField) (out [][]ArgumentField) {
	for i, f := range list {
		if i == 0 || f.In != list[i-1].In {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], f)
	}
	return out
}

func pointer(path []string) string {
	return strings.Join(lists.Map(path, func(step string) string {
		return strings.ReplaceAll(strings.ReplaceAll(step, "~", "~0"), "/", "~1")
	}), "/")
}

// sameValue reports whether two pieces of JSON are one value, as 20 and 20.0 are.
func sameValue(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// kindOf is the kind of a value where no schema says it.
func kindOf(raw json.RawMessage) string {
	switch {
	case len(raw) == 0:
		return ""
	case raw[0] == '"':
		return "string"
	case string(raw) == "true" || string(raw) == "false":
		return "boolean"
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return "number"
	}
	return ""
}

// unix is a text without the line ends that a form sends.
func unix(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// Changed are the fields whose values are others than the actions have.
func Changed(list interaction.Actions, typed map[string][]string) map[string][]string {
	out := map[string][]string{}
	for i, a := range list {
		if why := typed[refusalName(i)]; len(why) > 0 && unix(why[0]) != unix(a.Refused) {
			out[refusalName(i)] = why
		}
		for _, f := range ArgumentFields(a) {
			name := argumentName(i, f.Name)
			if values := typed[name]; len(values) > 0 && unix(values[0]) != unix(f.Value) {
				out[name] = values
			}
		}
	}
	return out
}

// Refusals are why each action is refused, as typed; "" where it isn't.
func Refusals(list interaction.Actions, typed map[string][]string) (out []string) {
	for i, a := range list {
		why := a.Refused
		if sent := typed[refusalName(i)]; len(sent) > 0 {
			why = sent[0]
		}
		out = append(out, why)
	}
	return out
}

// Typed makes the arguments of an action from what was typed into its fields; what can't be JSON stays a text, which
// doesn't fit the schema. Of fields that nobody changed they are the agent's own, to the byte.
func Typed(i int, a interaction.Action, typed map[string][]string) json.RawMessage {
	out := a.Arguments
	var left [][]string // objects that are left out
	for _, f := range ArgumentFields(a) {
		values, sent := typed[argumentName(i, f.Name)]
		gone := slices.ContainsFunc(left, func(p []string) bool {
			return slices.Equal(p, f.path[:min(len(p), len(f.path))])
		})
		if !sent || len(values) == 0 || gone {
			continue
		}
		value := unix(values[0])
		if value == unix(f.Value) {
			continue
		}
		asText, _ := json.Marshal(value) // a text always can
		raw := json.RawMessage(strings.TrimSpace(value))
		switch {
		case value == "" && f.Nullable && f.Given:
			raw = json.RawMessage("null")
		case value == "" && (f.Kind != "string" || !f.Given || len(f.Choices) > 0):
			raw = nil
		case f.Kind == "string" && len(f.Choices) == 0 || !json.Valid(raw):
			raw = asText
		}
		if f.Kind == ifGiven {
			left = append(left, f.path)
		}
		out = put(out, f.path, raw)
	}
	return out
}

// put is an object with another value at a path; nil: without it.
func put(raw json.RawMessage, path []string, value json.RawMessage) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object == nil {
		if value == nil && len(raw) > 0 {
			return raw // nothing to take away
		}
		object = map[string]json.RawMessage{}
	}
	switch name := path[0]; {
	case len(path) > 1:
		object[name] = put(object[name], path[1:], value)
	case value == nil:
		delete(object, name)
	default:
		object[name] = value
	}
	out, _ := json.Marshal(object) // of valid parts
	return out
}
