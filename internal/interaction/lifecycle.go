package interaction

import (
	"fmt"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// ways are those of the package comment that people's decisions take. None leads to released: that is ReleaseTx. What
// is recalled keeps its FinalText: it is what the customer got.
var ways = map[Status][]Status{Waiting: {Held}, Held: {Waiting, Escalated, Returned, Closed}, Released: {Waiting}}

// MoveTx takes an interaction one of the ways. Conflict when it doesn't stand where the way begins. For review only.
func (s *Store) MoveTx(tx *db.Tx, id string, from, to Status) error {
	if !slices.Contains(ways[from], to) {
		return fmt.Errorf("interaction: no way leads %s from %s to %s", id, from, to)
	}
	return s.set(tx, id, from, to)
}

func (s *Store) set(tx *db.Tx, id string, from, to Status) error {
	return s.move(tx, id, from, to, `UPDATE interaction SET status = $1, version = version + 1
		WHERE id = $2 AND status = $3`, to, id, from)
}

// ReleaseTx ends a held interaction with the text that the customer gets. For review only. It is one statement, because
// the guards in the database let FinalText change in no other.
func (s *Store) ReleaseTx(tx *db.Tx, id, finalText string) error {
	if finalText == "" {
		return fmt.Errorf("interaction: release %s without a text", id)
	}
	return s.move(tx, id, Held, Released, `UPDATE interaction SET status = 'released', final_text = $1,
		released_at = $2, version = version + 1
		WHERE id = $3 AND status = 'held'`, finalText, tx.NowMs(), id)
}

// move runs a compare-and-set of the status, and says what it came to.
func (s *Store) move(tx *db.Tx, id string, from, to Status, query string, args ...any) error {
	doing := "interaction: make " + id + " " + to
	n, err := db.Change(tx, doing, query, args...)
	if err != nil {
		return err
	}
	if n == 1 {
		tx.Touch("interactions")
		return nil
	}
	var is Status
	if err := db.One(tx, doing, `SELECT `+standsAs+` FROM interaction
		WHERE id = $1`, id).Or(NotFound()).Scan(&is); err != nil {
		return err
	}
	return whyEnded(is, from)
}

// NotFound is the answer about guidance that isn't there, or isn't the asker's.
func NotFound() error {
	return fault.New(fault.NotFound, "There is no such guidance, or you don't have access to it.")
}
