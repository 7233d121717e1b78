package learning

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// reflect asks what a cause teaches. What a person stated is taken as it is, whoever the reasoner is.
func (p *Pipeline) reflect(ctx context.Context, _ Lesson, src *Source) (outcome, error) {
	by := p.reasoner.Name()
	var r Reflection
	var err error
	if len(src.Statements) > 0 {
		by = firstText(src.StatedBy, src.By, by)
		r, err = new(Embedded).Reflect(ctx, *src)
	} else {
		r, err = p.reasoner.Reflect(ctx, *src)
	}
	if err != nil {
		return outcome{}, err
	}
	if err := r.check(src.Situation.Pack); err != nil {
		return outcome{}, err
	}
	without := modelDown(ctx) != nil
	return outcome{
		step: Step{AnsweredBy: by, Input: jsonOf(src.material()), Output: jsonOf(r)},
		change: func(_ *db.Tx, l *Lesson) error {
			l.WithoutModel = without
			l.reflected(r)
			return nil
		},
		further: func(tx *db.Tx, l Lesson) error { return p.furtherTx(tx, l, *src, r.further()) },
	}, nil
}

// material names what a reflection looked at; the whole source stands in lesson_source.
func (s *Source) material() map[string]any {
	in := map[string]any{"kind": s.Kind, "task": s.Task, "reason": s.Reason, "reason_code": s.ReasonCode,
		"feedback": s.Feedback, "flags": s.Flags}
	if len(s.Voices) > 0 {
		in["judges"], in["phrases"], in["label"] = s.Voices, s.Phrases, s.Label
	}
	if s.Scores != nil {
		in["scores"] = s.Scores
	}
	if n, ok := s.note(StageReflect); ok {
		in["note"] = n
	}
	return in
}

// reflected takes a reflection over into its lesson: at its end, waiting for a sentence, or on to validation.
func (l *Lesson) reflected(r Reflection) {
	l.Problem, l.RootCause, l.Domain = r.Problem, r.RootCause, r.Domain
	l.Title = firstText(r.Title, l.Title)
	switch {
	case r.Nothing:
		l.State, l.Outcome = Nothing, r.Why
	case r.Unstated:
		l.State, l.Outcome = Unstated, r.Why
	default:
		l.state(r.Statements[0])
		l.Guessed, l.Principle, l.Stage, l.State = r.Guessed, l.RuleText, StageValidate, Running
	}
}

// further are the statements that lessons of their own are about.
func (r Reflection) further() []rule.Statement {
	if r.Nothing || r.Unstated {
		return nil
	}
	return r.Statements[1:]
}

// state gives a lesson its statement and the words of it.
func (l *Lesson) state(st rule.Statement) {
	text := knowledge.RuleOf(st, pack.Of(l.Pack))
	l.Statement, l.RuleText, l.Title = st, text.Principle, text.Title
}

// check refuses a reflection that the rest of the path can't work with. A model may do better next time.
func (r *Reflection) check(packName string) error {
	if r.Nothing || r.Unstated {
		return nil
	}
	bad := func(what string) error {
		return fault.New(fault.Unavailable, "The reflection came back without %s. It will be tried again.", what)
	}
	if len(r.Statements) == 0 {
		return bad("a statement")
	}
	for _, st := range r.Statements {
		if st.Check() != nil {
			return bad("a statement that can be carried out")
		}
	}
	if !slices.ContainsFunc(pack.Of(packName).Domains, func(d pack.RuleDomain) bool { return d.Name == r.Domain }) {
		r.Domain = lightest(packName)
	}
	r.Principle = strings.TrimSpace(knowledge.RuleOf(r.Statements[0], pack.Of(packName)).Principle)
	return nil
}
