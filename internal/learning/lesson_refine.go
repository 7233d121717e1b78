package learning

import (
	"context"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
)

// refine puts the statement into the seed's form, "When [situation], [action] because [reason]". It is rendered, so
// nobody is asked.
func (p *Pipeline) refine(_ context.Context, l Lesson, _ *Source) (outcome, error) {
	if l.Statement.Empty() {
		return oldForm(StageRefine), nil
	}
	text := knowledge.RuleOf(l.Statement, pack.Of(l.Pack)).Principle
	return outcome{
		step: Step{AnsweredBy: embeddedName, Input: jsonOf(map[string]any{"statement": l.Statement}),
			Output: jsonOf(map[string]string{"rule": text})},
		change: func(_ *db.Tx, l *Lesson) error {
			l.RuleText, l.Stage = text, StageJudge
			return nil
		},
	}, nil
}
