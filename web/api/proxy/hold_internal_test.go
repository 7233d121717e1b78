package proxy

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"
)

// What waits is forgotten after a time, whatever the API says of it, and not by whoever waited before.
func TestWhatWaitsIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &waiting{list: map[[32]byte]*held{}}
		first, mine := w.join([32]byte{1})
		if again, not := w.join([32]byte{1}); !mine || not || again != first {
			t.Fatal("a retry is a call of its own")
		}
		w.leave([32]byte{1}, first)
		second, mine := w.join([32]byte{1})
		w.leave([32]byte{1}, first)
		if again, not := w.join([32]byte{1}); !mine || not || again != second {
			t.Error("the call before took another off")
		}
		time.Sleep(longest + time.Second)
		synctest.Wait()
		if len(w.list) != 0 {
			t.Errorf("still waiting: %v", w.list)
		}
	})
}

// Approved arguments go to the call of their name and place, or nowhere.
func TestApprovedCallsAreNotMixedUp(t *testing.T) {
	const two = `{"tool_calls":[{"id":"a","function":{"name":"pay","arguments":"{}"}},
		{"id":"b","function":{"name":"refund","arguments":"{}"}}]}`
	var m said
	if err := json.Unmarshal([]byte(two), &m); err != nil {
		t.Fatal(err)
	}
	calls := []call{{id: "a", name: "pay", arguments: "{}"}, {id: "b", name: "refund", arguments: "{}"}}
	edited := approved{Name: "refund", Arguments: json.RawMessage(`{"x":1}`), Edited: true}
	for name, tc := range map[string]struct {
		done []approved
		has  bool
	}{
		"as many":     {[]approved{{Name: "pay"}, edited}, true},
		"turned":      {[]approved{edited, {Name: "pay"}}, false},
		"one fewer":   {[]approved{{Name: "pay"}}, false},
		"one more":    {[]approved{{Name: "pay"}, edited, edited}, false},
		"none at all": {nil, false},
	} {
		if got := (standing{Actions: tc.done}).has(calls); got != tc.has {
			t.Errorf("%s: released %v", name, got)
		}
		got := m.with(calls, tc.done) // and never panics
		if name == "as many" && got.ToolCalls[1]["function"].(map[string]any)["arguments"] != `{"x":1}` ||
			len(got.ToolCalls) != 2 || m.ToolCalls[1]["function"].(map[string]any)["arguments"] != "{}" {
			t.Errorf("%s: %v", name, got.ToolCalls)
		}
	}
	if got := (said{}).with(calls, []approved{edited, edited}); len(got.ToolCalls) != 0 || got.FunctionCall != nil {
		t.Errorf("of a message without calls: %+v", got)
	}
}
