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

// Undo takes back a decision of mine while it is held: the case is waiting again, and mine to work on. Once the hold has
// passed it is a Conflict that says so. Nothing is forgotten: the decision stays, as undone.
func (q *Queue) Undo(ctx context.Context, decisionID string, by Person) (dec *Decision, err error) {
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		dec, err = q.undoTx(tx, decisionID, by)
		return err
	})
	if err != nil {
		return nil, err
	}
	return dec, nil
}

func (q *Queue) undoTx(tx *db.Tx, decisionID string, by Person) (*Decision, error) {
	err := tx.QueryRow(`UPDATE decision SET state = 'undone', settled_at = $1, settled_by = $2
		WHERE id = $3 AND state = 'held' AND held_until > $1 AND by_id = $2 RETURNING id`, tx.NowMs(), by.ID, decisionID).Scan(&decisionID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, whyNoUndo(tx, decisionID, by)
	}
	if err != nil {
		return nil, fmt.Errorf("review: undo %s: %w", decisionID, err)
	}
	dec, err := getDecision(tx, decisionID)
	if err != nil {
		return nil, err
	}
	if err := q.reopen(tx, dec, by); err != nil {
		return nil, err
	}
	if err := q.interactions.NoteTx(tx, dec.InteractionID, "undone", by.Actor(), "was "+dec.Verb()); err != nil {
		return nil, err
	}
	if err := audit.Record(tx, audit.Entry{Actor: by.Actor(), Action: "review.undone", ObjectKind: "interaction", ObjectID: dec.InteractionID,
		Content: map[string]any{"decision": dec.ID, "was": dec.Kind}}); err != nil {
		return nil, err
	}
	tx.Touch("reviews")
	return dec, run(tx, q.OnUndone, dec)
}

// reopen puts the case back into the queue, claimed by whoever took the decision back.
func (q *Queue) reopen(tx *db.Tx, dec *Decision, by Person) error {
	res, err := tx.Exec(`UPDATE review SET state = 'waiting', version = version + 1, decision_id = '', decided_at = 0,
			claimed_by = $1, claimed_name = $2, claimed_at = $3, claimed_until = $4
		WHERE id = $5 AND state = 'decided' AND decision_id = $6`,
		by.ID, by.Name, tx.NowMs(), q.claimEnd(tx), dec.InteractionID, dec.ID)
	if err != nil {
		return fmt.Errorf("review: reopen %s: %w", dec.InteractionID, err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return fmt.Errorf("review: reopen %s: %d rows, %w", dec.InteractionID, n, errors.Join(err, errors.New("the case and its decision disagree")))
	}
	if err := q.interactions.ReopenTx(tx, dec.InteractionID); err != nil {
		return err
	}
	if dec.Interaction, err = q.interactions.GetTx(tx, dec.InteractionID); err != nil {
		return err
	}
	return count(tx, 1, -1)
}

func whyNoUndo(tx *db.Tx, decisionID string, by Person) error {
	d, err := getDecision(tx, decisionID)
	if err != nil {
		return err
	}
	switch {
	case d.By.ID != by.ID:
		return fault.New(fault.Denied, "%s decided this; only they can undo it. Ask them, or wait until it is released and correct it.", d.By.Name)
	case d.State == Undone:
		return fault.New(fault.Conflict, "This was undone already.")
	case d.State == Escalated:
		return fault.New(fault.Conflict, "This has gone to a human adviser already and can't be undone.")
	}
	return fault.New(fault.Conflict, "This has been released already and can't be undone.")
}
