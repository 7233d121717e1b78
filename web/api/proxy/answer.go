package proxy

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

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
	Content      *string          `json:"content"`
	Refusal      *string          `json:"refusal,omitempty"`
	ToolCalls    []map[string]any `json:"tool_calls,omitempty"`
	FunctionCall map[string]any   `json:"function_call,omitempty"`
}

// heard is what a message, or a part of one, says to the user, and whether it calls tools. Some servers send an empty list or null for none.
func heard(message gjson.Result) (text string, calls bool) {
	text = message.Get("content").Str
	if text == "" {
		text = message.Get("refusal").Str
	}
	return text, len(message.Get("tool_calls").Array())+len(message.Get("function_call").Map()) > 0
}

// maxSeen bounds what is kept of an answer, in bytes; a longer one passes and is not recorded.
const maxSeen = 8 << 20

// capture is what was seen of an answer.
type capture struct {
	raw   bytes.Buffer
	whole bool // it arrived whole, and is a text
	model string
	text  strings.Builder
}

func (s *capture) add(part []byte) {
	if s.raw.Len() <= maxSeen {
		s.raw.Write(part)
	}
}

// end reads what was seen. Of several choices the first counts.
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
	tools := false
	for _, raw := range parts {
		if !gjson.ValidBytes(raw) {
			continue // as [DONE]
		}
		one := gjson.ParseBytes(raw)
		for _, c := range one.Get("choices").Array() {
			if c.Get("index").Int() != 0 {
				continue
			}
			s.model = one.Get("model").Str
			for _, message := range []string{"message", "delta"} {
				text, calls := heard(c.Get(message))
				s.text.WriteString(text)
				tools = tools || calls
			}
		}
	}
	s.whole = s.text.Len() > 0 && !tools
}
