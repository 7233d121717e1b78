package learning

import (
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// LowScore is below what an outcome teaches: seed 000's learning path begins at "suboptimal outcomes"; three of its four
// scores out of ten. An outcome with a score above throughout is no failure to reflect on.
const LowScore = 7.0

// Low tells whether an outcome calls for reflection.
func (s Scores) Low() bool {
	return min(s.Satisfaction, s.Comprehension, s.GoalAlignment) < LowScore
}

// FromOutcomeTx stores what a low-scored outcome may teach, in the transaction of its cause, and queues its first job there (seed
// 000, reflect_on_failure). s.CauseID names the outcome, which has one lesson; s.Scores are its scores and s.Flags its issues. One
// that is not low teaches nothing. Where a person wrote a better text for the same case, s.HumanText carries it.
func (p *Pipeline) FromOutcomeTx(tx *db.Tx, s Source) error {
	if s.Kind != Outcome || s.CauseID == "" || s.Scores == nil {
		return fault.New(fault.Invalid, "A lesson from an outcome needs the outcome and its scores.")
	}
	for _, v := range []float64{s.Scores.Satisfaction, s.Scores.Comprehension, s.Scores.GoalAlignment} {
		if !(v >= 0 && v <= 10) {
			return fault.New(fault.Invalid, "A score of an outcome lies between 0 and 10.")
		}
	}
	if !s.Scores.Low() {
		return nil
	}
	l := Lesson{
		ID: id.New(), Origin: s.origin(), Cause: CauseOutcome, CauseID: s.CauseID, InteractionID: s.InteractionID, AgentID: s.AgentID, AgentName: s.AgentName,
		By: s.By, Task: s.Task, Stage: StageReflect, State: Running, Title: begunTitle[s.origin()],
	}
	ok, err := insertTx(tx, l, p.safe(s))
	if err != nil || !ok {
		return err
	}
	tx.Touch("learning")
	return p.enqueueTx(tx, l.ID, StageReflect)
}

// Words are the scores as one says them.
func (s Scores) Words() string {
	return fmt.Sprintf("satisfaction %.0f, comprehension %.0f, goal alignment %.0f, each of 10", s.Satisfaction, s.Comprehension, s.GoalAlignment)
}
