package proxy

import (
	"bytes"
	"encoding/json"
	"strings"
)

// completion is an answer, the provider's or ours, or a part of a stream of one.
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

// calls tells whether tools are called. Some servers send an empty list or null for none.
func (s *said) calls() bool { return s != nil && len(s.ToolCalls)+len(s.FunctionCall) > 0 }

// text is what is said to the user: the answer, or why there is none.
func (s *said) text() string {
	switch {
	case s == nil:
	case s.Content != nil && *s.Content != "":
		return *s.Content
	case s.Refusal != nil:
		return *s.Refusal
	}
	return ""
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
	calls := false
	for _, raw := range parts {
		var one completion
		if json.Unmarshal(raw, &one) != nil {
			continue // as [DONE]
		}
		for _, c := range one.Choices {
			if c.Index == 0 {
				s.model = one.Model
				s.text.WriteString(c.Message.text() + c.Delta.text())
				calls = calls || c.Message.calls() || c.Delta.calls()
			}
		}
	}
	s.whole = s.text.Len() > 0 && !calls
}
