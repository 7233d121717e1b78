package learned

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"preceptor/internal/llm"
	"preceptor/internal/privacy"
)

// The prompt's file never changes: other words are a new file with the next number.
//
//go:embed prompt/extract.v2.txt
var extractText string

var extractSchema = json.RawMessage(
	`{"type":"object","properties":{"learnings":{"type":"array","items":{"type":"object","properties":{` +
		`"category":{"type":"string","enum":["preference","correction","pattern","tool-usage"]},"quote":{"type":"string"},` +
		`"confidence":{"type":"string","enum":["high","medium","low"]},"once":{"type":"boolean"}},` +
		`"required":["category","quote","confidence"],"additionalProperties":false}}},` +
		`"required":["learnings"],"additionalProperties":false}`)

// Prompted asks a language model, to which the message goes pseudonymised. A quote that isn't in the message is
// dropped. Where the model fails, the embedded extractor answers.
type Prompted struct {
	gen      llm.Generator
	priv     *privacy.Pseudonymiser
	embedded *Embedded
}

// Of reads messages with the model, where there is one.
func Of(generator llm.Generator, priv *privacy.Pseudonymiser) Extractor {
	if generator == nil {
		return NewEmbedded()
	}
	return NewPrompted(generator, priv)
}

// NewPrompted makes the extractor on a model.
func NewPrompted(gen llm.Generator, priv *privacy.Pseudonymiser) *Prompted {
	return &Prompted{gen, priv, NewEmbedded()}
}

// Extract asks the model, or where it fails the embedded extractor.
func (p *Prompted) Extract(ctx context.Context, message string, limits Limits) ([]Learning, error) {
	if limits.short(message) {
		return nil, nil
	}
	safe, key := p.priv.Pseudonymise(message)
	_, fenced := llm.Fence(safe)
	r, err := p.gen.Generate(ctx, llm.Request{System: extractText, Prompt: fenced,
		SchemaName: "turn_learnings", Schema: extractSchema})
	var answer struct {
		Learnings []struct {
			Category, Quote, Confidence string
			Once                        bool
		}
	}
	if err == nil {
		err = llm.CheckAnswer(p.gen.Name(), extractSchema, r.Text)
	}
	if err == nil {
		err = r.Decode(&answer)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return p.embedded.Extract(ctx, message, limits)
	}
	var list []Learning
	for _, a := range answer.Learnings {
		quote := strings.TrimSpace(key.Restore(a.Quote))
		from := strings.Index(message, quote)
		known := slices.ContainsFunc(list, func(l Learning) bool {
			return l.Span[0] < from+len(quote) && from < l.Span[1]
		})
		if quote == "" || from < 0 || known || len(list) == limits.most() {
			continue
		}
		l := stated(message, a.Category, from, from+len(quote))
		if l.Confidence != High {
			l.Confidence = a.Confidence
		}
		l.Once = a.Once && l.Category == Correction
		list = append(list, l)
	}
	return list, nil
}
