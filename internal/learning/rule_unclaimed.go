package learning

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
)

// mostUnclaimed bounds how many rules without a lesson are looked at.
const mostUnclaimed = 200

// Unclaimed lists the rules that wait for an expert and have no lesson here that does, by number, at most 200: they
// came in from a file while they waited there. They are accepted or rejected by themselves (AcceptRule, RejectRule).
func (p *Pipeline) Unclaimed(ctx context.Context) (list []knowledge.Rule, err error) {
	err = p.d.Read(ctx, func(tx *db.Tx) error {
		ids, err := p.unclaimedTx(tx)
		if err != nil {
			return err
		}
		for _, ruleID := range ids {
			r, err := p.kb.RuleTx(tx, ruleID)
			if err != nil {
				return err
			}
			list = append(list, *r)
		}
		return nil
	})
	return list, err
}

func (p *Pipeline) unclaimedTx(tx *db.Tx) (out []string, err error) {
	ids, err := p.kb.CandidateIDsTx(tx, mostUnclaimed)
	if err != nil {
		return nil, err
	}
	for _, ruleID := range ids {
		own, err := ownLessonTx(tx, ruleID)
		if err != nil {
			return nil, err
		}
		if own == nil {
			out = append(out, ruleID)
		}
	}
	return out, nil
}

// ownLessonTx is the lesson by which a waiting rule is accepted; nil when there is none.
func ownLessonTx(tx *db.Tx, ruleID string) (*Lesson, error) {
	list, err := lessonsTx(tx, `WHERE rule_id = $1 AND rule_id <> '' AND same_as = 0 AND `+onBoard+` LIMIT 1`, ruleID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// AcceptRule lets in a rule that waits and has no lesson, edited or as it stands. Whoever wrote it elsewhere, it goes
// through the base's gate here. The reason stands in the rule's history, because no trial of this desk speaks for it.
// version is the rule's as it was on the screen. Only experts and administrators may.
func (p *Pipeline) AcceptRule(ctx context.Context, ruleID string, instead knowledge.Instead, edited *rule.Statement,
	reason string, version int, by knowledge.Person) (made knowledge.Rule, err error) {
	r, err := p.unclaimed(ctx, ruleID, version, by)
	if err != nil {
		return made, err
	}
	if reason, err = text.Reason(reason, "reason",
		"Say why the advisor should follow it. It is kept in the rule's history."); err != nil {
		return made, err
	}
	packName, err := p.kb.PackOf(ctx, r.AgentID)
	if err != nil {
		return made, err
	}
	l := Lesson{AgentID: r.AgentID, RuleID: r.ID, Domain: r.Domain, Pack: packName, ID: r.CreatedFrom,
		Confidence: r.Confidence, Provisional: r.Provisional}
	changed, err := p.accept(ctx, &l, r, edited, instead, reason, by)
	if err != nil {
		return made, err
	}
	err = p.d.Write(ctx, func(tx *db.Tx) error {
		if err := stillUnclaimedTx(tx, r.ID); err != nil {
			return err
		}
		if err := p.kb.RetireForTx(tx, instead, r.Principle, by); err != nil {
			return err
		}
		if made, err = p.kb.EditRuleTx(tx, *r); err != nil {
			return err
		}
		if err := p.kb.ExceptTx(tx, made, instead.Except, "accepted", by); err != nil {
			return err
		}
		return audit.Note(tx, by.Actor(), "rule.accepted", "rule", r.ID,
			map[string]any{"number": made.Number, "version": made.Version, "edited": changed, "reason": made.Reason})
	})
	return made, err
}

// RejectRule keeps out a rule that waits and has no lesson, with a reason. version is the rule's as it was on the
// screen. Only experts and administrators may.
func (p *Pipeline) RejectRule(ctx context.Context, ruleID, reason string, version int, by knowledge.Person) error {
	rule, err := p.unclaimed(ctx, ruleID, version, by)
	if err != nil {
		return err
	}
	if reason, err = text.Reason(reason, "reason",
		"Say why the advisor should not follow it. It is kept in the rule's history."); err != nil {
		return err
	}
	return p.d.Write(ctx, func(tx *db.Tx) error {
		if err := stillUnclaimedTx(tx, rule.ID); err != nil {
			return err
		}
		_, err := p.kb.SetRuleStatusTx(tx, rule.ID, knowledge.Rejected,
			knowledge.Change{By: by.Actor(), Reason: reason, Version: version})
		return err
	})
}

// unclaimed reads a rule for somebody who wants to settle it, or says why they can't.
func (p *Pipeline) unclaimed(ctx context.Context, ruleID string, version int,
	by knowledge.Person) (*knowledge.Rule, error) {
	if err := by.May("accept or reject a rule"); err != nil {
		return nil, err
	}
	r, err := p.kb.Rule(ctx, ruleID)
	switch {
	case err != nil:
		return nil, err
	case r.Status != knowledge.Candidate:
		return nil, fault.New(fault.Conflict, "%s is no longer waiting for a decision. Check it again.", r.Label())
	case r.Version != version:
		return nil, fault.New(fault.Conflict,
			"%s has changed: it is now at version %d and you saw version %d. Check it again.", r.Label(), r.Version,
			version)
	}
	return r, nil
}

func stillUnclaimedTx(tx *db.Tx, ruleID string) error {
	own, err := ownLessonTx(tx, ruleID)
	if err == nil && own != nil {
		err = fault.New(fault.Conflict, "A lesson asks for this rule. Accept or reject it there.")
	}
	return err
}
