// Package openai speaks to any server of the OpenAI protocol: OpenAI itself, Ollama, vLLM, llama.cpp and their like.
//
// Package llm does the sending, the time-outs, the retries, the breaker and the checks of what comes back; here are the
// words of the protocol that we use. The official SDK has them all, and takes more than a minute to build.
package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"

	"preceptor/internal/llm"
	"preceptor/internal/platform/fault"
)

// DefaultURL is where OpenAI itself answers.
const DefaultURL = "https://api.openai.com/v1"

func init() {
	llm.Register("openai", llm.Provider{
		Generator: func(c llm.Config) (llm.Generator, error) { return NewGenerator(c) },
		Embedder:  func(c llm.Config) (llm.Embedder, error) { return NewEmbedder(c) },
	})
}

// post sends one question; without a key none is sent, as local servers want none.
func post(ctx context.Context, c llm.Config, name, path string, question []byte, answer any) error {
	header := http.Header{}
	if c.APIKey != "" {
		header.Set("Authorization", "Bearer "+c.APIKey)
	}
	return llm.Post(ctx, name, cmp.Or(c.BaseURL, DefaultURL), path, header, question, answer)
}

// Generator asks for chat completions.
type Generator struct {
	caller *llm.Caller
	cfg    llm.Config
}

// NewGenerator needs c.Model.
func NewGenerator(c llm.Config) (*Generator, error) {
	if c.Model == "" {
		return nil, fault.New(fault.Invalid, "PRECEPTOR_LLM_MODEL is empty; name the model that is to answer.")
	}
	return &Generator{caller: llm.NewCaller("openai/"+c.Model, c), cfg: c}, nil
}

// Name is "openai/" and the model.
func (g *Generator) Name() string { return "openai/" + g.cfg.Model }

type question struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
	// Newer models of OpenAI refuse the name max_tokens, which is the one that other servers know.
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type responseFormat struct {
	Type       string     `json:"type"`
	JSONSchema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type answer struct {
	Model   string `json:"model"`
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
	} `json:"usage"`
}

// Generate implements llm.Generator.
func (g *Generator) Generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	body, err := json.Marshal(g.question(r))
	if err != nil {
		return llm.Response{}, err
	}
	return llm.Do(ctx, g.caller, func(ctx context.Context) (llm.Response, error) {
		var a answer
		if err := post(ctx, g.cfg, g.Name(), "chat/completions", body, &a); err != nil {
			return llm.Response{}, err
		}
		return g.read(a, r)
	})
}

func (g *Generator) question(r llm.Request) question {
	q := question{Model: g.cfg.Model}
	if r.System != "" {
		q.Messages = append(q.Messages, message{Role: "system", Content: r.System})
	}
	q.Messages = append(q.Messages, message{Role: "user", Content: r.Prompt})
	if g.cfg.BaseURL == "" || strings.Contains(g.cfg.BaseURL, "api.openai.com") {
		q.MaxCompletionTokens = r.Limit()
	} else {
		q.MaxTokens = r.Limit()
	}
	if len(r.Schema) > 0 {
		q.ResponseFormat = &responseFormat{Type: "json_schema",
			JSONSchema: jsonSchema{Name: r.SchemaName, Strict: true, Schema: r.Schema}}
	}
	return q
}

func (g *Generator) read(a answer, r llm.Request) (llm.Response, error) {
	if len(a.Choices) == 0 {
		return llm.Response{}, fault.Wrap(fault.Unavailable, llm.ErrContent, "The model %s gave no answer. Try again.",
			g.Name())
	}
	c := a.Choices[0]
	out := llm.Response{Text: c.Message.Content, Model: a.Model, InTokens: a.Usage.PromptTokens,
		OutTokens: a.Usage.CompletionTokens}
	switch {
	case c.Message.Refusal != "" || c.FinishReason == "content_filter":
		return out, fault.New(fault.Invalid, "The model %s refused to answer this. Let a person handle it.", g.Name())
	case c.FinishReason == "length":
		return out, fault.Wrap(fault.Unavailable, llm.ErrContent, "The answer of the model %s was cut off. Try again.",
			g.Name())
	case out.Text == "":
		return out, fault.Wrap(fault.Unavailable, llm.ErrContent, "The model %s gave an empty answer. Try again.",
			g.Name())
	}
	return out, llm.CheckAnswer(g.Name(), r.Schema, out.Text)
}

// Embedder asks for embeddings.
type Embedder struct {
	caller *llm.Caller
	cfg    llm.Config
	dims   atomic.Int64 // as configured, else as the first answer had it
}

// NewEmbedder needs c.EmbedModel.
func NewEmbedder(c llm.Config) (*Embedder, error) {
	if c.EmbedModel == "" {
		return nil, fault.New(fault.Invalid, "PRECEPTOR_LLM_EMBED_MODEL is empty; name the embedding model.")
	}
	e := &Embedder{caller: llm.NewCaller("openai/"+c.EmbedModel, c), cfg: c}
	e.dims.Store(int64(c.EmbedDims))
	return e, nil
}

// Name is "openai/" and the model.
func (e *Embedder) Name() string { return "openai/" + e.cfg.EmbedModel }

// Dims is the length of the vectors; 0 until the first answer when it was not configured.
func (e *Embedder) Dims() int { return int(e.dims.Load()) }

type embedQuestion struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	Dimensions     int      `json:"dimensions,omitempty"`
	EncodingFormat string   `json:"encoding_format"`
}

type embedAnswer struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// Embed implements llm.Embedder.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	body, err := json.Marshal(embedQuestion{Model: e.cfg.EmbedModel, Input: texts, Dimensions: e.cfg.EmbedDims,
		EncodingFormat: "float"})
	if err != nil {
		return nil, err
	}
	return llm.Do(ctx, e.caller, func(ctx context.Context) ([][]float32, error) {
		var a embedAnswer
		if err := post(ctx, e.cfg, e.Name(), "embeddings", body, &a); err != nil {
			return nil, err
		}
		vectors := make([][]float32, len(texts))
		for _, d := range a.Data {
			if d.Index < 0 || d.Index >= len(vectors) {
				return nil, llm.CheckVectors(e.Name(), nil, len(texts), e.Dims())
			}
			vectors[d.Index] = d.Embedding
		}
		if err := llm.CheckVectors(e.Name(), vectors, len(texts), e.Dims()); err != nil {
			return nil, err
		}
		e.dims.CompareAndSwap(0, int64(len(vectors[0])))
		return vectors, nil
	})
}
