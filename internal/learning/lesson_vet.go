package learning

import (
	"context"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// vet puts a statement to the base's one gate, for the lesson's agent and customer; src may be nil. A statement that a
// rule says already is refused where that matters by the caller.
func (p *Pipeline) vet(ctx context.Context, l Lesson, src *Source, st rule.Statement) (knowledge.Vetted, error) {
	return p.kb.Vet(ctx, p.vetting(l, src, st))
}

// Against is what says the opposite of a lesson's rule (Vetted.Against), after what a person decided of such rules;
// edited, where it is not nil, takes the statement's place.
func (p *Pipeline) Against(ctx context.Context, l Lesson, edited *rule.Statement,
	in knowledge.Instead) (knowledge.Vetted, error) {
	st := l.Statement
	if edited != nil {
		st = *edited
	}
	v, err := p.kb.VetInstead(ctx, p.vetting(l, l.Source, st), in)
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		err = nil
	}
	return v, err
}

func (p *Pipeline) vetting(l Lesson, src *Source, st rule.Statement) knowledge.Vetting {
	v := knowledge.Vetting{RuleID: l.RuleID, AgentID: l.AgentID, Pack: l.Pack, Domain: l.Domain, Statement: st}
	if l.SameAs {
		v.RuleID = ""
	}
	if src != nil {
		v.Situation = &src.Situation
	}
	return v
}

// refuseSame says that a rule in use says the same, as a fault of the form. One that waits as this one does is no
// hindrance: whichever is accepted first stands in the way of the other.
func refuseSame(same *knowledge.Rule) error {
	if same == nil || same.Status != knowledge.Active {
		return nil
	}
	return fault.Wrong("This rule adds nothing.", "do", "Rule "+same.Label()+" says the same.")
}

// sameRule reports whether b asks nothing that a does not ask of the same customers.
func sameRule(a, b rule.Statement) bool {
	return !a.Empty() && rule.Overlaps(b.When, a.When).Equal() && rule.Within(b.Do, a.Do)
}

// knownOf is a rule as a judge sees it.
func knownOf(r knowledge.Rule) Known {
	return Known{ID: r.ID, Number: r.Number, Status: r.Status, Text: r.Principle, Domain: r.Domain,
		Statement: r.Statement}
}

// ruleText is the text of a lesson's rule with what validation said of it.
func (l Lesson) ruleText() knowledge.RuleText {
	t := knowledge.RuleOf(l.Statement, pack.Of(l.Pack))
	t.Confidence, t.Provisional, t.FCACompliant, t.CreatedFrom = l.Confidence, l.Provisional, pack.Of(l.Pack).Checks,
		l.ID
	t.Noticed = l.Origin == Proposed && l.SentBack == 0
	return t
}
