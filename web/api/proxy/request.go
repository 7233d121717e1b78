package proxy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/turn"
)

// request is a call as it came, with what we look at. Everything else goes on byte by byte.
type request struct {
	raw      []byte
	at       map[string]gjson.Result // the values of the object
	messages []gjson.Result
}

// readRequest finds what we look at. A name that stands twice is refused: the provider might read the other one.
func readRequest(raw []byte) (*request, error) {
	body := gjson.ParseBytes(raw)
	if !gjson.ValidBytes(raw) || !body.IsObject() {
		return nil, fault.New(fault.Invalid, "The body is not a JSON object.")
	}
	r := &request{raw: raw, at: map[string]gjson.Result{}}
	var twice error
	body.ForEach(func(key, value gjson.Result) bool {
		if _, had := r.at[key.Str]; had {
			twice = fault.New(fault.Invalid, "%q appears twice in the body. Send it once.", key.Str)
		}
		r.at[key.Str] = value
		return true
	})
	if list := r.at["messages"]; list.IsArray() {
		r.messages = list.Array()
	}
	return r, twice
}

// name is a value that is a short text.
func (r *request) name(key string) string { return first(r.at[key].Str, turn.MaxName) }

func (r *request) streams() bool { return r.at["stream"].Type == gjson.True }

// structured reports whether the caller will read the answer as JSON.
func (r *request) structured() bool {
	return strings.HasPrefix(r.at["response_format"].Get("type").Str, "json")
}

// lastUser is the place of the user's last message; -1 without one.
func (r *request) lastUser() int {
	for i, m := range slices.Backward(r.messages) {
		if m.Get("role").Str == "user" {
			return i
		}
	}
	return -1
}

// query is what the user said last.
func (r *request) query() string {
	if i := r.lastUser(); i >= 0 {
		return content(r.messages[i])
	}
	return ""
}

// content is the text of a message, which may be in parts. What is no text (pictures, sound) counts as none.
func content(message gjson.Result) string {
	c := message.Get("content")
	texts := []string{c.Str}
	if c.IsArray() {
		texts = nil
		for _, part := range c.Get("#.text").Array() {
			if part.Str != "" {
				texts = append(texts, part.Str)
			}
		}
	}
	return strings.Join(texts, "\n")
}

// talk is what the user, the agent and its tools said, oldest first: as much of the end as a consultation takes, and
// how many messages were left out.
func (r *request) talk() ([]interaction.Message, int) {
	tools := map[string]string{}
	var list []interaction.Message
	if strings.TrimSpace(r.query()) == "" { // a picture: what was asked before isn't asked now
		return nil, 0
	}
	for i, m := range r.messages {
		for _, call := range callsOf(m) {
			tools[call.id] = call.name
		}
		role, ok := pack.RoleOf(m.Get("role").Str)
		one := interaction.Message{Role: role, Text: content(m)}
		if role == pack.FromTool {
			one.Text = first(one.Text, maxOutput)
			one.Tool = first(cmp.Or(tools[m.Get("tool_call_id").Str], m.Get("name").Str), turn.MaxName)
		}
		if i == r.lastUser() {
			one.Text = first(one.Text, interaction.MaxQuestion)
		}
		if ok && (strings.TrimSpace(one.Text) != "" || role == pack.FromTool) {
			list = append(list, one)
		}
	}
	return interaction.LastOf(list)
}

// session is the caller's id of the conversation; "" where it names none.
func (r *request) session(h http.Header) string {
	return first(cmp.Or(r.at["metadata"].Get("session_id").Str, h.Get(sessionHeader)), turn.MaxName)
}

// maxOutput is how much is kept of what a tool answered, in bytes: the model read all of it, and evaluators look for
// errors.
const maxOutput = 4 << 10

// steps are the tools that were used since, with what they answered.
func (r *request) steps() []turn.Step {
	answers := map[string]string{}
	since := r.messages[r.lastUser()+1:]
	for _, m := range since {
		if role, _ := pack.RoleOf(m.Get("role").Str); role == pack.FromTool {
			answers[cmp.Or(m.Get("tool_call_id").Str, m.Get("name").Str)] = content(m)
		}
	}
	out := []turn.Step{}
	for _, m := range since {
		for _, call := range callsOf(m) {
			input := json.RawMessage(call.arguments)
			if !gjson.Valid(call.arguments) {
				input, _ = json.Marshal(call.arguments) // a string always can
			}
			out = append(out, turn.Step{Tool: call.name, Input: input, Output: first(answers[call.id], maxOutput)})
		}
	}
	return out
}

// with is the body with memory as one more message, after those for the system; and asking for one whole answer rather
// than a stream, where somebody has to read it before it is used.
func (r *request) with(memory string, whole bool) []byte {
	type edit struct {
		from, to int
		text     string
	}
	var edits []edit
	if memory != "" && len(r.messages) > 0 {
		role, at := "system", 0
		for _, m := range r.messages {
			if said := m.Get("role").Str; said == "system" || said == "developer" {
				role, at = said, m.Index+len(m.Raw)
				continue
			}
			break
		}
		m, _ := json.Marshal(map[string]string{"role": role, "content": memory}) // texts always can
		text := "," + string(m)
		if at == 0 {
			at, text = r.at["messages"].Index+1, string(m)+","
		}
		edits = append(edits, edit{at, at, text})
	}
	if whole {
		for name, value := range map[string]string{"stream": "false", "stream_options": "null", "n": "1"} {
			if v, ok := r.at[name]; ok {
				edits = append(edits, edit{v.Index, v.Index + len(v.Raw), value})
			}
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from }) // from the end, so that places stay right
	out := bytes.Clone(r.raw)
	for _, e := range edits {
		out = slices.Replace(out, e.from, e.to, []byte(e.text)...)
	}
	return out
}

// first is the beginning of s, of at most this many bytes.
func first(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	return strings.ToValidUTF8(s[:bytes], "")
}
