package learning

import (
	"context"
	"errors"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// Accept lets a lesson's rule in: it is recalled from the next question on. text may be edited, which is one more
// refinement of the lesson and a new version of the rule, judged again by the deterministic guards (vet); empty means as it stands. version is the lesson's as it was on
// the screen. Only experts and admins may.
func (p *Pipeline) Accept(ctx context.Context, lessonID, text string, version int, by knowledge.Person) (knowledge.Rule, error) {
	var none knowledge.Rule
	if err := by.May("accept a rule"); err != nil {
		return none, err
	}
	l, err := p.Get(ctx, lessonID)
	if err != nil {
		return none, err
	}
	if err := acceptable(*l, version); err != nil {
		return none, err
	}
	if strings.TrimSpace(text) == "" {
		text = l.RuleText
	}
	if text, err = threeParts(text); err != nil {
		return none, asInvalid(err)
	}
	rule, err := p.kb.Rule(ctx, l.RuleID)
	if err != nil {
		return none, err
	}
	edited := text != l.RuleText
	var judged Step
	if edited {
		if judged, err = p.vet(ctx, *l, text); err != nil {
			return none, err
		}
	}
	p.acceptedText(rule, text, edited, by)
	if err := p.kb.PrepareRule(ctx, rule); err != nil {
		return none, err
	}
	var made knowledge.Rule
	err = p.d.Write(ctx, func(tx *db.Tx) error {
		cur, err := lessonTx(tx, l.ID)
		if err != nil {
			return err
		}
		if err := acceptable(cur, l.Version); err != nil {
			return err
		}
		if edited {
			if err := addStepTx(tx, l.ID, Step{Name: StageRefine, State: StepDone, AnsweredBy: by.Name,
				Input: jsonOf(map[string]string{"rule": cur.RuleText}), Output: jsonOf(map[string]string{"rule": text})}); err != nil {
				return err
			}
			if err := addStepTx(tx, l.ID, judged); err != nil {
				return err
			}
		}
		if err := addStepTx(tx, l.ID, Step{Name: StageAccept, State: StepDone, AnsweredBy: by.Name,
			Input: jsonOf(map[string]string{"rule": text}), Output: jsonOf(map[string]any{"accepted": true, "edited": edited})}); err != nil {
			return err
		}
		if made, err = p.kb.EditRuleTx(tx, *rule); err != nil {
			return err
		}
		cur.State, cur.RuleText, cur.Outcome = Accepted, text, "Accepted by "+by.Name+"."
		if err := saveTx(tx, &cur); err != nil {
			return err
		}
		tx.Touch("knowledge")
		return audit.Record(tx, audit.Entry{Actor: by.Actor(), Action: "lesson.accepted", ObjectKind: "lesson", ObjectID: l.ID,
			Content: map[string]any{"rule": made.ID, "number": made.Number, "version": made.Version, "text": text, "edited": edited}})
	})
	if errors.Is(err, errStale) {
		err = movedOn(*l)
	}
	if err != nil {
		return none, err
	}
	return made, nil
}

func (p *Pipeline) acceptedText(rule *knowledge.Rule, text string, edited bool, by knowledge.Person) {
	rule.Status, rule.By, rule.Reason = knowledge.Active, by.Actor(), "Accepted by "+by.Name+"."
	if !edited {
		return
	}
	pr, _ := pack.ParsePrinciple(text) // threeParts made sure that it parses
	rule.Principle, rule.Situation, rule.Action, rule.Because, rule.Lead = text, pr.Situation, pr.Action, pr.Because, pr.Lead()
	rule.Reason = "Edited and accepted by " + by.Name + "."
}

// acceptable tells why a lesson can't be accepted as it was seen; nil when it can.
func acceptable(l Lesson, version int) error {
	if l.Stage != StageAccept || l.State != Waiting {
		return movedOn(l)
	}
	if version != l.Version {
		return changedLesson()
	}
	return nil
}

func movedOn(l Lesson) error {
	switch l.State {
	case Accepted, Rejected, Withdrawn, Nothing:
		return fault.New(fault.Conflict, "This lesson is settled already: %s", strings.TrimSpace(l.Outcome))
	}
	return fault.New(fault.Conflict, "This lesson is not ready to be accepted. It stands at: %s.", l.Summary())
}

// asInvalid gives an unclassified reading error the kind of a form.
func asInvalid(err error) error {
	if fault.Is(err, fault.Invalid) {
		return err
	}
	return fault.WithFields("Write the rule as “When [situation], [action] because [reason]”.", fault.Field{Name: "text", Msg: "It does not say what to do."})
}

// Reject keeps a lesson's rule out, with a reason for whoever reads it later. version is the lesson's as it was on the
// screen. Only experts and admins may.
func (p *Pipeline) Reject(ctx context.Context, lessonID, reason string, version int, by knowledge.Person) error {
	if err := by.May("reject a rule"); err != nil {
		return err
	}
	reason = strings.TrimSpace(strings.ToValidUTF8(reason, "\uFFFD"))
	switch {
	case reason == "":
		return fault.WithFields("Say why the rule should not be used.", fault.Field{Name: "reason", Msg: "Say why, so that the same lesson is not proposed in vain again."})
	case len(reason) > maxNote:
		return fault.WithFields("The reason is too long.", fault.Field{Name: "reason", Msg: "At most 4,000 characters."})
	}
	return p.d.Write(ctx, func(tx *db.Tx) error {
		l, err := lessonTx(tx, lessonID)
		if err != nil {
			return err
		}
		if err := acceptable(l, version); err != nil {
			return err
		}
		if _, err := p.kb.SetRuleStatusTx(tx, l.RuleID, knowledge.Rejected, knowledge.Change{By: by.Actor(), Reason: reason}); err != nil {
			return err
		}
		if err := addStepTx(tx, l.ID, Step{Name: StageAccept, State: StepDone, AnsweredBy: by.Name,
			Input: jsonOf(map[string]string{"rule": l.RuleText}), Output: jsonOf(map[string]any{"accepted": false, "reason": reason})}); err != nil {
			return err
		}
		l.State, l.Outcome = Rejected, "Not accepted by "+by.Name+": "+reason
		if err := saveTx(tx, &l); err != nil {
			return err
		}
		tx.Touch("knowledge")
		return audit.Record(tx, audit.Entry{Actor: by.Actor(), Action: "lesson.rejected", ObjectKind: "lesson", ObjectID: l.ID,
			Content: map[string]any{"rule": l.RuleID, "reason": reason}})
	})
}

// Retry tries again what failed: the step the lesson stands at, its case, or both.
func (p *Pipeline) Retry(ctx context.Context, lessonID string, by knowledge.Person) error {
	return p.d.Write(ctx, func(tx *db.Tx) error {
		l, err := lessonTx(tx, lessonID)
		if err != nil {
			return err
		}
		if l.State != Failed && l.CaseState != CaseFailed {
			return fault.New(fault.Conflict, "Nothing of this lesson has failed. It stands at: %s.", l.Summary())
		}
		if l.CaseState == CaseFailed {
			l.CaseState = CaseRunning
			if err := saveCaseTx(tx, &l, CaseFailed); err != nil {
				return err
			}
			if err := p.enqueueTx(tx, l.ID, StageCase); err != nil {
				return err
			}
		}
		if l.State == Failed {
			l.State, l.Outcome, l.Attempts = Running, "Tried again at the request of "+by.Name+".", 0
			if l.Stage == StageCase {
				l.State = Waiting
			} else if err := p.enqueueTx(tx, l.ID, l.Stage); err != nil {
				return err
			}
			if err := saveTx(tx, &l); err != nil {
				return err
			}
		}
		return audit.Record(tx, audit.Entry{Actor: by.Actor(), Action: "lesson.retried", ObjectKind: "lesson", ObjectID: l.ID, Content: map[string]any{"stage": l.Stage}})
	})
}
