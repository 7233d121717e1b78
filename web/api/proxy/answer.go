package proxy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// Reasons why an answer ends. filtered is also that of an answer of ours that says what became of a held one: a client
// takes it for no ordinary content.
const filtered, cut = "content_filter", "length"

// completion is an answer of ours, or a part of a stream of one.
type completion struct {
	ID      string          `json:"id"`
	Object  string          `json:"object"`
	Created int64           `json:"created"`
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage,omitempty"`
}

type choice struct {
	Index        int     `json:"index"`
	Message      *said   `json:"message,omitempty"`
	Delta        *said   `json:"delta,omitempty"`
	FinishReason *string `json:"finish_reason"`
}

type said struct {
	Role         string           `json:"role,omitempty"`
	Content      *words           `json:"content"`
	Refusal      *string          `json:"refusal,omitempty"`
	ToolCalls    []map[string]any `json:"tool_calls,omitempty"`
	FunctionCall map[string]any   `json:"function_call,omitempty"`
	Refused      []refusedCall    `json:"preceptor_refused,omitempty"` // ours alone: calls that a person refused
}

// words are a content: a text, or a list of parts, of which the texts count.
type words string

// UnmarshalJSON reads either.
func (w *words) UnmarshalJSON(b []byte) error {
	return json.Unmarshal([]byte(`"`+inside(gjson.ParseBytes(b))+`"`), (*string)(w))
}

// inside is what stands between the quotes of a content's texts. A pair of surrogates may be split over two pieces of a
// stream, so escapes are read only when all is there.
func inside(content gjson.Result) (raw string) {
	if content.Type == gjson.String {
		return content.Raw[1 : len(content.Raw)-1]
	}
	for _, part := range content.Array() {
		if kind := part.Get("type").Str; kind == "text" || kind == "output_text" || kind == "" {
			raw += inside(part.Get("text"))
		}
	}
	return raw
}

// heard is what a message, or a part of one, says to the user, as it stands between quotes, and whether it calls tools.
// Some servers send an empty list or null for none.
func heard(message gjson.Result) (raw string, calls bool) {
	if raw = inside(message.Get("content")); raw == "" {
		raw = inside(message.Get("refusal"))
	}
	return raw, len(message.Get("tool_calls").Array())+len(message.Get("function_call").Map()) > 0
}

// maxSeen bounds what is kept of an answer, in bytes; a longer one passes and is not recorded.
const maxSeen = 8 << 20

// capture is what was seen of an answer.
type capture struct {
	raw   bytes.Buffer
	whole bool // it arrived whole, and is a text
	model string
	text  string
}

func (s *capture) add(part []byte) {
	if s.raw.Len() <= maxSeen {
		s.raw.Write(part)
	}
}

// end reads what was seen. Of several choices the first counts. A stream is whole when it says that it ends, and
// neither an error nor a filter ended it.
func (s *capture) end(stream bool) {
	if s.raw.Len() > maxSeen {
		return
	}
	parts := [][]byte{s.raw.Bytes()}
	if stream {
		parts = nil
		for line := range bytes.Lines(s.raw.Bytes()) {
			if data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:")); ok {
				parts = append(parts, data)
			}
		}
	}
	tools, ended, broken := false, !stream, false
	var text strings.Builder
	for _, raw := range parts {
		ended = ended || string(bytes.TrimSpace(raw)) == "[DONE]"
		if !gjson.ValidBytes(raw) {
			continue
		}
		one := gjson.ParseBytes(raw)
		broken = broken || one.Get("error").IsObject() || one.Get("error").Str != ""
		for _, c := range one.Get("choices").Array() {
			if c.Get("index").Int() != 0 {
				continue
			}
			s.model = cmp.Or(one.Get("model").Str, s.model)
			end := c.Get("finish_reason").Str
			ended, broken = ended || end != "", broken || end == filtered || end == "error"
			for _, message := range []string{"message", "delta"} {
				raw, calls := heard(c.Get(message))
				text.WriteString(raw)
				tools = tools || calls
			}
		}
	}
	err := json.Unmarshal([]byte(`"`+text.String()+`"`), &s.text)
	s.whole = err == nil && s.text != "" && ended && !tools && !broken
}
