package learning

import (
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
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
		ID: id.New(), Origin: s.Kind, Cause: causeOf(s.Kind), CauseID: s.CauseID, InteractionID: s.InteractionID, AgentID: s.AgentID, AgentName: s.AgentName,
		By: s.By, Task: s.Task, Stage: StageReflect, State: Running, Title: begunTitle[s.Kind],
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
var begunTitle = map[string]string{Ruling: "Borderline case ruled", Verdict: "Critical check failed", Judged: "Failed by the judges"}

// underway tells whether an agent has a lesson about a check that is open, in use, or was the same as a rule in use.
func underway(tx *db.Tx, l Lesson) (known bool, err error) {
	err = tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM lesson WHERE agent_id = $1 AND code = $2 AND state IN ('running', 'waiting', 'failed', 'accepted', 'nothing'))`,
		l.AgentID, l.Code).Scan(&known)
	return known, err
}
