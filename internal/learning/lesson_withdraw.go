package learning

import (
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"strconv"
)

// WithdrawTx takes back whatever came of a decision that was undone, at whatever stage, in the undo's transaction: the
// lesson ends, its rule and its case leave recall, and a job that is running finds nothing to write to. Lessons that
// had ended because that rule said the same already are judged again, so that what they teach is not lost with it.
func (p *Pipeline) WithdrawTx(tx *db.Tx, decisionID string) error {
	return p.withdrawTx(tx, CauseDecision, decisionID)
}

// WithdrawRulingTx is WithdrawTx for a ruling that was taken back.
func (p *Pipeline) WithdrawRulingTx(tx *db.Tx, rulingID string) error {
	return p.withdrawTx(tx, CauseRuling, rulingID)
}

func (p *Pipeline) withdrawTx(tx *db.Tx, cause, causeID string) error {
	list, err := ofCauseTx(tx, cause, causeID)
	for i := 0; err == nil && i < len(list); i++ {
		err = p.withdrawOneTx(tx, list[i], cause)
	}
	return err
}

func (p *Pipeline) withdrawOneTx(tx *db.Tx, l Lesson, cause string) error {
	if l.State == Withdrawn {
		return forbidBackTx(tx, l, "The "+cause+" it came from was taken back.")
	}
	why := knowledge.Change{By: me, Reason: "The " + cause + " it came from was taken back."}
	if l.RuleID != "" && !l.SameAs {
		if err := p.withdrawRuleTx(tx, l, why); err != nil {
			return err
		}
	}
	if l.CaseState == CaseKept {
		if err := p.kb.RetireCaseTx(tx, l.CaseID, why); err != nil {
			return err
		}
		if err := p.liftTx(tx, l.CaseID); err != nil {
			return err
		}
		tx.Touch("knowledge")
	}
	if l.CaseState != CaseNone && l.CaseState != CaseWithdrawn {
		from := l.CaseState
		l.CaseState = CaseWithdrawn
		if err := saveCaseTx(tx, &l, from); err != nil {
			return err
		}
	}
	l.State, l.Outcome = Withdrawn, "The "+cause+" was taken back, so nothing is learned from it."
	return saveTx(tx, &l)
}

func (p *Pipeline) withdrawRuleTx(tx *db.Tx, l Lesson, why knowledge.Change) error {
	rule, err := p.kb.RuleTx(tx, l.RuleID)
	if err != nil {
		return err
	}
	if rule.Status != knowledge.Candidate && rule.Status != knowledge.Active && rule.Status != knowledge.Quarantined {
		return nil // a person settled it otherwise
	}
	if _, err := p.kb.SetRuleStatusTx(tx, rule.ID, knowledge.Withdrawn, why); err != nil {
		return err
	}
	tx.Touch("knowledge")
	if err := audit.Note(tx, me, "lesson.withdrawn", "lesson", l.ID, map[string]any{"rule": rule.ID}); err != nil {
		return err
	}
	return p.rejudgeTx(tx, l)
}

// rejudgeTx sends the lessons that were the same as l's rule back to the judge; the first will make the rule its own.
func (p *Pipeline) rejudgeTx(tx *db.Tx, l Lesson) error {
	same, err := lessonsTx(tx, `WHERE rule_id = $1 AND rule_id <> '' AND same_as = 1 AND state = 'nothing'
		ORDER BY created_at, id`, l.RuleID)
	if err != nil {
		return err
	}
	for i := range same {
		s := &same[i]
		s.Stage, s.State, s.RuleID, s.RuleNumber, s.SameAs = StageJudge, Running, "", 0, false
		s.Outcome = "Judged again, because rule R-" + strconv.Itoa(l.RuleNumber) + " was withdrawn."
		if err := saveTx(tx, s); err != nil {
			return err
		}
		if err := p.enqueueTx(tx, s.ID, StageJudge); err != nil {
			return err
		}
	}
	return nil
}
