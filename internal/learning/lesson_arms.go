package learning

import (
	"context"
	"slices"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// Drafter writes what the advisor would say to a customer under rules, in words, and what it is given for that customer from the
// knowledge of the agent; caseID is the case that is being looked at, which it must not be shown. It has to be deterministic and
// cheap: each case is drafted twice. The pipeline is handed one from outside, since drafting stands above learning.
type Drafter func(ctx context.Context, d DraftFor) (string, error)

// DraftFor is what a draft is asked for.
type DraftFor struct {
	AgentID   string
	CaseID    string
	Situation pack.Situation
	Rules     []string
}

// UseDrafter sets who writes the two drafts of a pair. Without one an approved case that nobody corrected says nothing about a rule:
// the advisor may do without it what the rule asks.
func (p *Pipeline) UseDrafter(d Drafter) { p.drafter = d }

// arms are the advisor's two drafts for the customer of one case: under the rules in use, and under the same and the one on trial.
type arms struct {
	Without, With string
}

// draftArms writes both drafts of a case. A rule in use that says the same as the one on trial stays out of both.
func (p *Pipeline) draftArms(ctx context.Context, agentID string, t trial, inUse []string) (*arms, error) {
	if p.drafter == nil || t.Kind != TestExemplar {
		return nil, nil
	}
	inUse = slices.DeleteFunc(slices.Clone(inUse), func(r string) bool { return sameRule(r, t.Principle) })
	d := DraftFor{AgentID: agentID, CaseID: t.caseID, Situation: t.Situation, Rules: inUse}
	without, err := p.drafter(ctx, d)
	if err != nil {
		return nil, err
	}
	d.Rules = append(inUse, t.Principle)
	with, err := p.drafter(ctx, d)
	if err != nil {
		return nil, err
	}
	return &arms{Without: without, With: with}, nil
}

// rulesInUse are the active rules that an agent sees, in words.
func (p *Pipeline) rulesInUse(ctx context.Context, agentID string) ([]string, error) {
	if p.drafter == nil {
		return nil, nil
	}
	rules, err := p.livingRules(ctx, agentID)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range rules {
		if r.Status == knowledge.Active {
			out = append(out, r.Text)
		}
	}
	return out, nil
}

// pairVerdict is what a pair says: the same case with the rule and without it. Where both come out the same the rule made no
// difference, however good it sounds, and the case says nothing.
func pairVerdict(with, without bool) string {
	switch {
	case with && !without:
		return Helped
	case !with && without:
		return Hurt
	}
	return Silent
}
