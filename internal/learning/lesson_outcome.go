package learning

import (
	"fmt"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// FromOutcomeTx stores what an unsuccessful outcome may teach, in the transaction of its cause, and queues its first
// job there (seed 000, reflect_on_failure), whatever its scores. s.CauseID names the outcome, which has one lesson;
// s.Scores are its scores and s.Flags its issues, which are shown to the person who states the lesson.
func (p *Pipeline) FromOutcomeTx(tx *db.Tx, s Source) error {
	if s.Kind != Outcome || s.CauseID == "" || s.Scores == nil {
		return fault.New(fault.Invalid, "A lesson from an outcome needs the outcome and its scores.")
	}
	for _, v := range []float64{s.Scores.Satisfaction, s.Scores.Comprehension, s.Scores.GoalAlignment} {
		if !(v >= 0 && v <= 10) {
			return fault.New(fault.Invalid, "A score of an outcome lies between 0 and 10.")
		}
	}
	_, err := p.beginTx(tx, begun(s, CauseOutcome, s.CauseID), s)
	return err
}

// Words are the scores as one says them.
func (s Scores) Words() string {
	return fmt.Sprintf("satisfaction %.0f, comprehension %.0f, goal alignment %.0f, each of 10", s.Satisfaction,
		s.Comprehension, s.GoalAlignment)
}
