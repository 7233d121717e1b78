package privacy

import (
	"encoding/json"
	"slices"
)

// Forget takes words out of the texts in JSON, and the examples that rules in it have of one interaction's question;
// said are those, as sentences quote them. changed is "" where it has none of them.
func Forget(body, of string, words ...string) (changed string, said []string, err error) {
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		return "", nil, err
	}
	f := forgetting{of: of}
	f.examples(v)
	f.words = append(words[:len(words):len(words)], f.said...)
	if v = f.without(v); !f.found {
		return "", nil, nil
	}
	b, err := json.Marshal(v)
	return string(b), f.said, err
}

type forgetting struct {
	of          string
	words, said []string
	found       bool
}

// examples finds the questions that were picked, and has without leave them out.
func (f *forgetting) examples(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			f.examples(one)
		}
	case map[string]any:
		for _, one := range v {
			f.examples(one)
		}
		if values, _ := v["values"].([]any); f.picked(v) {
			for _, q := range values {
				if q, ok := q.(string); ok && !slices.Contains(f.said, "“"+q+"”") {
					f.said = append(f.said, "“"+q+"”")
				}
			}
		}
	}
}

func (f *forgetting) picked(v any) bool {
	m, _ := v.(map[string]any)
	if c, ok := m["condition"]; ok { // of a form
		return f.picked(c)
	}
	return f.of != "" && m["of"] == f.of
}

func (f *forgetting) without(v any) any {
	switch v := v.(type) {
	case string:
		s := Without(v, f.words...)
		f.found = f.found || s != v
		return s
	case []any:
		kept := slices.DeleteFunc(v, f.picked)
		f.found = f.found || len(kept) != len(v)
		for i := range kept {
			kept[i] = f.without(kept[i])
		}
		return kept
	case map[string]any:
		for name := range v {
			if name != "kind" && name != "op" && name != "place" { // of a statement: no words of anybody's
				v[name] = f.without(v[name])
			}
		}
	}
	return v
}
