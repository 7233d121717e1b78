package reviews

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/views/ui"
)

// extras are the fields that an agent sent beside the known ones: numbers as they were written, lists with commas,
// objects one level down. Deeper ones are shown as they came.
func extras(extra map[string]any) []ui.Fact {
	var out []ui.Fact
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if v := plain(extra[name]); v != "" {
			out = append(out, ui.Fact{Label: sentence(name), Value: v})
		}
	}
	return out
}

func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case json.Number:
		return v.String()
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = plain(e)
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, pack.Plain(k)+" "+plain(v[k]))
		}
		return strings.Join(parts, ", ")
	default:
		return fmt.Sprint(v)
	}
}

// FactsOf are the facts about a customer by their labels, for places to fill in.
func FactsOf(c interaction.Customer) map[string]string {
	out := map[string]string{}
	for _, f := range append(given(c), extras(c.Extra)...) {
		label := strings.ToLower(f.Label)
		if _, several := out[label]; several { // a person says which
			f.Value = ""
		}
		out[label] = f.Value
	}
	return out
}
