package interaction

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Where agents keep what was said before: fields of such names, and what has the role of a person.
var (
	talk    = []string{"message", "history", "thread", "conversation", "transcript", "turn", "chat"}
	talkers = []string{"user", "customer", "client", "human"}
)

// Before is the text of what was said before the question.
func (in *Interaction) Before() string {
	in.Consultation.Beside = saidBefore(in.Steps, in.Metadata)
	return in.Consultation.earlier()
}

// saidBefore is what a submission's free fields tell of the conversation before the question. Of a long one its end is
// kept.
func saidBefore(fields ...json.RawMessage) string {
	var b strings.Builder
	var walk func(v any, inside bool)
	walk = func(v any, inside bool) {
		switch v := v.(type) {
		case string:
			if inside {
				b.WriteString(v + "\n\n")
			}
		case []any:
			for _, one := range v {
				walk(one, inside)
			}
		case map[string]any:
			role, _ := v["role"].(string)
			spoken := inside || slices.Contains(talkers, strings.ToLower(role))
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name], spoken && name != "role" || containsAny(name, talk))
			}
		}
	}
	for _, f := range fields {
		var v any
		if json.Unmarshal(f, &v) == nil {
			walk(v, false)
		}
	}
	return ending(b.String())
}

// ending is a text or, of a long one, its end.
func ending(said string) string { return strings.ToValidUTF8(said[max(0, len(said)-MaxQuestion):], "") }
