package learning

import (
	"context"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/pack"
)

// refine asks for the principle in its final form.
func (p *Pipeline) refine(ctx context.Context, l Lesson, src *Source) (outcome, error) {
	var r Reflection
	if err := p.d.Read(ctx, func(tx *db.Tx) error { return lastOutputTx(tx, l.ID, StageReflect, &r) }); err != nil {
		return outcome{}, err
	}
	in := map[string]any{"principle": r.Principle, "domain": r.Domain}
	if n, ok := src.note(StageRefine); ok {
		r.Note = &n
		in["note"] = n
	}
	text, err := p.reasoner.Refine(ctx, r)
	if err != nil {
		return outcome{}, err
	}
	rule, err := threeParts(text)
	if err != nil {
		return outcome{}, fault.Wrap(fault.Unavailable, err, "The refined rule came back without its three parts. It will be tried again.")
	}
	return outcome{
		step: Step{AnsweredBy: p.reasoner.Name(), Input: jsonOf(in), Output: jsonOf(map[string]string{"rule": rule})},
		change: func(_ *db.Tx, l *Lesson) error {
			l.RuleText, l.Stage = rule, StageJudge
			return nil
		},
	}, nil
}

// maxRule bounds a rule's text, in bytes; the sentence has to fit into a prompt many times over.
const maxRule = 1000

// threeParts checks that text is "When [situation], [action] because [reason]" and returns it with its spaces tidied.
func threeParts(text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	pr, err := pack.ParsePrinciple(text)
	if err != nil {
		return "", err
	}
	var missing []string
	if strings.TrimSpace(pr.Situation) == "" {
		missing = append(missing, "when it applies")
	}
	if strings.TrimSpace(pr.Action) == "" {
		missing = append(missing, "what to do")
	}
	if strings.TrimSpace(pr.Because) == "" {
		missing = append(missing, "why")
	}
	if len(missing) > 0 {
		return "", fault.WithFields("Write the rule as “When [situation], [action] because [reason]”.",
			fault.Field{Name: "text", Msg: "It does not say " + joinAnd(missing) + "."})
	}
	if len(text) > maxRule {
		return "", fault.WithFields("The rule is too long to be followed. Keep it to one sentence.", fault.Field{Name: "text", Msg: "At most 1,000 characters."})
	}
	return text, nil
}
