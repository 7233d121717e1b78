package learning

import (
	"context"
	"slices"

	"preceptor/internal/fault"
)

// vet has the deterministic guards judge a rule that a person worded anew, as every rule is judged, whoever the reasoner is: the
// person who edits a sentence may not notice that it now pushes a choice, or that another rule says it already. The cases that the
// gate looked at spoke for the principle as it was; vet does not repeat them.
func (p *Pipeline) vet(ctx context.Context, l Lesson, text string) (Step, error) {
	rules, err := p.livingRules(ctx, l.AgentID)
	if err != nil {
		return Step{}, err
	}
	rules = slices.DeleteFunc(rules, func(k Known) bool { return k.ID == l.RuleID })
	c := Candidate{Rule: text, Domain: l.Domain, Helpful: l.Helpful, Tried: l.Tried, Provisional: l.Provisional, Known: nearest(rules, text, 5),
		Regulation: RelevantRegulation(text, l.Domain, p.d.Now())}
	j, err := p.guard.Judge(ctx, c)
	if err != nil {
		return Step{}, asInvalid(err)
	}
	if err := j.check(); err != nil {
		return Step{}, err
	}
	j.Regulation = cite(c.Regulation, j.Cites)
	if !j.Accept {
		return Step{}, fault.WithFields("As you worded it the rule would not have come this far.", fault.Field{Name: "text", Msg: j.Why})
	}
	if same := sameAmong(c.Known, text, j.SameAs); same != nil {
		return Step{}, fault.WithFields("As you worded it the rule adds nothing.", fault.Field{Name: "text", Msg: "Rule R-" + itoa(same.Number) + " says the same."})
	}
	return Step{Name: StageJudge, State: StepDone, AnsweredBy: p.guard.Name(), Input: jsonOf(c), Output: jsonOf(j)}, nil
}
