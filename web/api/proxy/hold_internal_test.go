package proxy

import (
	"encoding/json"
	"testing"
)

// Approved arguments go to the call of their name and place, or nowhere.
func TestApprovedCallsAreNotMixedUp(t *testing.T) {
	const two = `{"tool_calls":[{"id":"a","function":{"name":"pay","arguments":"{}"}},
		{"id":"b","function":{"name":"refund","arguments":"{}"}}]}`
	var m said
	if err := json.Unmarshal([]byte(two), &m); err != nil {
		t.Fatal(err)
	}
	calls := []call{{id: "a", name: "pay", arguments: "{}"}, {id: "b", name: "refund", arguments: "{}"}}
	edited := approved{Name: "refund", Arguments: json.RawMessage(`{"x":1}`), Edited: true, Index: 1}
	for name, tc := range map[string]struct {
		done []approved
		has  bool
	}{
		"as many":      {[]approved{{Name: "pay"}, edited}, true},
		"turned":       {[]approved{{Name: "refund"}, {Name: "pay", Index: 1}}, false},
		"out of reach": {[]approved{{Name: "pay"}, {Name: "refund", Index: 9}}, false},
		"one fewer":    {[]approved{{Name: "pay"}}, false},
		"one more":     {[]approved{{Name: "pay"}, edited, edited}, false},
		"none at all":  {nil, false},
	} {
		if got := (standing{Actions: tc.done}).has(calls); got != tc.has {
			t.Errorf("%s: released %v", name, got)
		}
		got := m.with(calls, tc.done) // and never panics
		if name == "as many" && got.ToolCalls[1]["function"].(map[string]any)["arguments"] != `{"x":1}` ||
			name == "as many" && len(got.ToolCalls) != 2 || m.ToolCalls[1]["function"].(map[string]any)["arguments"] != "{}" {
			t.Errorf("%s: %v", name, got.ToolCalls)
		}
	}
	if got := (said{}).with(calls, []approved{edited, edited}); len(got.ToolCalls) != 0 || got.FunctionCall != nil {
		t.Errorf("of a message without calls: %+v", got)
	}
}
