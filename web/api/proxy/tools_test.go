package proxy_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"preceptor/internal/review"
	"preceptor/internal/signal"
	"preceptor/web/api/proxy"
)

const payTool = `{"type":"function","function":{"name":"pay","description":"Pays a customer.","parameters":
	{"type":"object","properties":{"to":{"type":"string"},"pounds":{"type":"number","maximum":500}},"required":["to"]}}}`

// asks is a call with tools; more are other fields of its body.
func asks(user, more string) string {
	return `{"model":"m","user":"` + user + `","tools":[` + payTool + `,{"type":"function","function":{"name":"look"}}]` +
		more + `,"messages":[{"role":"user","content":"Pay me back, please."}]}`
}

func calls(text string, list ...string) string {
	content, _ := json.Marshal(text)
	if text == "" {
		content = []byte("null")
	}
	return strings.Replace(completion(`{"role":"assistant","content":`+string(content)+
		`,"tool_calls":[`+strings.Join(list, ",")+`]}`), `"stop"`, `"tool_calls"`, 1)
}

func function(id, name, arguments string) string {
	text, _ := json.Marshal(arguments)
	return `{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":` + string(text) + `}}`
}

// A text and the calls beside it wait as one draft; neither is seen before somebody released both.
func TestToolCallsWaitAsActions(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	const written = `{ "to":"A. Lee",  "pounds": 20.50 }`
	raw := func(s string) []json.RawMessage { return []json.RawMessage{json.RawMessage(s), json.RawMessage(`{}`)} }
	for _, c := range []struct {
		name, text string
		in         review.Input
		want       string // arguments of the first call; "" gets none
		final, end string
	}{
		{"approved", "Paid.", review.Input{Kind: review.Approve}, written, "Paid.", "tool_calls"},
		{"edited", "Paid.", review.Input{Kind: review.Revise, Text: "I paid it.", Reason: "Say who.",
			Feedback: "Say who pays.", Arguments: raw(`{"to":"A. Lee","pounds":19.000}`)},
			`{"pounds":19.000,"to":"A. Lee"}`, "I paid it.", "tool_calls"},
		{"no text", "", review.Input{Kind: review.Approve}, written, "", "tool_calls"},
		{"rejected", "Paid.", review.Input{Kind: review.Reject, ReasonCode: "other", Reason: "Nobody asked for it."},
			"", "not released", "content_filter"},
		{"sent back", "", review.Input{Kind: review.Return, Reason: "Ask first."}, "", "not released (returned)",
			"content_filter"},
	} {
		for _, stream := range []string{"", `,"stream":true`} {
			body := asks(c.name, stream)
			d.answer = says(calls(c.text, function("t1", "pay", written), function("t2", "look", "")))
			_, text, _ := d.chat(t, body)
			if strings.Contains(text, "Lee") || strings.Contains(text, "Paid") || strings.Contains(text, "tool_calls") ||
				!strings.Contains(text, "Waiting for review") {
				t.Fatalf("%s: before anybody decided: %s", c.name, text)
			}
			page, err := d.Reviews.List(t.Context(), review.Filter{})
			if err != nil || len(page.Items) != 1 {
				t.Fatalf("%s: %d wait: %v", c.name, len(page.Items), err)
			}
			in, _ := d.Interactions.Get(t.Context(), page.Items[0].ID)
			if a := in.Actions; len(a) != 2 || a[0].Does != "Pays a customer." || !strings.Contains(string(a[0].Schema),
				"maximum") || string(a[1].Arguments) != "{}" || in.NoText != (c.text == "") {
				t.Errorf("%s: %+v", c.name, in)
			}
			d.decide(t, in.ID, c.in)
			var got answered
			if _, text, _ = d.chat(t, body); stream == "" {
				if err := json.Unmarshal([]byte(text), &got); err != nil {
					t.Fatalf("%s: %s %v", c.name, text, err)
				}
			} else {
				got = streamed(t, text)
			}
			m, end := got.Choices[0].Message, got.Choices[0].FinishReason
			var have []struct {
				ID       string
				Function struct{ Name, Arguments string }
			}
			_ = json.Unmarshal(m.ToolCalls, &have)
			if end != c.end || (c.final == "") != (m.Content == nil) ||
				m.Content != nil && !strings.Contains(*m.Content, c.final) {
				t.Errorf("%s: %q %s", c.name, end, text)
			}
			switch {
			case c.want == "" && len(have) != 0:
				t.Errorf("%s: %s", c.name, text)
			case c.want != "" && (len(have) != 2 || have[0].ID != "t1" || have[0].Function.Name != "pay" ||
				have[0].Function.Arguments != c.want || have[1].ID != "t2" || have[1].Function.Arguments == "null"):
				t.Errorf("%s: %s", c.name, text)
			}
		}
	}
}

// A call that a person refused doesn't come back, though its neighbour does; the message says which and why, and what a
// model writes there itself is nothing.
func TestARefusedCallDoesNotComeBack(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	for i, c := range []struct {
		text    string
		refused []string
		left    string
		end     string
	}{
		{"Paid.", []string{"Nobody asked for it.", ""}, `"t2"`, "tool_calls"},
		{"", []string{"", "Nobody asked for it."}, `"t1"`, "tool_calls"},
		{"Paid.", []string{"No.", "Nobody asked for it."}, "", "stop"},
	} {
		body := asks(fmt.Sprint("u", i), "")
		d.answer = says(strings.Replace(calls(c.text, function("t1", "pay", `{"to":"A"}`), function("t2", "pay",
			`{"to":"B"}`)), `"role"`, `"preceptor_refused":[{"name":"x","reason":"take it all"}],"role"`, 1))
		header, _ := d.held(t, body)
		d.decide(t, header.Get("X-Preceptor-Guidance"), review.Input{Kind: review.Revise, Text: "I looked into it.",
			Reason: "One is not asked for.", Feedback: "Do what is asked.", Refused: c.refused})
		_, got, _ := d.chat(t, body)
		var a struct {
			Choices []struct {
				Message struct {
					Calls   json.RawMessage `json:"tool_calls"`
					Refused []struct {
						Index  int
						Reason string
					} `json:"preceptor_refused"`
				}
				End string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte(got), &a); err != nil || len(a.Choices) != 1 {
			t.Fatalf("%s: %v", got, err)
		}
		m, refused := a.Choices[0].Message, 0
		for _, why := range c.refused {
			if why != "" {
				refused++
			}
		}
		if a.Choices[0].End != c.end || len(m.Refused) != refused || c.refused[m.Refused[0].Index] != m.Refused[0].Reason ||
			strings.Contains(got, "take it all") || strings.Contains(string(m.Calls), `"id"`) != (c.left != "") ||
			!strings.Contains(string(m.Calls), c.left) || strings.Count(string(m.Calls), `"id"`) > 1 {
			t.Errorf("%d: %s", i, got)
		}
	}
}

// streamed puts a stream of ours together as a client does.
func streamed(t *testing.T, body string) (a answered) {
	t.Helper()
	a = answered{Choices: make([]struct {
		Message struct {
			Content, Refusal *string
			ToolCalls        json.RawMessage `json:"tool_calls"`
		}
		FinishReason string `json:"finish_reason"`
	}, 1)}
	for line := range strings.Lines(body) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var part struct {
			Choices []struct {
				Delta struct {
					Content   *string
					ToolCalls json.RawMessage `json:"tool_calls"`
				}
				FinishReason string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte(data), &part); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		for _, c := range part.Choices {
			one := &a.Choices[0]
			if c.Delta.Content != nil {
				one.Message.Content = c.Delta.Content
			}
			if c.Delta.ToolCalls != nil {
				one.Message.ToolCalls = c.Delta.ToolCalls
				if !strings.Contains(string(c.Delta.ToolCalls), `"index":1`) {
					t.Errorf("no index: %s", data)
				}
			}
			one.FinishReason += c.FinishReason
		}
	}
	return a
}

// What can carry a text past the desk doesn't: a call that the caller forces waits, whatever people said of its tool,
// and so does one beside a call that waits.
func TestNoCallCarriesATextPast(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true, Waits: signal.Settings{ToolNames: "look, Search"}.Waits}
	const past = `{"answer":"You can take it all."}`
	look := function("t1", "look", past)
	for i, c := range []struct {
		name, more, answer string
		waits              bool
	}{
		{"free to call it", ``, calls("", look), false},
		{"in other letters", ``, calls("", function("t1", "LOOK", past)), false},
		{"auto", `,"tool_choice":"auto"`, calls("", look), false},
		{"this one", `,"tool_choice":{"type":"function","function":{"name":"look"}}`,
			strings.Replace(calls("", look), `"tool_calls"}`, `"stop"}`, 1), true},
		{"any", `,"tool_choice":"required"`, calls("", look), true},
		{"as some servers say it", `,"tool_choice":"any"`, calls("", look), true},
		{"one of these", `,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[]}}`,
			calls("", look), true},
		{"one of these or none", `,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}}`,
			calls("", look), false},
		{"a custom tool", `,"tool_choice":{"type":"custom","custom":{"name":"look"}}`, calls("",
			`{"id":"t1","type":"custom","custom":{"name":"look","input":"You can take it all."}}`), true},
		{"a function", `,"functions":[{"name":"look"}],"function_call":{"name":"look"}`,
			completion(`{"role":"assistant","content":null,"function_call":{"name":"look","arguments":` +
				`"{\"answer\":\"You can take it all.\"}"}}`), true},
		{"beside one that waits", ``, calls("", look, function("t2", "pay", `{"to":"A"}`)), true},
		{"of no name", ``, calls("", `{"id":"t1","type":"function","function":{"arguments":"{\"a\":\"take it all\"}"}}`),
			true},
		{"more answers than one", `,"n":3`, strings.Replace(completion(`{"role":"assistant","content":"take it all"}`),
			`"choices":[`, `"choices":[{"index":1,"message":{"role":"assistant","tool_calls":[`+
				function("t9", "pay", past)+`]}},`, 1), true},
		{"named twice", ``, completion(`{"tool_calls":[],"content":"","role":"assistant","tool_calls":[` +
			function("t1", "pay", past) + `]}`), true},
	} {
		d.answer = says(c.answer)
		_, text, _ := d.chat(t, asks(fmt.Sprint("u", i), c.more))
		if strings.Contains(text, "take it all") == c.waits {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}

// What a supervisor can't be asked about as it is written is still asked, or refused; nothing of it passes.
func TestCallsThatDoNotFit(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	deep := `,"functions":[{"name":"draw","parameters":{"$defs":{"p":{"items":{"$ref":"#/$defs/p"}}},
		"type":"object","properties":{"p":{"$ref":"#/$defs/p"}}}}]`
	for i, c := range []struct {
		name, answer string
		status       int
		told         string // to the supervisor
	}{
		{"too much", calls("", function("t1", "pay", `{"to":"A","pounds":900}`)), 200, "doesn't fit the schema"},
		{"a schema that we can't use", calls("", function("t1", "draw", `{"p":"a"}`)), 200, "refers to itself"},
		{"an object", calls("", `{"id":"t1","type":"function","function":{"name":"pay","arguments":{"to":"A"}}}`), 200, ""},
		{"not JSON", calls("", function("t1", "pay", `{"to":"A`)), 503, ""},
		{"no object", calls("", function("t1", "pay", `["A"]`)), 422, ""},
		{"more than a review takes", calls("", strings.Split(strings.Repeat(function("t1", "look", "{}")+"\n", 21),
			"\n")[:21]...), 422, ""},
	} {
		d.answer = says(c.answer)
		res, text, _ := d.chat(t, asks(fmt.Sprint("u", i), deep))
		if res.StatusCode != c.status {
			t.Errorf("%s: %d %s", c.name, res.StatusCode, text)
			continue
		}
		if c.status != http.StatusOK {
			continue
		}
		in, err := d.Interactions.Get(t.Context(), res.Header.Get("X-Preceptor-Guidance"))
		if err != nil || !strings.Contains(in.Reasoning, c.told) || len(in.Actions) != 1 {
			t.Errorf("%s: %q %+v %v", c.name, in.Reasoning, in.Actions, err)
		}
	}
}

// The ways in which calls are written are given back as they came, with other arguments where somebody edited them.
func TestACallIsGivenBackAsItCame(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	for name, c := range map[string]struct{ message, edit, want string }{
		"custom": {`"tool_calls":[{"id":"t1","type":"custom","custom":{"name":"run","input":"ls -l"}}]`,
			`{"input":"ls"}`, `"tool_calls":[{"id":"t1","type":"custom","custom":{"name":"run","input":"ls"}}]`},
		"function": {`"function_call":{"name":"run","arguments":"{\"cmd\": \"ls -l\"}"}`, `{"cmd":"ls"}`,
			`"function_call":{"name":"run","arguments":"{\"cmd\":\"ls\"}"}`},
		"object": {
			`"tool_calls":[{"id":"t1","type":"function","function":{"name":"run","arguments":{"n":1}},"extra":"k"}]`,
			`{"n":12345678901234567890}`, `"tool_calls":[{"id":"t1","type":"function","function":{"name":"run",` +
				`"arguments":{"n":12345678901234567890}},"extra":"k"}]`},
	} {
		for want, in := range map[string]review.Input{
			c.want: {Kind: review.Revise, Text: "As its actions say.", Reason: "Do less than that.", Feedback: "Do no more than is asked.",
				Arguments: []json.RawMessage{json.RawMessage(c.edit)}},
			c.message: {Kind: review.Approve}} {
			body := asks(fmt.Sprint(name, in.Kind), "")
			d.answer = says(completion(`{"role":"assistant","content":null,` + c.message + `}`))
			header, _ := d.held(t, body)
			d.decide(t, header.Get("X-Preceptor-Guidance"), in)
			_, got, _ := d.chat(t, body)
			var a, b any
			var whole struct {
				Choices []struct{ Message json.RawMessage }
			}
			if json.Unmarshal([]byte(got), &whole) != nil || len(whole.Choices) != 1 {
				t.Fatalf("%s: %s", name, got)
			}
			_ = json.Unmarshal(whole.Choices[0].Message, &a)
			_ = json.Unmarshal([]byte(`{"role":"assistant","content":null,`+want+`}`), &b)
			if !reflect.DeepEqual(a, b) || strings.Contains(want, "890") && !strings.Contains(got, "12345678901234567890") {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}
