package review

import (
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/interaction"
)

// EnqueueTx puts an interaction that became waiting into the queue. A second call for the same one changes nothing.
func (q *Queue) EnqueueTx(tx *db.Tx, in *interaction.Interaction, a Assessment) error {
	priority, why := q.place(in, a)
	res, err := tx.Exec(`INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label, passed, blocked, borderline,
			confidence, flags, source, text_hash, created_at)
		VALUES ($1, $2, $3, $4, 'waiting', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
		ON CONFLICT (id) DO NOTHING`,
		in.ID, in.AgentID, in.AgentName, in.Consultation.TaskType, priority, why, in.Consultation.Customer.Who(), opening(in.Consultation.Question),
		a.Label, a.Passed, a.Blocked, a.Borderline, a.Confidence, marshalFlags(a.Flags), a.Source, in.GuidanceHash, tx.NowMs())
	if err != nil {
		return fmt.Errorf("review: queue %s: %w", in.ID, err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	tx.Touch("reviews")
	return count(tx, 1, 0)
}

// count moves the kept counts.
func count(tx *db.Tx, waiting, decided int) error {
	for _, c := range []struct {
		state string
		by    int
	}{{"waiting", waiting}, {"decided", decided}} {
		if c.by == 0 {
			continue
		}
		if _, err := tx.Exec(`UPDATE review_count SET n = n + $1 WHERE state = $2`, c.by, c.state); err != nil {
			return fmt.Errorf("review: keep count: %w", err)
		}
	}
	return nil
}
