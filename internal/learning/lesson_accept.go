package learning

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
)

// Accept lets a lesson's rule in: it is recalled from the next question on. edited, where it is not nil, takes the
// statement's place: a new version of the rule, whose validation begins again. Either way it goes through the base's
// gate; what that refuses is Invalid, with fields as in rule.Check. version is the lesson's as it was on the screen.
// Only experts and admins may.
func (p *Pipeline) Accept(ctx context.Context, lessonID string, edited *rule.Statement, version int,
	by knowledge.Person) (knowledge.Rule, error) {
	return p.AcceptInstead(ctx, lessonID, knowledge.Instead{}, edited, version, by)
}

// AcceptInstead is Accept with what is decided of rules in use that say the opposite.
func (p *Pipeline) AcceptInstead(ctx context.Context, lessonID string, instead knowledge.Instead,
	edited *rule.Statement, version int, by knowledge.Person) (knowledge.Rule, error) {
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
	rule, err := p.kb.Rule(ctx, l.RuleID)
	if err != nil {
		return none, err
	}
	changed, err := p.accept(ctx, l, rule, edited, instead, "", by)
	if err != nil {
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
		if changed {
			if err := p.editedTx(tx, &cur, *l, by); err != nil {
				return err
			}
		}
		if err := addStepTx(tx, l.ID, Step{Name: StageAccept, AnsweredBy: by.Name,
			Input:  jsonOf(map[string]string{"rule": l.RuleText}),
			Output: jsonOf(map[string]any{"accepted": true, "edited": changed})}); err != nil {
			return err
		}
		if err := p.kb.RetireForTx(tx, instead, l.RuleText, by); err != nil {
			return err
		}
		if made, err = p.kb.EditRuleTx(tx, *rule); err != nil {
			return err
		}
		if err := p.kb.ExceptTx(tx, made, instead.Except, "accepted", by); err != nil {
			return err
		}
		cur.Statement, cur.RuleText, cur.Title, cur.Guessed = l.Statement, l.RuleText, l.Title, false
		cur.State, cur.Outcome = Accepted, strings.Replace(rule.Reason, "Edited and a", "A", 1)
		if err := saveTx(tx, &cur); err != nil {
			return err
		}
		tx.Touch("knowledge")
		return audit.Note(tx, by.Actor(), "lesson.accepted", "lesson", l.ID,
			map[string]any{"rule": made.ID, "number": made.Number, "version": made.Version, "text": l.RuleText,
				"edited": changed, "reason": made.Reason})
	})
	if errors.Is(err, errStale) {
		err = movedOn(*l)
	}
	if err != nil {
		return none, err
	}
	return made, nil
}

// accept puts the statement that a person accepts, edited or as it is, through the base's gate, and into the lesson and
// the rule, which is then ready to be used. It reports whether it is another one than before: nothing that was known of
// the old one holds for it.
func (p *Pipeline) accept(ctx context.Context, l *Lesson, r *knowledge.Rule, edited *rule.Statement,
	instead knowledge.Instead, reason string, by knowledge.Person) (changed bool, err error) {
	was := r.Statement
	if l.Statement.Empty() {
		l.Statement = was
	}
	st := l.Statement
	if edited != nil {
		st = edited.Tidy()
	}
	if st.Empty() {
		return false, fault.Wrong("This rule was written before rules had a set form.", "do",
			"Choose what to do, and for whom.")
	}
	v, err := p.kb.VetInstead(ctx, p.vetting(*l, l.Source, st), instead)
	if err == nil {
		err = cmp.Or(refuseSame(v.Same), v.Refuse())
	}
	if err != nil {
		return false, err
	}
	*r = r.Restate(v, pack.Of(l.Pack))
	l.state(v.Statement)
	r.Status, r.By, r.Reason = knowledge.Active, by.Actor(), "Accepted by "
	if changed = !sameStatement(was, v.Statement); changed {
		l.Guessed = false
		l.tried(p.policy.gate(nil))
		r.Reason = "Edited and accepted by "
	}
	decided, err := p.kb.Decided(ctx, r, instead)
	if err != nil {
		return false, err
	}
	r.Reason = strings.TrimSpace(r.Reason + by.Name + decided + ". " + reason)
	return changed, p.kb.PrepareRule(ctx, r)
}

// sameStatement reports whether two statements ask for the same of the same customers, to the letter; the reason is no
// part of it.
func sameStatement(a, b rule.Statement) bool {
	return reflect.DeepEqual(a.Do, b.Do) && slices.EqualFunc(a.When, b.When, func(x, y rule.Condition) bool {
		return reflect.DeepEqual(x, y)
	})
}

// editedTx takes an edited statement over into its lesson, and has it tried on the cases that there are.
func (p *Pipeline) editedTx(tx *db.Tx, cur *Lesson, l Lesson, by knowledge.Person) error {
	if err := addStepTx(tx, l.ID, Step{Name: StageRefine, AnsweredBy: by.Name,
		Input:  jsonOf(map[string]any{"rule": cur.RuleText, "statement": cur.Statement}),
		Output: jsonOf(map[string]any{"rule": l.RuleText, "statement": l.Statement})}); err != nil {
		return err
	}
	return p.untriedTx(tx, cur, l.Statement)
}

// untriedTx notes that nothing is known of a lesson's new statement, and has it tried on the cases that there are.
func (p *Pipeline) untriedTx(tx *db.Tx, l *Lesson, st rule.Statement) error {
	l.tried(p.policy.gate(nil))
	if err := addStepTx(tx, l.ID, Step{Name: StageValidate, AnsweredBy: embeddedName,
		Input:  jsonOf(map[string]any{"statement": st, "edited": true}),
		Output: jsonOf(p.policy.gate(nil))}); err != nil {
		return err
	}
	return p.jobs.InsertTx(tx, RetestArgs{LessonID: l.ID}, job.Unique())
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
		return fault.New(fault.Conflict, "This lesson has already been decided: %s", strings.TrimSpace(l.Outcome))
	}
	return fault.New(fault.Conflict, "This lesson is not ready to be accepted. Its status is: %s.", l.Summary())
}

// Reject keeps a lesson's rule out, or says that what needs a sentence teaches nothing, with a reason for whoever reads
// it later. version is the lesson's as it was on the screen. Only experts and admins may.
func (p *Pipeline) Reject(ctx context.Context, lessonID, reason string, version int, by knowledge.Person) error {
	if err := by.May("reject a rule"); err != nil {
		return err
	}
	reason, err := text.Reason(reason, "reason", "Say why, so the same lesson isn't proposed again for nothing.")
	if err != nil {
		return err
	}
	return p.d.Write(ctx, func(tx *db.Tx) error {
		l, err := lessonTx(tx, lessonID)
		if err != nil {
			return err
		}
		if l.State == Unstated && version == l.Version {
			l.Outcome = "Nothing to learn, says " + by.Name + ": " + reason
		} else if err := acceptable(l, version); err != nil {
			return err
		} else if _, err := p.kb.SetRuleStatusTx(tx, l.RuleID, knowledge.Rejected,
			knowledge.Change{By: by.Actor(), Reason: reason}); err != nil {
			return err
		} else {
			l.Outcome = "Not accepted by " + by.Name + ": " + reason
		}
		if err := addStepTx(tx, l.ID, Step{Name: StageAccept, AnsweredBy: by.Name,
			Input:  jsonOf(map[string]string{"rule": l.RuleText}),
			Output: jsonOf(map[string]any{"accepted": false, "reason": reason})}); err != nil {
			return err
		}
		l.State = Rejected
		if err := saveTx(tx, &l); err != nil {
			return err
		}
		tx.Touch("knowledge")
		return audit.Note(tx, by.Actor(), "lesson.rejected", "lesson", l.ID,
			map[string]any{"rule": l.RuleID, "reason": reason})
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
			return fault.New(fault.Conflict, "No step of this lesson has failed. Its status is: %s.", l.Summary())
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
		return audit.Note(tx, by.Actor(), "lesson.retried", "lesson", l.ID, map[string]any{"stage": l.Stage})
	})
}
