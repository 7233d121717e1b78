// Package anthropic speaks to Anthropic's Messages API. It has no embeddings.
//
// Package llm does the sending, the time-outs, the retries, the breaker and the checks of what comes back; here are the
// words of the protocol that we use. The official SDK has them all, and takes a good minute to build.
package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"preceptor/internal/llm"
	"preceptor/internal/platform/fault"
)

const (
	defaultURL = "https://api.anthropic.com"
	version    = "2023-06-01" // of the protocol
)

func init() {
	llm.Register("anthropic", llm.Provider{Generator: func(c llm.Config) (llm.Generator, error) {
		return NewGenerator(c)
	}})
}

// Generator asks for messages.
type Generator struct {
	caller *llm.Caller
	cfg    llm.Config
	header http.Header
}

// NewGenerator needs c.Model and c.APIKey.
func NewGenerator(c llm.Config) (*Generator, error) {
	if c.Model == "" {
		return nil, fault.New(fault.Invalid, "PRECEPTOR_LLM_MODEL is empty; name the model that is to answer.")
	}
	if c.APIKey == "" {
		return nil, fault.New(fault.Invalid, "The provider anthropic needs a key: set PRECEPTOR_LLM_API_KEY_FILE.")
	}
	c.BaseURL = cmp.Or(c.BaseURL, defaultURL)
	return &Generator{caller: llm.NewCaller("anthropic/"+c.Model, c), cfg: c,
		header: http.Header{"X-Api-Key": {c.APIKey}, "Anthropic-Version": {version}}}, nil
}

// Name is "anthropic/" and the model.
func (g *Generator) Name() string { return "anthropic/" + g.cfg.Model }

type question struct {
	Model        string        `json:"model"`
	MaxTokens    int           `json:"max_tokens"`
	System       []block       `json:"system,omitempty"`
	Messages     []message     `json:"messages"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type outputConfig struct {
	Format format `json:"format"`
}

type format struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

type answer struct {
	Model      string  `json:"model"`
	Content    []block `json:"content"`
	StopReason string  `json:"stop_reason"`
	Usage      struct {
		InputTokens  int `json:"input_tokens"`
		OutputTokens int `json:"output_tokens"`
	} `json:"usage"`
}

// Generate implements llm.Generator.
func (g *Generator) Generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	q := question{Model: g.cfg.Model, MaxTokens: r.Limit(),
		Messages: []message{{Role: "user", Content: text(r.Prompt)}}}
	if r.System != "" {
		q.System = text(r.System)
	}
	if len(r.Schema) > 0 {
		q.OutputConfig = &outputConfig{Format: format{Type: "json_schema", Schema: r.Schema}}
	}
	body, err := json.Marshal(q)
	if err != nil {
		return llm.Response{}, err
	}
	return llm.Do(ctx, g.caller, func(ctx context.Context) (llm.Response, error) {
		var a answer
		if err := llm.Post(ctx, g.Name(), g.cfg.BaseURL, "v1/messages", g.header, body, &a); err != nil {
			return llm.Response{}, err
		}
		return g.read(a, r)
	})
}

func text(s string) []block { return []block{{Type: "text", Text: s}} }

func (g *Generator) read(a answer, r llm.Request) (llm.Response, error) {
	var text strings.Builder
	for _, b := range a.Content {
		if b.Type == "text" {
			text.WriteString(b.Text)
		}
	}
	out := llm.Response{Text: text.String(), Model: a.Model, InTokens: a.Usage.InputTokens,
		OutTokens: a.Usage.OutputTokens}
	switch {
	case a.StopReason == "refusal":
		return out, fault.New(fault.Invalid, "The model %s refused to answer this. Let a person handle it.", g.Name())
	case a.StopReason == "max_tokens":
		return out, fault.Wrap(fault.Unavailable, llm.ErrContent, "The answer of the model %s was cut off. Try again.",
			g.Name())
	case out.Text == "":
		return out, fault.Wrap(fault.Unavailable, llm.ErrContent, "The model %s gave no answer. Try again.", g.Name())
	}
	return out, llm.CheckAnswer(g.Name(), r.Schema, out.Text)
}
