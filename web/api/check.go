package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/text"
)

// Bounds of a body where its schema has none of its own: bytes of a text, entries of a list, and mistakes that are
// told.
const (
	maxText  = 200 << 10
	maxList  = 1000
	maxWrong = 100
)

// checker compares a body with the published schema and notes everything that does not fit, by JSON pointer. It knows
// what our schemas use: types, required and unknown fields, enumerations, bounds of integers, times, and a choice by
// type.
type checker struct {
	schemas huma.Registry
	wrong   []fault.Field
}

func (k *checker) fail(pointer, format string, args ...any) {
	if len(k.wrong) == maxWrong {
		return
	}
	k.wrong = append(k.wrong, fault.Field{Name: pointer, Msg: fmt.Sprintf(format, args...)})
}

func (k *checker) value(s *huma.Schema, pointer string, v any) {
	for s.Ref != "" {
		s = k.schemas.SchemaFromRef(s.Ref)
	}
	if len(s.OneOf) > 0 {
		k.choice(s, pointer, v)
		return
	}
	if s.Type == "" {
		return // anything
	}
	if !fits(s.Type, v) {
		k.fail(pointer, "Send %s, not %s.", words[s.Type], nameOf(v))
		return
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		k.fail(pointer, "Send one of: %s.", strings.Trim(fmt.Sprint(s.Enum), "[]"))
	}
	switch v := v.(type) {
	case map[string]any:
		k.object(s, pointer, v)
	case string:
		most := maxText
		if s.MaxLength != nil {
			most = *s.MaxLength
		}
		if len(v) > most {
			k.fail(pointer, "%s", text.TooBig(v, most))
		}
		if s.Format == "date-time" && new(time.Time).UnmarshalText([]byte(v)) != nil {
			k.fail(pointer, "Send a time such as 2026-03-01T09:30:00Z.")
		}
	case []any:
		if len(v) > maxList {
			k.fail(pointer, "There are %d entries; send at most %d at a time.", len(v), maxList)
			return
		}
		for i, item := range v {
			if s.Items != nil {
				k.value(s.Items, fmt.Sprintf("%s/%d", pointer, i), item)
			}
		}
	case json.Number:
		k.bounds(s, pointer, v)
	}
}

// choice takes the first alternative of the value's type.
func (k *checker) choice(s *huma.Schema, pointer string, v any) {
	var names []string
	for _, one := range s.OneOf {
		if fits(one.Type, v) {
			k.value(one, pointer, v)
			return
		}
		names = append(names, words[one.Type])
	}
	k.fail(pointer, "Send %s, not %s.", strings.Join(names, " or "), nameOf(v))
}

// object checks fields that are required or known. A customer's own fields are read by interaction, which knows more.
func (k *checker) object(s *huma.Schema, pointer string, v map[string]any) {
	if free, ok := s.AdditionalProperties.(bool); ok && free {
		return
	}
	for _, name := range s.Required {
		if v[name] == nil {
			k.fail(pointer+"/"+strict.Step(name), "This is required: send %s.", k.kind(s.Properties[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if len(k.wrong) == maxWrong {
			return
		}
		at := pointer + "/" + strict.Step(name)
		field, known := s.Properties[name]
		switch {
		case !known:
			k.fail(at, "Unknown field%s.", didYouMean(name, s.Properties))
		case v[name] != nil: // null is the same as leaving it out
			k.value(field, at, v[name])
		}
	}
}

func (k *checker) kind(s *huma.Schema) string {
	for s.Ref != "" {
		s = k.schemas.SchemaFromRef(s.Ref)
	}
	return words[s.Type]
}

func (k *checker) bounds(s *huma.Schema, pointer string, v json.Number) {
	f, err := v.Float64()
	if err != nil || s.Minimum != nil && f < *s.Minimum || s.Maximum != nil && f > *s.Maximum {
		k.fail(pointer, "Send a number%s.", within(s))
	}
}

func within(s *huma.Schema) string {
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf(" from %v to %v", *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		return fmt.Sprintf(" of %v or more", *s.Minimum)
	}
	return " that is not so large"
}

var words = map[string]string{
	huma.TypeString: "a text", huma.TypeObject: "an object", huma.TypeArray: "a list",
	huma.TypeBoolean: "true or false",
	huma.TypeInteger: "a whole number", huma.TypeNumber: "a number",
}

func fits(kind string, v any) (ok bool) {
	switch kind {
	case huma.TypeString:
		_, ok = v.(string)
	case huma.TypeObject:
		_, ok = v.(map[string]any)
	case huma.TypeArray:
		_, ok = v.([]any)
	case huma.TypeBoolean:
		_, ok = v.(bool)
	case huma.TypeNumber:
		_, ok = v.(json.Number)
	case huma.TypeInteger:
		n, isNumber := v.(json.Number)
		_, err := n.Int64()
		ok = isNumber && err == nil
	}
	return ok
}

func nameOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case json.Number:
		return "this number"
	}
	return interaction.ValueKind(v)
}

// didYouMean names a known field that differs in letter case, hyphens or underscores only.
func didYouMean(name string, known map[string]*huma.Schema) string {
	form := strings.NewReplacer("_", "", "-", "").Replace
	for _, k := range slices.Sorted(maps.Keys(known)) {
		if strings.EqualFold(form(k), form(name)) {
			return fmt.Sprintf("; did you mean %s", k)
		}
	}
	return ". Names are exact; anything of your own goes into metadata or the customer"
}
