// Package openai speaks to any server of the OpenAI protocol: OpenAI itself, Ollama, vLLM, llama.cpp and their like.
//
// It uses the official SDK for the wire and package llm for time-outs, retries, the breaker and the checks of what comes
// back. It takes nothing from the environment by itself: an OPENAI_API_KEY that happens to be set is not ours to use.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"preceptor/internal/fault"
	"preceptor/internal/llm"
)

const defaultURL = "https://api.openai.com/v1/"

func init() {
	llm.Register("openai", llm.Provider{
		Generator: func(c llm.Config) (llm.Generator, error) { return NewGenerator(c) },
		Embedder:  func(c llm.Config) (llm.Embedder, error) { return NewEmbedder(c) },
	})
}

func options(c llm.Config) []option.RequestOption {
	url := c.BaseURL
	if url == "" {
		url = defaultURL
	}
	key := c.APIKey
	if key == "" {
		key = "none" // local servers want no key, the SDK wants one
	}
	return []option.RequestOption{option.WithBaseURL(url), option.WithAPIKey(key), option.WithMaxRetries(0), option.WithHTTPClient(llm.HTTPClient())}
}

// classify turns the SDK's errors into faults.
func classify(name string, err error) error {
	if e, ok := errors.AsType[*openai.Error](err); ok && e.StatusCode != 0 {
		if e.Response != nil {
			return llm.StatusFault(name, e.StatusCode, e.Response.Header)
		}
		return llm.StatusFault(name, e.StatusCode, nil)
	}
	return err
}

// Generator asks for chat completions.
type Generator struct {
	chat   openai.ChatCompletionService
	caller *llm.Caller
	cfg    llm.Config
}

// NewGenerator needs c.Model.
func NewGenerator(c llm.Config) (*Generator, error) {
	if c.Model == "" {
		return nil, fault.New(fault.Invalid, "PRECEPTOR_LLM_MODEL is empty; name the model that is to answer.")
	}
	return &Generator{chat: openai.NewChatCompletionService(options(c)...), caller: llm.NewCaller("openai/"+c.Model, c), cfg: c}, nil
}

// Name is "openai/" and the model.
func (g *Generator) Name() string { return "openai/" + g.cfg.Model }

// Generate implements llm.Generator.
func (g *Generator) Generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	params, err := g.params(r)
	if err != nil {
		return llm.Response{}, err
	}
	return llm.Do(ctx, g.caller, func(ctx context.Context) (llm.Response, error) {
		answer, err := g.chat.New(ctx, params)
		if err != nil {
			return llm.Response{}, classify(g.Name(), err)
		}
		return g.read(answer, r)
	})
}

func (g *Generator) params(r llm.Request) (openai.ChatCompletionNewParams, error) {
	p := openai.ChatCompletionNewParams{Model: g.cfg.Model}
	if r.System != "" {
		p.Messages = append(p.Messages, openai.SystemMessage(r.System))
	}
	p.Messages = append(p.Messages, openai.UserMessage(r.Prompt))
	limit := int64(r.MaxTokens)
	if limit <= 0 {
		limit = 2048
	}
	if g.cfg.BaseURL == "" || strings.Contains(g.cfg.BaseURL, "api.openai.com") {
		p.MaxCompletionTokens = openai.Int(limit) // newer models of OpenAI refuse the old name
	} else {
		p.MaxTokens = openai.Int(limit) // which is the one that other servers know
	}
	if len(r.Schema) > 0 {
		var schema any
		if err := json.Unmarshal(r.Schema, &schema); err != nil {
			return p, err
		}
		p.ResponseFormat = openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: r.SchemaName, Schema: schema, Strict: openai.Bool(true)}}}
	}
	return p, nil
}

func (g *Generator) read(a *openai.ChatCompletion, r llm.Request) (llm.Response, error) {
	if a == nil || len(a.Choices) == 0 {
		return llm.Response{}, fault.Wrap(fault.Unavailable, llm.ErrContent, "The model %s gave no answer. Try again.", g.Name())
	}
	c := a.Choices[0]
	out := llm.Response{Text: c.Message.Content, Model: a.Model, InTokens: int(a.Usage.PromptTokens), OutTokens: int(a.Usage.CompletionTokens)}
	switch {
	case c.Message.Refusal != "" || c.FinishReason == "content_filter":
		return out, fault.New(fault.Invalid, "The model %s refused to answer this. Let a person handle it.", g.Name())
	case c.FinishReason == "length":
		return out, fault.Wrap(fault.Unavailable, llm.ErrContent, "The answer of the model %s was cut off. Try again.", g.Name())
	case out.Text == "":
		return out, fault.Wrap(fault.Unavailable, llm.ErrContent, "The model %s gave an empty answer. Try again.", g.Name())
	}
	return out, llm.CheckAnswer(g.Name(), r.Schema, out.Text)
}

// Embedder asks for embeddings.
type Embedder struct {
	embeddings openai.EmbeddingService
	caller     *llm.Caller
	cfg        llm.Config
	dims       atomic.Int64 // as configured, else as the first answer had it
}

// NewEmbedder needs c.EmbedModel.
func NewEmbedder(c llm.Config) (*Embedder, error) {
	if c.EmbedModel == "" {
		return nil, fault.New(fault.Invalid, "PRECEPTOR_LLM_EMBED_MODEL is empty; name the embedding model.")
	}
	e := &Embedder{embeddings: openai.NewEmbeddingService(options(c)...), caller: llm.NewCaller("openai/"+c.EmbedModel, c), cfg: c}
	e.dims.Store(int64(c.EmbedDims))
	return e, nil
}

// Name is "openai/" and the model.
func (e *Embedder) Name() string { return "openai/" + e.cfg.EmbedModel }

// Dims is the length of the vectors; 0 until the first answer when it was not configured.
func (e *Embedder) Dims() int { return int(e.dims.Load()) }

// Embed implements llm.Embedder.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	params := openai.EmbeddingNewParams{Model: e.cfg.EmbedModel, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts},
		EncodingFormat: openai.EmbeddingNewParamsEncodingFormatFloat}
	if e.cfg.EmbedDims > 0 {
		params.Dimensions = openai.Int(int64(e.cfg.EmbedDims))
	}
	return llm.Do(ctx, e.caller, func(ctx context.Context) ([][]float32, error) {
		answer, err := e.embeddings.New(ctx, params)
		if err != nil {
			return nil, classify(e.Name(), err)
		}
		if answer == nil { // the server said null
			return nil, llm.CheckVectors(e.Name(), nil, len(texts), e.Dims())
		}
		vectors := make([][]float32, len(texts))
		for _, d := range answer.Data {
			if d.Index < 0 || int(d.Index) >= len(vectors) {
				return nil, llm.CheckVectors(e.Name(), nil, len(texts), e.Dims())
			}
			vectors[d.Index] = narrow(d.Embedding)
		}
		if err := llm.CheckVectors(e.Name(), vectors, len(texts), e.Dims()); err != nil {
			return nil, err
		}
		e.dims.CompareAndSwap(0, int64(len(vectors[0])))
		return vectors, nil
	})
}

func narrow(v []float64) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return out
}
