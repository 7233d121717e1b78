package interaction

import (
	"database/sql"
	"errors"
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// HoldTx makes a waiting interaction held: a person decided, and the decision can still be undone. For review only.
func (s *Store) HoldTx(tx *db.Tx, id string) error {
	return s.move(tx, id, Waiting, Held)
}

// ReopenTx makes a held interaction waiting again: the decision was undone. For review only.
func (s *Store) ReopenTx(tx *db.Tx, id string) error {
	return s.move(tx, id, Held, Waiting)
}

// EscalateTx ends a held interaction without a text for the customer: it goes to a human adviser. For review only.
func (s *Store) EscalateTx(tx *db.Tx, id string) error {
	return s.move(tx, id, Held, Escalated)
}

// ReleaseTx ends a held interaction with the text that the customer gets. For review only.
func (s *Store) ReleaseTx(tx *db.Tx, id, finalText string) error {
	if finalText == "" {
		return fmt.Errorf("interaction: release %s without a text", id)
	}
	if err := s.move(tx, id, Held, Released); err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE interaction SET final_text = $1, released_at = $2 WHERE id = $3`, finalText, tx.NowMs(), id); err != nil {
		return fmt.Errorf("interaction: release %s: %w", id, err)
	}
	return nil
}

// move is a compare-and-set of the status.
func (s *Store) move(tx *db.Tx, id string, from, to Status) error {
	res, err := tx.Exec(`UPDATE interaction SET status = $1, version = version + 1 WHERE id = $2 AND status = $3`, to, id, from)
	if err != nil {
		return fmt.Errorf("interaction: make %s %s: %w", id, to, err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return fmt.Errorf("interaction: make %s %s: %w", id, to, err)
	}
	if n == 1 {
		tx.Touch("interactions")
		return nil
	}
	var is Status
	if err := tx.QueryRow(`SELECT status FROM interaction WHERE id = $1`, id).Scan(&is); errors.Is(err, sql.ErrNoRows) {
		return notFound()
	} else if err != nil {
		return fmt.Errorf("interaction: make %s %s: %w", id, to, err)
	}
	return fault.New(fault.Conflict, "This guidance is %s, no longer %s. Reload to see what happened.", is, from)
}

func notFound() error {
	return fault.New(fault.NotFound, "There is no such guidance, or it is not yours to see.")
}
