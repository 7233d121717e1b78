package learning

import (
	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/internal/knowledge"
)

// FromVerdictTx stores what a ruling or a verdict may teach, in the transaction of its cause, and queues its first job there: seed
// 000's compliance feedback loop. A cause has one lesson. Of what a deterministic check finds, an agent has one lesson per check on
// its way or learned: the tenth draft without the same warning teaches nothing that the first did not. It is urgent: its job comes
// before the others of the path.
func (p *Pipeline) FromVerdictTx(tx *db.Tx, s Source) error {
	if s.CauseID == "" || causeOf(s.Kind) == CauseDecision {
		return fault.New(fault.Invalid, "A lesson needs the ruling or verdict it comes from.")
	}
	l := Lesson{
		ID: id.New(), Origin: s.origin(), Cause: causeOf(s.Kind), CauseID: s.CauseID, InteractionID: s.InteractionID, AgentID: s.AgentID, AgentName: s.AgentName,
		By: s.By, Task: s.Task, Stage: StageReflect, State: Running, Title: begunTitle[s.origin()],
	}
	if s.Kind == Verdict {
		if len(s.Flags) == 0 {
			return nil
		}
		l.Code = s.Flags[0].Code
		if known, err := underway(tx, l); err != nil || known {
			return err
		}
	}
	ok, err := insertTx(tx, l, p.safe(s))
	if err != nil || !ok {
		return err
	}
	tx.Touch("learning")
	return p.enqueueTx(tx, l.ID, StageReflect)
}

// begunTitle is what a card says before anybody has reflected.
var begunTitle = map[string]string{Ruling: "Borderline case ruled", Verdict: "Critical check failed", Judged: "Failed by the judges",
	Dataset: "Labelled text of a gold set", Outcome: "Low-scored outcome", Practice: "Low-scored practice", Reflected: "Seen in a reflection"}

// underway tells whether an agent has a lesson about a check that is open, in use, or was the same as a rule in use.
func underway(tx *db.Tx, l Lesson) (known bool, err error) {
	err = tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM lesson WHERE agent_id = $1 AND code = $2 AND state IN ('running', 'waiting', 'failed', 'accepted', 'nothing'))`,
		l.AgentID, l.Code).Scan(&known)
	return known, err
}

// foldTx lets what a person teaches take the place of what the checks or the panel alone taught: a rule that nobody has accepted
// yet and that came of a verdict gives way to the same one from a decision or a ruling, which has a person's reasons. It tells
// whether it did.
func (p *Pipeline) foldTx(tx *db.Tx, l *Lesson, ruleID string) (bool, error) {
	if l.Cause == CauseVerdict || l.Cause == CauseReflection {
		return false, nil
	}
	found, err := queryLessons(tx, `SELECT `+lessonColumns+` FROM lesson WHERE rule_id = $1 AND cause_kind = 'verdict' AND state = 'waiting' AND same_as = 0`, ruleID)
	if err != nil || len(found) == 0 {
		return false, err
	}
	old := found[0]
	if _, err := p.kb.SetRuleStatusTx(tx, ruleID, knowledge.Withdrawn, knowledge.Change{By: me, Reason: "A person teaches the same, with reasons."}); err != nil {
		return false, err
	}
	old.State, old.Outcome = Withdrawn, "A person's "+l.Cause+" teaches the same, with reasons. That lesson takes its place."
	if err := saveTx(tx, &old); err != nil {
		return false, err
	}
	return true, audit.Record(tx, audit.Entry{Actor: me, Action: "lesson.folded", ObjectKind: "lesson", ObjectID: old.ID, Content: map[string]any{"into": l.ID, "rule": ruleID}})
}
