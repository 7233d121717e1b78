package review

import (
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/job"
)

// holdInteraction has the interaction follow a decision that became held: its status, the job at the end of the hold, and
// the hooks.
func (q *Queue) holdInteraction(tx *db.Tx, d *Decision) (err error) {
	if err := q.interactions.HoldTx(tx, d.InteractionID); err != nil {
		return err
	}
	if d.Interaction, err = q.interactions.GetTx(tx, d.InteractionID); err != nil {
		return err
	}
	if err := q.jobs.InsertTx(tx, releaseArgs{DecisionID: d.ID}, job.At(d.HeldUntil), job.Urgent()); err != nil {
		return err
	}
	if d.Kind == Sampled {
		return nil
	}
	return q.run(tx, q.hooks.OnDecided, d)
}

// run has done what follows, which is nothing for a planted check: that is no guidance.
func (q *Queue) run(tx *db.Tx, follow Hook, d *Decision) error {
	if d.Interaction.Planted {
		return nil
	}
	return after(tx, follow, d)
}

func after(tx *db.Tx, follow Hook, d *Decision) error {
	if err := follow(tx, d); err != nil {
		return fmt.Errorf("review: after decision %s: %w", d.ID, err)
	}
	return nil
}
