package learning

import (
	"context"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// StepBack is the step that a person adds who sends a lesson back.
const StepBack = "back"

// SendBack sends a lesson back with a note: it needs a sentence again, and whoever states it sees the note. What waits
// to be accepted can be sent back, and so can what failed, was not kept, or was found to teach nothing. A candidate
// rule leaves the base until the lesson brings it back. version is the lesson's as it was on the screen. Only experts
// and admins may.
func (p *Pipeline) SendBack(ctx context.Context, lessonID, to, note string, version int, by knowledge.Person) error {
	if err := by.May("send a lesson back"); err != nil {
		return err
	}
	note, err := text.Reason(note, "note",
		"Say what should be different. The person who states the lesson sees your note.")
	if err != nil {
		return err
	}
	if to != StageReflect {
		return fault.Wrong("Edit a rule's words where you accept it.", "to", "Send it back to be stated again.")
	}
	note = p.priv.Hide(note)
	return p.d.Write(ctx, func(tx *db.Tx) error {
		l, err := lessonTx(tx, lessonID)
		if err != nil {
			return err
		}
		if err := l.sendable(version); err != nil {
			return err
		}
		return p.sendBackTx(tx, l, Note{By: by.Name, Text: note, To: StageReflect,
			Rule: firstText(l.RuleText, l.Principle), At: tx.Now}, by)
	})
}

// sendable tells why a lesson can't be sent back as it was seen; nil when it can.
func (l Lesson) sendable(version int) error {
	waits := l.Stage == StageAccept && l.State == Waiting
	if l.Stage == StageCase || !waits && l.State != Failed && l.State != Rejected && (l.State != Nothing || l.SameAs) {
		return movedOn(l)
	}
	if version != l.Version {
		return changedLesson()
	}
	return nil
}

func changedLesson() error {
	return fault.New(fault.Conflict, "This lesson has changed since you opened it. Read it again, then decide.")
}

func (p *Pipeline) sendBackTx(tx *db.Tx, l Lesson, n Note, by knowledge.Person) error {
	if err := noteTx(tx, l.ID, n); err != nil {
		return err
	}
	if err := p.shelveTx(tx, l, by.Actor(), "Sent back by "+by.Name+"."); err != nil {
		return err
	}
	if err := addStepTx(tx, l.ID, Step{Name: StepBack, AnsweredBy: by.Name,
		Input:  jsonOf(map[string]string{"rule": n.Rule, "from": l.Stage}),
		Output: jsonOf(map[string]string{"to": n.To, "note": n.Text})}); err != nil {
		return err
	}
	from := l.Stage
	l.Stage, l.State, l.Attempts, l.SentBack, l.WithoutModel = n.To, Unstated, 0, l.SentBack+1, false
	l.Outcome = fmt.Sprintf("Sent back by %s: %s", by.Name, n.Text)
	l.tried(Gate{})
	if err := saveTx(tx, &l); err != nil {
		return err
	}
	return audit.Note(tx, by.Actor(), "lesson.sent_back", "lesson", l.ID,
		map[string]any{"rule": l.RuleID, "from": from, "to": n.To, "times": l.SentBack})
}

// noteTx adds a note to what a lesson is learned from.
func noteTx(tx *db.Tx, lessonID string, n Note) error {
	src, err := sourceTx(tx, lessonID)
	if err != nil {
		return err
	}
	if src == nil {
		return fault.New(fault.Conflict, "The text for this lesson has been erased, so there is nothing to go back to.")
	}
	src.Notes = append(src.Notes, n)
	return writeSourceTx(tx, lessonID, src)
}

// shelveTx takes a lesson's candidate rule out of the base while the lesson is worked on again.
func (p *Pipeline) shelveTx(tx *db.Tx, l Lesson, by audit.Actor, why string) error {
	if l.RuleID == "" || l.SameAs {
		return nil
	}
	rule, err := p.kb.RuleTx(tx, l.RuleID)
	if err != nil || rule.Status != knowledge.Candidate {
		return err
	}
	_, err = p.kb.SetRuleStatusTx(tx, rule.ID, knowledge.Withdrawn,
		knowledge.Change{By: by, Reason: why})
	tx.Touch("knowledge")
	return err
}

// putRuleTx adds the rule that a lesson proposes, or brings back the one it had before it was sent back, as a new
// version.
func (p *Pipeline) putRuleTx(tx *db.Tx, l *Lesson, rule knowledge.Rule) (knowledge.Rule, error) {
	if l.RuleID == "" || l.SameAs {
		return p.kb.AddRuleTx(tx, rule)
	}
	old, err := p.kb.RuleTx(tx, l.RuleID)
	if err != nil {
		return rule, err
	}
	rule.ID, rule.Version = old.ID, old.Version
	if rule.Status == knowledge.Candidate {
		rule.Reason = "Worked on again after it was sent back."
	}
	return p.kb.EditRuleTx(tx, rule)
}
