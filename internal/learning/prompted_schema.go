package learning

import (
	"encoding/json"
	"maps"
	"slices"
)

// The schemas are strict: every field is required and no other is allowed, as the providers' structured output wants it.
var (
	reflectSchema = object(
		field{"nothing", kind("boolean")}, field{"why", kind("string")}, field{"title", kind("string")}, field{"problem", kind("string")},
		field{"root_cause", kind("string")}, field{"principle", kind("string")}, field{"domain", oneOf(Domains...)},
		field{"conditions", listOf(oneOf(Conditions...))}, field{"tasks", listOf(oneOf(slices.Sorted(maps.Keys(taskPhrases))...))})
	validateSchema = object(field{"reasoning", kind("string")}, field{"fires", kind("boolean")}, field{"verdict", oneOf(Helped, Hurt, Silent)})
	refineSchema   = object(field{"situation", kind("string")}, field{"action", kind("string")}, field{"because", kind("string")})
	judgeSchema    = object(
		field{"reasoning", kind("string")}, field{HeadBoundary, headSchema}, field{HeadActionable, headSchema}, field{HeadGeneral, headSchema},
		field{HeadValue, headSchema}, field{"regulation", listOf(kind("string"))}, field{"same_as", kind("string")}, field{"decision", oneOf("ACCEPT", "REJECT")})
	headSchema = object(field{"pass", kind("boolean")}, field{"why", kind("string")})
)

// field is a property; the order of fields is the order in which a model writes them, so reasoning comes first.
type field struct {
	name   string
	schema json.RawMessage
}

func object(fields ...field) json.RawMessage {
	props, required := []byte("{"), []string{}
	for i, f := range fields {
		if i > 0 {
			props = append(props, ',')
		}
		props = append(append(append(props, jsonOf(f.name)...), ':'), f.schema...)
		required = append(required, f.name)
	}
	props = append(props, '}')
	return json.RawMessage(`{"type":"object","properties":` + string(props) + `,"required":` + string(jsonOf(required)) + `,"additionalProperties":false}`)
}

func kind(name string) json.RawMessage { return jsonOf(map[string]string{"type": name}) }

func oneOf(values ...string) json.RawMessage {
	return jsonOf(map[string]any{"type": "string", "enum": values})
}

func listOf(item json.RawMessage) json.RawMessage {
	return jsonOf(map[string]any{"type": "array", "items": item})
}
