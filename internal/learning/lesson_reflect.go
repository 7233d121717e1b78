package learning

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// reflect asks what the decision teaches.
func (p *Pipeline) reflect(ctx context.Context, l Lesson, src *Source) (outcome, error) {
	var err error
	if src.Better, err = p.better(ctx, src); err != nil {
		return outcome{}, err
	}
	by := p.reasoner.Name()
	r, seen := src.insight()
	if seen {
		by = src.By
	} else if r, err = p.reasoner.Reflect(ctx, *src); err != nil {
		return outcome{}, err
	}
	if !r.Nothing {
		if err := r.check(); err != nil {
			return outcome{}, err
		}
	}
	// The whole source stands in lesson_source; the step names what it looked at.
	in := map[string]any{"kind": src.Kind, "task": src.Task, "reason": src.Reason, "reason_code": src.ReasonCode, "feedback": src.Feedback, "flags": src.Flags}
	if len(src.Voices) > 0 {
		in["judges"], in["phrases"], in["label"] = src.Voices, src.Phrases, src.Label
	}
	if b := src.Better; b != nil && b.From != BetterHuman { // a person's stands in the source
		in["better"] = b
	}
	if src.Scores != nil {
		in["scores"] = src.Scores
	}
	if n, ok := src.note(StageReflect); ok {
		in["note"] = n
	}
	return outcome{
		step: Step{AnsweredBy: by, Input: jsonOf(in), Output: jsonOf(r)},
		change: func(_ *db.Tx, l *Lesson) error {
			if r.Nothing {
				l.State, l.Outcome = Nothing, r.Why
				return nil
			}
			l.Title, l.Problem, l.RootCause, l.Principle, l.Domain = r.Title, r.Problem, r.RootCause, r.Principle, r.Domain
			l.Stage = StageValidate
			return nil
		},
	}, nil
}

// check refuses a reflection that the rest of the path can't work with. A model may do better next time.
func (r *Reflection) check() error {
	bad := func(what string) error {
		return fault.New(fault.Unavailable, "The reflection came back without %s. It will be tried again.", what)
	}
	switch {
	case strings.TrimSpace(r.Principle) == "":
		return bad("a principle")
	case strings.TrimSpace(r.Problem) == "":
		return bad("a problem")
	case strings.TrimSpace(r.RootCause) == "":
		return bad("a root cause")
	case !slices.Contains(Domains, r.Domain):
		return bad("a known domain")
	}
	for _, c := range r.Conditions {
		if !slices.Contains(Conditions, c) {
			return bad("known conditions")
		}
	}
	if r.Title == "" {
		r.Title = firstWords(r.Principle, 8)
	}
	return nil
}

// firstWords is the beginning of text, at most n words.
func firstWords(text string, n int) string {
	ws := strings.Fields(text)
	if len(ws) <= n {
		return strings.Join(ws, " ")
	}
	return strings.Join(ws[:n], " ") + " …"
}
