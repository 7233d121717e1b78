package signal

import (
	"context"
	"errors"

	"preceptor/internal/audit"
	"preceptor/internal/db"
)

// WalkUsers gives every turn and signal that names its user, after the one of id after, in the order of ids: at most n. It is for erasure,
// which looks through all of them. turns says which of the two.
func (s *Store) WalkUsers(ctx context.Context, turns bool, after string, n int, give func(id, userID string)) (last string, err error) {
	query := `SELECT id, user_id FROM signal WHERE id > $1 AND user_id <> '' ORDER BY id LIMIT $2`
	if turns {
		query = `SELECT id, user_id FROM turn WHERE id > $1 AND user_id <> '' ORDER BY id LIMIT $2`
	}
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "signal: look for a user", func(row db.Row) error {
			var rowID, userID string
			if err := row.Scan(&rowID, &userID); err != nil {
				return err
			}
			last = rowID
			give(rowID, userID)
			return nil
		}, query, after, n)
	})
	return last, err
}

// EraseTurnTx empties a turn, and takes the user's name off its session. It returns how many texts there were.
func (s *Store) EraseTurnTx(tx *db.Tx, turnID string) (int, error) {
	gone := audit.ErasedText(tx.Now)
	n, err := db.Change(tx, "signal: erase a turn", `UPDATE turn SET query = $1, response = '', action = '', reaction = '', steps = 'null', context = 'null', user_id = '', ref = '', pending = 0, erased_at = $2
		WHERE id = $3 AND erased_at = 0`, gone, tx.NowMs(), turnID)
	if err != nil {
		return 0, err
	}
	tx.Touch(Topic)
	return n, db.Exec(tx, "signal: erase who talked", `UPDATE talk SET user_id = '', name = id, state = 'told' WHERE id = (SELECT talk_id FROM turn WHERE id = $1)`, turnID)
}

// EraseSignalTx empties a signal; an approved one is a rule by then, whose words a person let in, and keeps those alone. What waited for a
// person does so no more.
func (s *Store) EraseSignalTx(tx *db.Tx, signalID string) (int, error) {
	tx.Touch(Topic)
	return db.Change(tx, "signal: erase a signal", `UPDATE signal SET user_id = '', said = '', action = '', evidence = 'null', context = 'null',
		content = CASE WHEN state = 'approved' THEN content ELSE '' END, state = CASE WHEN state IN ('open', 'kept') THEN 'rejected' ELSE state END,
		decided_by = CASE WHEN state IN ('open', 'kept') THEN 'erasure' ELSE decided_by END, updated_at = $1 WHERE id = $2`, tx.NowMs(), signalID)
}

// EraseGuidanceTx empties the turn of guidance, and what was noticed in it.
func (s *Store) EraseGuidanceTx(tx *db.Tx, interactionID string) (n int, err error) {
	if interactionID == "" {
		return 0, nil
	}
	turns, err := db.Column[string](tx, "signal: find the turn of guidance", `SELECT id FROM turn WHERE ref = $1 AND ref <> ''`, interactionID)
	for _, turnID := range turns {
		list, cause := db.Column[string](tx, "signal: find what was noticed", `SELECT id FROM signal WHERE turn_id = $1 AND turn_id <> ''`, turnID)
		err = errors.Join(err, cause)
		for _, id := range list {
			more, cause := s.EraseSignalTx(tx, id)
			n, err = n+more, errors.Join(err, cause)
		}
		more, cause := s.EraseTurnTx(tx, turnID)
		n, err = n+more, errors.Join(err, cause)
	}
	return n, err
}
