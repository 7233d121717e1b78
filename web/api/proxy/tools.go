package proxy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
)

// call is a model's call of a tool.
type call struct {
	id        string // that its result names
	name      string
	arguments string // an object, or it should be
	free      bool   // a custom tool: it takes one text, the argument input
}

// callsOf are the calls in a message, in the order in which said has them.
func callsOf(message gjson.Result) (list []call) {
	for _, c := range message.Get("tool_calls").Array() {
		one := call{id: c.Get("id").Str}
		if f := c.Get("custom"); f.IsObject() {
			one.name, one.free = f.Get("name").Str, true
			one.arguments = `{"input":` + cmp.Or(f.Get("input").Raw, "null") + `}`
		} else {
			f := c.Get("function")
			one.name, one.arguments = f.Get("name").Str, argumentsOf(f)
		}
		list = append(list, one)
	}
	if f := message.Get("function_call"); len(f.Map()) > 0 {
		list = append(list, call{f.Get("name").Str, f.Get("name").Str, argumentsOf(f), false})
	}
	return list
}

// argumentsOf are a function's arguments: the text of an object, and with some servers the object.
func argumentsOf(f gjson.Result) string {
	if a := f.Get("arguments"); a.Type != gjson.String {
		return a.Raw
	}
	return f.Get("arguments").Str
}

// forced reports whether the caller has the model call a tool, whatever it would say. What we don't know does.
func (r *request) forced() bool {
	for _, name := range []string{"tool_choice", "function_call"} {
		choice := r.at[name]
		if choice.Get("type").Str == "allowed_tools" {
			choice = choice.Get("allowed_tools.mode")
		}
		if choice.IsObject() || choice.Str != "" && choice.Str != "auto" && choice.Str != "none" {
			return true
		}
	}
	return false
}

// waits reports whether an answer with these calls waits at the desk. They are one message, so that one call which
// waits holds up the others.
func (x *exchange) waits(calls []call) bool {
	for _, c := range calls {
		if x.mode.Waits == nil || x.mode.Waits(c.name) {
			return true
		}
	}
	return x.forced()
}

// actions are the calls as the desk takes them, and what a supervisor is told of those that don't fit their schemas.
func (x *exchange) actions(calls []call) (list interaction.Actions, why []string, err error) {
	declared := map[string]gjson.Result{}
	list = interaction.Actions{} // the API takes no null
	tools := x.at["tools"]
	for _, all := range []gjson.Result{x.at["functions"], tools.Get("#.function"), tools.Get("#.custom")} {
		for _, f := range all.Array() {
			declared[f.Get("name").Str] = f
		}
	}
	for _, c := range calls {
		a := interaction.Action{Name: c.name, Arguments: json.RawMessage(cmp.Or(strings.TrimSpace(c.arguments), "{}")),
			Does: declared[c.name].Get("description").Str}
		if schema := declared[c.name].Get("parameters"); c.free {
			a.Schema = json.RawMessage(freeText)
		} else if schema.IsObject() {
			a.Schema = json.RawMessage(schema.Raw)
		}
		if !gjson.ValidBytes(a.Arguments) {
			return nil, nil, fault.New(fault.Unavailable,
				"The model called %s with arguments that are not JSON, so nothing was submitted. Try again.", c.name)
		}
		a, wrong := a.Fitted()
		if wrong != "" {
			why = append(why, c.name+": "+wrong)
		}
		list = append(list, a)
	}
	return list, why, nil
}

// freeText is the schema of a custom tool.
const freeText = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],` +
	`"additionalProperties":false}`

// approved are the arguments that a call was approved with.
type approved struct {
	Name      string
	Arguments json.RawMessage
	Edited    bool
	Index     int // among the calls
}

// refusedCall is a call that a person refused, though the rest was released.
type refusedCall struct {
	Name   string `json:"name"`
	Index  int    `json:"index"`
	Reason string `json:"reason"`
}

// with is the message with the calls that were approved, as they were; those that nobody edited are the model's to the
// byte.
func (m said) with(calls []call, done []approved) said {
	came, function := m.ToolCalls, m.FunctionCall
	m.ToolCalls, m.FunctionCall = []map[string]any{}, nil
	for i, c := range calls {
		at := slices.IndexFunc(done, func(a approved) bool { return a.Index == i })
		if at < 0 {
			continue
		}
		a := done[at]
		switch arguments := any(string(a.Arguments)); {
		case i >= len(came):
			if m.FunctionCall = maps.Clone(function); a.Edited && function != nil {
				m.FunctionCall["arguments"] = arguments
			}
		case !a.Edited:
			m.ToolCalls = append(m.ToolCalls, came[i])
		case c.free:
			input := gjson.GetBytes(a.Arguments, "input").Str
			m.ToolCalls = append(m.ToolCalls, inner(came[i], "custom", "input", input))
		default:
			m.ToolCalls = append(m.ToolCalls, inner(came[i], "function", "arguments", arguments))
		}
	}
	return m
}

// inner is a call with another value in the object of this name.
func inner(c map[string]any, object, key string, value any) map[string]any {
	c = maps.Clone(c)
	f, _ := c[object].(map[string]any)
	f = maps.Clone(f)
	if _, isObject := f[key].(map[string]any); isObject {
		value = json.RawMessage(fmt.Sprint(value))
	}
	f[key], c[object] = value, f
	return c
}
