package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// releaseArgs is the job at the end of a hold.
type releaseArgs struct {
	DecisionID string `json:"decision_id"`
}

// Kind is the job's name.
func (releaseArgs) Kind() string { return "review.release" }

// release lets go what is no longer held: the text to the customer, or a rejected case to a human adviser. A decision that
// was undone, or is settled already, is left alone, so it may run any number of times.
func (q *Queue) release(ctx context.Context, a releaseArgs) error {
	return q.db.Write(ctx, func(tx *db.Tx) error { return q.releaseTx(tx, a.DecisionID) })
}

func (q *Queue) releaseTx(tx *db.Tx, decisionID string) error {
	err := tx.QueryRow(`UPDATE decision SET state = CASE kind WHEN 'reject' THEN 'escalated' ELSE 'released' END, settled_at = $1
		WHERE id = $2 AND state = 'held' AND held_until <= $1 RETURNING id`, tx.NowMs(), decisionID).Scan(&decisionID)
	if errors.Is(err, sql.ErrNoRows) {
		return q.whyNoRelease(tx, decisionID)
	}
	if err != nil {
		return fmt.Errorf("review: release %s: %w", decisionID, err)
	}
	dec, err := getDecision(tx, decisionID)
	if err != nil {
		return err
	}
	if dec.State == Escalated {
		err = q.interactions.EscalateTx(tx, dec.InteractionID)
	} else {
		err = q.interactions.ReleaseTx(tx, dec.InteractionID, dec.Text)
	}
	if err != nil {
		return err
	}
	if dec.Interaction, err = q.interactions.GetTx(tx, dec.InteractionID); err != nil {
		return err
	}
	by := audit.System("Release")
	if err := q.interactions.NoteTx(tx, dec.InteractionID, dec.State, by, ""); err != nil {
		return err
	}
	if err := audit.Record(tx, audit.Entry{Actor: by, Action: "guidance." + dec.State, ObjectKind: "interaction", ObjectID: dec.InteractionID,
		Content: map[string]any{"decision": dec.ID}}); err != nil {
		return err
	}
	tx.Touch("reviews")
	return run(tx, q.OnReleased, dec)
}

// whyNoRelease is nil when there is nothing left to do.
func (q *Queue) whyNoRelease(tx *db.Tx, decisionID string) error {
	d, err := getDecision(tx, decisionID)
	if err != nil || d.State != Held {
		return err
	}
	early := fault.New(fault.Unavailable, "The hold has not passed yet.")
	early.RetryAfter = d.HeldUntil.Sub(tx.Now)
	return early
}
