package learning

import (
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// FromDislikesTx begins the lesson of answers on one topic that users disliked and said why (seed 001, "Analyze
// Failure"), in the transaction of the last of these votes. s.Flags quote them, and s.From are the votes, by which an
// erasure finds the lesson. Nobody has stated what should change: that is for the model, or for a person.
func (p *Pipeline) FromDislikesTx(tx *db.Tx, s Source) error {
	if s.Kind != Disliked || s.CauseID == "" || len(s.Flags) == 0 || len(s.From) == 0 {
		return fault.New(fault.Invalid, "A lesson from dislikes needs the votes and what was said.")
	}
	l := begun(s, CauseReflection, s.CauseID)
	l.Code = s.Flags[0].Code
	_, err := p.beginTx(tx, l, s)
	return err
}

// DislikesSinceTx tells since when dislikes of an agent's answers on a topic count for another lesson; open: one stands
// that nobody has finished.
func DislikesSinceTx(tx *db.Tx, agentID, task string) (since time.Time, open bool, err error) {
	err = db.One(tx, "learning: look for the last lesson of dislikes", `SELECT coalesce(max(created_at), 0),
		coalesce(max(CASE WHEN state IN ('running', 'unstated', 'waiting', 'failed') THEN 1 ELSE 0 END), 0) FROM lesson
		WHERE agent_id = $1 AND origin = 'dislike' AND task = $2`, agentID, task).Scan(db.At(&since), &open)
	return since, open, err
}

// EraseDislikeTx erases the lessons that quote one of these votes, or of an answer that was voted on.
func (p *Pipeline) EraseDislikeTx(tx *db.Tx, id string) (int, error) {
	if id == "" {
		return 0, nil
	}
	list, err := db.Column[string](tx, "learning: find what quotes a vote", `SELECT l.id FROM lesson l
		JOIN lesson_source s ON s.lesson_id = l.id
		WHERE l.origin = 'dislike' AND lower(s.source) LIKE lower($1) ESCAPE '\'`, db.Containing(`"`+id+`"`))
	for _, lessonID := range list {
		if err == nil {
			_, err = p.EraseLessonTx(tx, lessonID, nil)
		}
	}
	return len(list), err
}
