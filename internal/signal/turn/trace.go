package turn

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Shown is one step as people read it: the use of a tool, or whatever else the agent sent there.
type Shown struct {
	Step
	No   int    // of the uses of tools, from 1, as evaluators count them; 0: it is none
	When string // as the agent wrote it; "" for nothing
	Took string // likewise
	Else string // what is no use of a tool, as it came
}

// TraceOf reads the steps of guidance, which agents send in any form: a list, or one value.
func TraceOf(raw json.RawMessage) (out []Shown) {
	var list []json.RawMessage
	if len(raw) > 0 && json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	n := 0
	for _, one := range list {
		var m map[string]json.RawMessage
		if json.Unmarshal(one, &m) != nil || textAt(m, "tool", "name", "tool_name") == "" {
			if words := said(one); words != "" {
				out = append(out, Shown{Else: words})
			}
			continue
		}
		n++
		s := Shown{No: n, When: value(m, "at", "time", "timestamp", "started_at"),
			Step: Step{Tool: textAt(m, "tool", "name", "tool_name"),
				Output: value(m, "output", "result", "observation"),
				Error:  value(m, "error")}}
		if s.Took = value(m, "duration_ms", "took_ms", "latency_ms"); s.Took != "" {
			s.Took += " ms"
		}
		for _, key := range []string{"input", "arguments", "args", "query"} {
			if v, ok := m[key]; ok && s.Input == nil && !bytes.Equal(v, []byte("null")) {
				s.Input = v
			}
		}
		out = append(out, s)
	}
	return out
}

// StepsOf are the uses of tools among the steps of guidance.
func StepsOf(raw json.RawMessage) (out []Step) {
	for _, s := range TraceOf(raw) {
		if s.No > 0 {
			out = append(out, s.Step)
		}
	}
	return out
}

func textAt(m map[string]json.RawMessage, keys ...string) (s string) {
	for _, key := range keys {
		if json.Unmarshal(m[key], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// value is the first of the fields that says something: a text, or any other JSON as it came.
func value(m map[string]json.RawMessage, keys ...string) string {
	for _, key := range keys {
		if s := said(m[key]); s != "" {
			return s
		}
	}
	return ""
}

// said is JSON as people read it: the words of a text, nothing of null and false, and all else as it came.
func said(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	switch words := strings.TrimSpace(string(raw)); words {
	case "null", "false", "{}", "[]":
		return ""
	default:
		return words
	}
}
