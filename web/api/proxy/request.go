package proxy

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/fault"
	"preceptor/internal/signal"
	"preceptor/internal/signal/turn"
)

// request is a call as it came, with what we look at. Everything else goes on byte by byte.
type request struct {
	raw      []byte
	at       map[string]span // of the values of the object
	messages []message
	leading  int // where the messages with which it begins that are for the system end; 0 without messages
	system   string
}

// span is a part of the body.
type span struct{ from, to int }

// message is one of the conversation.
type message struct {
	Role      string     `json:"role"`
	Content   content    `json:"content"`
	ToolCalls []toolCall `json:"tool_calls"`
	AnswersTo string     `json:"tool_call_id"`
}

type toolCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// content is the text of a message, which may be in parts. What is no text (pictures, sound) counts as none.
type content string

// UnmarshalJSON never fails: what it can't read is for the provider to refuse.
func (c *content) UnmarshalJSON(b []byte) error {
	var whole string
	if json.Unmarshal(b, &whole) == nil {
		*c = content(whole)
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	var texts []string
	_ = json.Unmarshal(b, &parts)
	for _, p := range parts {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	*c = content(strings.Join(texts, "\n"))
	return nil
}

// readRequest finds what we look at and where it stands. A name that stands twice is refused: the provider might read the other one.
func readRequest(raw []byte) (*request, error) {
	r := &request{raw: raw, at: map[string]span{}, system: "system"}
	if !json.Valid(raw) || !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		return nil, fault.New(fault.Invalid, "The body is not a JSON object.")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, _ = dec.Token() // it is valid, so that nothing below fails
	for dec.More() {
		name, _ := dec.Token()
		key, _ := name.(string)
		if _, twice := r.at[key]; twice {
			return nil, fault.New(fault.Invalid, "%q stands twice in the body. Send it once.", key)
		}
		r.at[key] = next(dec)
	}
	r.readMessages()
	return r, nil
}

// next is where the decoder's next value stands.
func next(dec *json.Decoder) span {
	var v json.RawMessage
	_ = dec.Decode(&v)
	end := int(dec.InputOffset())
	return span{end - len(v), end}
}

func (r *request) readMessages() {
	list := r.at["messages"]
	raw := r.raw[list.from:list.to]
	if !bytes.HasPrefix(raw, []byte("[")) {
		return
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, _ = dec.Token()
	leads := true
	r.leading = list.from + 1
	for dec.More() {
		at := next(dec)
		var m message
		_ = json.Unmarshal(raw[at.from:at.to], &m)
		if leads = leads && (m.Role == "system" || m.Role == "developer"); leads {
			r.leading, r.system = list.from+at.to, m.Role
		}
		r.messages = append(r.messages, m)
	}
}

// read reads a value of the object into v, and leaves v as it is where the value is of another kind.
func (r *request) read(key string, v any) {
	if s, ok := r.at[key]; ok {
		_ = json.Unmarshal(r.raw[s.from:s.to], v)
	}
}

// name is a value that is a short text.
func (r *request) name(key string) (s string) {
	r.read(key, &s)
	return first(s, signal.MaxName)
}

func (r *request) streams() (yes bool) {
	r.read("stream", &yes)
	return yes
}

// structured tells whether the caller will read the answer as JSON.
func (r *request) structured() bool {
	var format struct {
		Type string `json:"type"`
	}
	r.read("response_format", &format)
	return strings.HasPrefix(format.Type, "json")
}

// lastUser is the place of the user's last message; -1 without one.
func (r *request) lastUser() int {
	for i := len(r.messages) - 1; i >= 0; i-- {
		if r.messages[i].Role == "user" {
			return i
		}
	}
	return -1
}

// query is what the user said last.
func (r *request) query() string {
	if i := r.lastUser(); i >= 0 {
		return string(r.messages[i].Content)
	}
	return ""
}

// maxOutput is how much is kept of what a tool answered, in bytes: the model read all of it, and evaluators look for errors.
const maxOutput = 4 << 10

// steps are the tools that were used since, with what they answered.
func (r *request) steps() (out []turn.Step) {
	answers := map[string]string{}
	since := r.messages[r.lastUser()+1:]
	for _, m := range since {
		if m.Role == "tool" {
			answers[m.AnswersTo] = string(m.Content)
		}
	}
	for _, m := range since {
		for _, c := range m.ToolCalls {
			out = append(out, turn.Step{Tool: c.Function.Name, Input: c.input(), Output: first(answers[c.ID], maxOutput)})
		}
	}
	return out
}

// input is the arguments, which a model writes as the text of an object, or should.
func (c toolCall) input() json.RawMessage {
	if json.Valid([]byte(c.Function.Arguments)) {
		return json.RawMessage(c.Function.Arguments)
	}
	text, _ := json.Marshal(c.Function.Arguments) // a string always can
	return text
}

// with is the body with memory as one more message, after those for the system; and asking for one whole answer rather than a stream,
// where somebody has to read it before it is used.
func (r *request) with(memory string, whole bool) []byte {
	edits := map[span]string{}
	if memory != "" && len(r.messages) > 0 {
		m, _ := json.Marshal(map[string]string{"role": r.system, "content": memory}) // texts always can
		at, text := span{r.leading, r.leading}, ","+string(m)
		if r.raw[r.leading-1] == '[' {
			text = string(m) + ","
		}
		edits[at] = text
	}
	if whole {
		for name, value := range map[string]string{"stream": "false", "stream_options": "null", "n": "1"} {
			if at, ok := r.at[name]; ok {
				edits[at] = value
			}
		}
	}
	places := slices.SortedFunc(maps.Keys(edits), func(a, b span) int { return b.from - a.from }) // from the end, so that places stay right
	out := bytes.Clone(r.raw)
	for _, at := range places {
		out = slices.Replace(out, at.from, at.to, []byte(edits[at])...)
	}
	return out
}
