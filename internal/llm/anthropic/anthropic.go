// Package anthropic speaks to Anthropic's Messages API. It has no embeddings.
//
// It uses the official SDK for the wire and package llm for time-outs, retries, the breaker and the checks of what comes
// back. It takes nothing from the environment by itself.
package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"preceptor/internal/fault"
	"preceptor/internal/llm"
)

func init() {
	llm.Register("anthropic", llm.Provider{Generator: func(c llm.Config) (llm.Generator, error) { return NewGenerator(c) }})
}

// Generator asks for messages.
type Generator struct {
	messages anthropic.MessageService
	caller   *llm.Caller
	cfg      llm.Config
}

// NewGenerator needs c.Model and c.APIKey.
func NewGenerator(c llm.Config) (*Generator, error) {
	if c.Model == "" {
		return nil, fault.New(fault.Invalid, "PRECEPTOR_LLM_MODEL is empty; name the model that is to answer.")
	}
	if c.APIKey == "" {
		return nil, fault.New(fault.Invalid, "The provider anthropic needs a key: set PRECEPTOR_LLM_API_KEY_FILE.")
	}
	opts := []option.RequestOption{option.WithEnvironmentProduction(), option.WithAPIKey(c.APIKey), option.WithMaxRetries(0), option.WithHTTPClient(llm.HTTPClient())}
	if c.BaseURL != "" {
		opts = append(opts, option.WithBaseURL(c.BaseURL))
	}
	return &Generator{messages: anthropic.NewMessageService(opts...), caller: llm.NewCaller("anthropic/"+c.Model, c), cfg: c}, nil
}

// Name is "anthropic/" and the model.
func (g *Generator) Name() string { return "anthropic/" + g.cfg.Model }

// Generate implements llm.Generator.
func (g *Generator) Generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	params, err := g.params(r)
	if err != nil {
		return llm.Response{}, err
	}
	return llm.Do(ctx, g.caller, func(ctx context.Context) (llm.Response, error) {
		answer, err := g.messages.New(ctx, params)
		if err != nil {
			return llm.Response{}, g.classify(err)
		}
		return g.read(answer, r)
	})
}

func (g *Generator) classify(err error) error {
	if e, ok := errors.AsType[*anthropic.Error](err); ok && e.StatusCode != 0 {
		if e.Response != nil {
			return llm.StatusFault(g.Name(), e.StatusCode, e.Response.Header)
		}
		return llm.StatusFault(g.Name(), e.StatusCode, nil)
	}
	return err
}

func (g *Generator) params(r llm.Request) (anthropic.MessageNewParams, error) {
	limit := int64(r.MaxTokens)
	if limit <= 0 {
		limit = 2048
	}
	p := anthropic.MessageNewParams{Model: anthropic.Model(g.cfg.Model), MaxTokens: limit,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(r.Prompt))}}
	if r.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: r.System}}
	}
	if len(r.Schema) > 0 {
		var schema map[string]any
		if err := json.Unmarshal(r.Schema, &schema); err != nil {
			return p, err
		}
		p.OutputConfig = anthropic.OutputConfigParam{Format: anthropic.JSONOutputFormatParam{Schema: schema}}
	}
	return p, nil
}

func (g *Generator) read(a *anthropic.Message, r llm.Request) (llm.Response, error) {
	if a == nil { // the server said null
		return llm.Response{}, fault.Wrap(fault.Unavailable, llm.ErrContent, "The model %s gave no answer. Try again.", g.Name())
	}
	var text strings.Builder
	for _, block := range a.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	out := llm.Response{Text: text.String(), Model: string(a.Model), InTokens: int(a.Usage.InputTokens), OutTokens: int(a.Usage.OutputTokens)}
	switch {
	case a.StopReason == anthropic.StopReasonRefusal:
		return out, fault.New(fault.Invalid, "The model %s refused to answer this. Let a person handle it.", g.Name())
	case a.StopReason == anthropic.StopReasonMaxTokens:
		return out, fault.Wrap(fault.Unavailable, llm.ErrContent, "The answer of the model %s was cut off. Try again.", g.Name())
	case out.Text == "":
		return out, fault.Wrap(fault.Unavailable, llm.ErrContent, "The model %s gave no answer. Try again.", g.Name())
	}
	return out, llm.CheckAnswer(g.Name(), r.Schema, out.Text)
}
