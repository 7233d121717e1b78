package learning

import (
	"context"
	"encoding/json"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// StepRollback is the step that a person adds who takes back what a lesson made, or brings it back.
const StepRollback = "rollback"

// RolledBack is what such a step says: what the lesson had made, so that it can be brought back.
type RolledBack struct {
	Reason string `json:"reason"`
	Rule   string `json:"rule,omitempty"` // the rule's status before; "" when it was left alone
	At     int    `json:"at,omitempty"`   // the version of the rule that took it out of use
	Case   bool   `json:"case,omitempty"` // its case left use
	Back   bool   `json:"back,omitempty"` // it was brought back
	Final  string `json:"final,omitempty"`
}

// MayRollBack reports whether there is something that can be taken back: a rule that was let in, or a case that was
// kept.
func (l Lesson) MayRollBack() bool { return l.State == Accepted }

// MayBringBack reports whether a person took the lesson back, and nothing has happened since that forbids to bring it
// back. It needs the steps.
func (l Lesson) MayBringBack() bool {
	r, ok := l.rolledBack()
	return ok && l.State == Withdrawn && !r.Back && r.Final == ""
}

// rolledBack is the last step of this kind.
func (l Lesson) rolledBack() (r RolledBack, ok bool) {
	for i := len(l.Steps) - 1; i >= 0; i-- {
		if l.Steps[i].Name == StepRollback {
			return r, json.Unmarshal(l.Steps[i].Output, &r) == nil
		}
	}
	return r, false
}

// RollBack takes back what a lesson made, with a reason: its rule and its case leave recall. A rule that another lesson
// made is left alone. Nothing is deleted, and BringBack undoes it. version is the lesson's as it was on the screen.
// Only experts and admins may.
func (p *Pipeline) RollBack(ctx context.Context, lessonID, reason string, version int, by knowledge.Person) error {
	return p.rollback(ctx, lessonID, reason, version, by,
		func(tx *db.Tx, l *Lesson, why knowledge.Change) (RolledBack, error) {
			var r RolledBack
			if !l.MayRollBack() {
				return r, fault.New(fault.Conflict, "Nothing that this lesson created is in use. Its status is: %s.",
					l.Summary())
			}
			if l.RuleID != "" && !l.SameAs {
				rule, err := p.kb.RuleTx(tx, l.RuleID)
				if err != nil {
					return r, err
				}
				if rule.Status == knowledge.Active || rule.Status == knowledge.Quarantined {
					r.Rule = rule.Status
					made, err := p.kb.SetRuleStatusTx(tx, rule.ID, knowledge.Retired, why)
					if err != nil {
						return r, err
					}
					r.At = made.Version
				}
			}
			if l.CaseState == CaseKept {
				if err := p.kb.RetireCaseTx(tx, l.CaseID, why); err != nil {
					return r, err
				}
				r.Case, l.CaseState = true, CaseWithdrawn
				if err := saveCaseTx(tx, l, CaseKept); err != nil {
					return r, err
				}
			}
			l.State, l.Outcome = Withdrawn, "Withdrawn by "+by.Name+": "+why.Reason
			return r, nil
		})
}

// BringBack undoes RollBack: the rule has the status again that it had, one from quarantine goes back there, and the
// case is in use. What was erased since stays away. A lesson whose decision was undone meanwhile can't be brought back,
// nor a rule that a person settled otherwise.
func (p *Pipeline) BringBack(ctx context.Context, lessonID, reason string, version int, by knowledge.Person) error {
	return p.rollback(ctx, lessonID, reason, version, by,
		func(tx *db.Tx, l *Lesson, why knowledge.Change) (RolledBack, error) {
			was, ok := l.rolledBack()
			if !ok || !l.MayBringBack() {
				if was.Final != "" {
					return was, fault.New(fault.Conflict, "It can't be restored. %s", was.Final)
				}
				return was, fault.New(fault.Conflict, "This lesson was not withdrawn. Its status is: %s.", l.Summary())
			}
			if was.Rule != "" {
				rule, err := p.kb.RuleTx(tx, l.RuleID)
				if err != nil {
					return was, err
				}
				if rule.Status != knowledge.Retired || rule.Version != was.At {
					return was, fault.New(fault.Conflict, "%s has been changed since. Check the rule's page.",
						rule.Label())
				}
				if _, err := p.kb.SetRuleStatusTx(tx, rule.ID, was.Rule, why); err != nil {
					return was, err
				}
			}
			if was.Case {
				switch err := p.kb.BringCaseBackTx(tx, l.CaseID, why); {
				case err == nil:
					l.CaseState = CaseKept
					if err := saveCaseTx(tx, l, CaseWithdrawn); err != nil {
						return was, err
					}
				case !fault.Is(err, fault.Conflict) || was.Rule == "":
					return was, err
				}
			}
			was.Back = true
			l.State, l.Outcome = Accepted, "Restored by "+by.Name+": "+why.Reason
			return was, nil
		})
}

// rollback does one of the two, with what both need.
func (p *Pipeline) rollback(ctx context.Context, lessonID, reason string, version int, by knowledge.Person,
	do func(*db.Tx, *Lesson, knowledge.Change) (RolledBack, error)) error {
	if err := by.May("withdraw or restore a lesson"); err != nil {
		return err
	}
	reason, err := text.Reason(reason, "undo", "Say why, for people who read the lesson later.")
	if err != nil {
		return err
	}
	return p.d.Write(ctx, func(tx *db.Tx) error {
		l, err := lessonTx(tx, lessonID)
		if err != nil {
			return err
		}
		if version != l.Version {
			return changedLesson()
		}
		if l.Steps, err = stepsTx(tx, l.ID); err != nil {
			return err
		}
		done, err := do(tx, &l, knowledge.Change{By: by.Actor(), Reason: reason})
		if err != nil {
			return err
		}
		done.Reason = reason
		if err := addStepTx(tx, l.ID,
			Step{Name: StepRollback, AnsweredBy: by.Name,
				Input: jsonOf(map[string]string{"lesson": l.ID}), Output: jsonOf(done)}); err != nil {
			return err
		}
		if err := saveTx(tx, &l); err != nil {
			return err
		}
		tx.Touch("knowledge")
		action := "lesson.rolled_back"
		if done.Back {
			action = "lesson.brought_back"
		}
		return audit.Note(tx, by.Actor(), action, "lesson", l.ID,
			map[string]any{"rule": l.RuleID, "case": l.CaseID, "reason": reason})
	})
}

// forbidBackTx notes on a lesson that a person took back that it can't be brought back: its cause was undone.
func forbidBackTx(tx *db.Tx, l Lesson, why string) (err error) {
	if l.Steps, err = stepsTx(tx, l.ID); err != nil || !l.MayBringBack() {
		return err
	}
	return addStepTx(tx, l.ID, Step{Name: StepRollback, AnsweredBy: me.Name,
		Input: jsonOf(map[string]string{"lesson": l.ID}), Output: jsonOf(RolledBack{Final: why})})
}
