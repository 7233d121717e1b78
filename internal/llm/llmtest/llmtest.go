// Package llmtest is a scripted model for tests: it answers from a list and remembers what it was asked.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"preceptor/internal/llm"
)

// Script is a Generator that answers in order. It is safe for concurrent use.
type Script struct {
	mu      sync.Mutex
	answers []any
	asked   []llm.Request
	byName  map[string][]any
}

// New returns a script that gives the answers one after another: a string is sent as it is, an error is returned, a
// func(llm.Request) (string, error) is called, anything else is sent as JSON. Past the end every call fails.
func New(answers ...any) *Script { return &Script{answers: answers, byName: map[string][]any{}} }

// On gives the answers for requests of one schema name, before the common list is looked at; the last is repeated.
func (s *Script) On(schemaName string, answers ...any) *Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byName[schemaName] = append(s.byName[schemaName], answers...)
	return s
}

// Name is "scripted".
func (s *Script) Name() string { return "scripted" }

// Asked lists the requests so far.
func (s *Script) Asked() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]llm.Request(nil), s.asked...)
}

// Generate gives the next answer.
func (s *Script) Generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	next, err := s.next(r)
	if err != nil {
		return llm.Response{}, err
	}
	text, err := render(next, r)
	if err != nil {
		return llm.Response{}, err
	}
	return llm.Response{Text: text, Model: s.Name(), InTokens: len(r.Prompt) / 4, OutTokens: len(text) / 4}, nil
}

func (s *Script) next(r llm.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r)
	if list := s.byName[r.SchemaName]; len(list) > 0 {
		if len(list) > 1 {
			s.byName[r.SchemaName] = list[1:]
		}
		return list[0], nil
	}
	if len(s.answers) == 0 {
		return nil, errors.New("llmtest: the script has no answer left for " + r.SchemaName)
	}
	next := s.answers[0]
	s.answers = s.answers[1:]
	return next, nil
}

func render(answer any, r llm.Request) (string, error) {
	switch a := answer.(type) {
	case error:
		return "", a
	case string:
		return a, nil
	case func(llm.Request) (string, error):
		return a(r)
	default:
		b, err := json.Marshal(a)
		return string(b), err
	}
}
