package learning

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"preceptor/internal/llm"
	"preceptor/internal/platform/fault"
)

// spent is what the model calls of one step cost, in tokens as the server counted them, and which prompts they were
// asked with.
type spent struct {
	mu      sync.Mutex
	in, out int
	prompts []string
	failed  error // why the embedded reasoner answered instead
}

// onto writes the cost of a step on its record. What it was asked with stands in its input, beside what it was asked
// about.
func (s *spent) onto(step *Step, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	step.Duration, step.TokensIn, step.TokensOut = took, s.in, s.out
	if s.failed != nil {
		step.AnsweredBy = embeddedName + " (model failed: " + strings.TrimSuffix(fault.Message(s.failed), ".") + ")"
	}
	var input map[string]json.RawMessage
	if len(s.prompts) == 0 || json.Unmarshal(step.Input, &input) != nil || input == nil {
		return
	}
	slices.Sort(s.prompts)
	input["prompts"] = jsonOf(s.prompts)
	step.Input = jsonOf(input)
}

type meterKey struct{}

// withMeter is a context whose model calls are counted.
func withMeter(ctx context.Context) (context.Context, *spent) {
	s := new(spent)
	return context.WithValue(ctx, meterKey{}, s), s
}

// meter counts an answer for the step it was given to.
func meter(ctx context.Context, r llm.Response, prompts ...string) {
	s, ok := ctx.Value(meterKey{}).(*spent)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.in, s.out = s.in+r.InTokens, s.out+r.OutTokens
	for _, p := range prompts {
		if !slices.Contains(s.prompts, p) {
			s.prompts = append(s.prompts, p)
		}
	}
}

// fellBack notes that the model failed and the embedded reasoner answers.
func fellBack(ctx context.Context, why error) {
	if s, ok := ctx.Value(meterKey{}).(*spent); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.failed = why
	}
}

// modelDown is why the model gave no answer at all in this step; nil where it gave one, even one that can't be used.
func modelDown(ctx context.Context) error {
	s, ok := ctx.Value(meterKey{}).(*spent)
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.prompts) > 0 {
		return nil
	}
	return s.failed
}

// modelFailed reports whether the model has failed in this step.
func modelFailed(ctx context.Context) bool {
	s, ok := ctx.Value(meterKey{}).(*spent)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed != nil
}
