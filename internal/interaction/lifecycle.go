package interaction

import (
	"database/sql"
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

// ReturnTx ends a held interaction without a text for the customer: it goes back to its agent with a note. For review only.
func (s *Store) ReturnTx(tx *db.Tx, id string) error {
	return s.move(tx, id, Held, Returned)
}

// CloseTx ends a held planted check. For review only.
func (s *Store) CloseTx(tx *db.Tx, id string) error {
	return s.move(tx, id, Held, Closed)
}

// RecallTx makes a released interaction waiting again, to be corrected. FinalText stays: it is what the customer got. For
// review only.
func (s *Store) RecallTx(tx *db.Tx, id string) error {
	return s.move(tx, id, Released, Waiting)
}

// ReleaseTx ends a held interaction with the text that the customer gets. For review only. It is one statement, because the
// guards in the database let FinalText change in no other.
func (s *Store) ReleaseTx(tx *db.Tx, id, finalText string) error {
	if finalText == "" {
		return fmt.Errorf("interaction: release %s without a text", id)
	}
	res, err := tx.Exec(`UPDATE interaction SET status = 'released', final_text = $1, released_at = $2, version = version + 1
		WHERE id = $3 AND status = 'held'`, finalText, tx.NowMs(), id)
	return s.moved(tx, res, err, id, Held, Released)
}

// move is a compare-and-set of the status.
func (s *Store) move(tx *db.Tx, id string, from, to Status) error {
	res, err := tx.Exec(`UPDATE interaction SET status = $1, version = version + 1 WHERE id = $2 AND status = $3`, to, id, from)
	return s.moved(tx, res, err, id, from, to)
}

// moved says what a compare-and-set came to.
func (s *Store) moved(tx *db.Tx, res sql.Result, err error, id string, from, to Status) error {
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
	err = db.One(tx, fmt.Sprintf("interaction: make %s %s", id, to), `SELECT status FROM interaction WHERE id = $1`, id).Or(notFound()).Scan(&is)
	if err != nil {
		return err
	}
	return fault.New(fault.Conflict, "This guidance is %s, no longer %s. Reload to see what happened.", is, from)
}

func notFound() error {
	return fault.New(fault.NotFound, "There is no such guidance, or you don't have access to it.")
}
