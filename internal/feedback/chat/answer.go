package chat

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"preceptor/internal/feedback"
	"preceptor/internal/llm"
	"preceptor/internal/platform/fault"
	"preceptor/internal/privacy"
)

//go:embed prompt.txt
var prompt string

const (
	// longestAnswer bounds what a model may hand in, in bytes.
	longestAnswer = 20_000
	answerTokens  = 1_000
)

// said is one thing that was said, as a model is given it.
type said struct {
	Question string `json:"question"`
	Answer   string `json:"answer,omitempty"`
}

// fieldBreak parts the fields while they are pseudonymised together, so that one person has one token in all of them.
const fieldBreak = "\n\x1e\n"

// Prompted asks a language model, with what people liked before in its prompt and personal data taken out of the talk.
func Prompted(model llm.Generator, priv *privacy.Pseudonymiser) Answerer {
	return func(ctx context.Context, q Question) (Answer, error) {
		data, key, err := talkOf(q, priv)
		if err != nil {
			return Answer{}, err
		}
		r, err := model.Generate(ctx,
			llm.Request{System: feedback.Enhance(strings.ReplaceAll(prompt, "{agent}", q.Agent.Name), q.Examples),
				Prompt: data, MaxTokens: answerTokens})
		if err != nil {
			return Answer{}, err
		}
		text := strings.TrimSpace(key.Restore(r.Text))
		if text == "" || len(text) > longestAnswer {
			return Answer{}, fault.New(fault.Unavailable, "The model gave no usable answer. Ask again.")
		}
		a := Answer{Text: text, By: model.Name()}
		for _, e := range q.Examples {
			a.Examples = append(a.Examples, e.ID)
		}
		return a, nil
	}
}

// talkOf is the conversation as JSON without personal data, and how to put that back.
func talkOf(q Question, priv *privacy.Pseudonymiser) (data string, key privacy.Map, err error) {
	fields := make([]string, 0, 2*len(q.Earlier)+1)
	for _, o := range q.Earlier {
		fields = append(fields, o.Query, o.Response)
	}
	safe, key := priv.Pseudonymise(strings.Join(append(fields, q.Text), fieldBreak))
	parts := strings.Split(safe, fieldBreak)
	if len(parts) != len(fields)+1 {
		return "", nil, fault.New(fault.Invalid, "The question has characters that can't be sent to a model.")
	}
	var talk []said
	for i := 0; i+1 < len(parts); i += 2 {
		talk = append(talk, said{parts[i], parts[i+1]})
	}
	b, err := json.Marshal(map[string]any{"earlier": talk, "question": parts[len(parts)-1]})
	if err != nil {
		return "", nil, fmt.Errorf("chat: write the talk as JSON: %w", err)
	}
	return string(b), key, nil
}

// Liked answers with what people liked when they asked the same before, and has next answer everything else: what a
// desk without a model can learn from thumbs.
func Liked(e llm.Embedder, next Answerer) Answerer {
	return func(ctx context.Context, q Question) (Answer, error) {
		if len(q.Examples) > 0 {
			nearest, err := same(ctx, e, q)
			if err != nil {
				return Answer{}, err
			}
			if nearest != nil {
				return Answer{Text: nearest.Good, By: "an answer that people liked", Topic: nearest.Topic,
					Examples: []string{nearest.ID}}, nil
			}
		}
		return next(ctx, q)
	}
}

// same finds the example whose question is nearest to the one that is asked; nil when none asks the same.
func same(ctx context.Context, e llm.Embedder, q Question) (*feedback.Exemplar, error) {
	texts := []string{q.Text}
	for _, x := range q.Examples {
		texts = append(texts, x.Query)
	}
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	var best *feedback.Exemplar
	most := feedback.Similar
	for i := range q.Examples {
		if c := llm.Dot(vectors[0], vectors[i+1]); c >= most {
			best, most = &q.Examples[i], c
		}
	}
	return best, nil
}
