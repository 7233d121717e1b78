package signal

import (
	"context"
	"errors"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/privacy"
	"preceptor/internal/signal/learned"
)

// WalkUsers gives every turn and signal that names its user, after the one of id after, in the order of ids: at most n.
// It is for erasure, which looks through all of them. turns says which of the two.
func (s *Store) WalkUsers(ctx context.Context, turns bool, after string, n int,
	give func(id, userID string)) (last string, err error) {
	table := "signal"
	if turns {
		table = "turn"
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
		}, `SELECT id, user_id FROM `+table+` WHERE id > $1 AND user_id <> '' ORDER BY id LIMIT $2`, after, n)
	})
	return last, err
}

// UserTx is whose a turn is.
func (s *Store) UserTx(tx *db.Tx, turnID string) (string, error) {
	return db.Maybe[string](tx, "signal: read whose a turn is", `SELECT user_id FROM turn WHERE id = $1`, turnID)
}

// EraseTurnTx empties a turn, and takes the user's name off its session. It returns how many texts there were.
func (s *Store) EraseTurnTx(tx *db.Tx, turnID string) (int, error) {
	gone := audit.ErasedText(tx.Now)
	n, err := db.Change(tx, "signal: erase a turn", `UPDATE turn SET query = $1, response = '', action = '',
		reaction = '', steps = 'null', context = 'null', user_id = '', ref = '', pending = 0, erased_at = $2
		WHERE id = $3 AND erased_at = 0`, gone, tx.NowMs(), turnID)
	if err != nil {
		return 0, err
	}
	tx.Touch(Topic)
	return n, db.Exec(tx, "signal: erase who talked", `UPDATE talk SET user_id = '', name = id, state = 'told'
		WHERE id = (SELECT talk_id FROM turn WHERE id = $1)`, turnID)
}

// EraseSignalTx empties a signal; an approved one is a rule by then, whose words a person let in, and keeps those
// alone: what its lesson was learned from goes. A learning that a LEARNINGS.md has goes there, too. What waited for a
// person does so no more.
func (s *Store) EraseSignalTx(tx *db.Tx, signalID string) (int, error) {
	tx.Touch(Topic)
	g, err := scanSignal(db.One(tx, "signal: read what is erased", `SELECT `+columns+` FROM signal WHERE id = $1`,
		signalID).Or(errNoProposal))
	if err != nil {
		return 0, err
	}
	if g.LessonID != "" {
		if _, err := s.lessons.EraseLessonTx(tx, g.LessonID, nil); err != nil {
			return 0, err
		}
	}
	sums := []string{}
	if g.Kind == Learning {
		if sums, err = db.Column[string](tx, "signal: find what sums it up", `SELECT id FROM signal
			WHERE agent_id = $1 AND kind = 'proposal' AND lower(context) LIKE lower($2) ESCAPE '\'`, g.AgentID,
			db.Containing(g.ID)); err != nil {
			return 0, err
		}
	}
	for _, id := range sums {
		if _, err := s.EraseSignalTx(tx, id); err != nil {
			return 0, err
		}
	}
	if g.Kind == Learning && g.State != Approved {
		if err := eraseEntryTx(tx, g); err != nil {
			return 0, err
		}
	}
	return db.Change(tx, "signal: erase a signal", `UPDATE signal SET user_id = '', said = '', action = '',
		evidence = 'null', context = 'null',
		content = CASE WHEN state = 'approved' THEN content ELSE '' END, state = CASE
			WHEN state IN ('open', 'kept') THEN 'rejected' ELSE state END,
		decided_by = CASE WHEN state IN ('open', 'kept') THEN 'erasure' ELSE decided_by END, updated_at = $1
			WHERE id = $2`, tx.NowMs(), signalID)
}

// eraseEntryTx takes an erased learning out of the LEARNINGS.md that was imported last.
func eraseEntryTx(tx *db.Tx, g Signal) error {
	doc, err := documentTx(tx, g.AgentID)
	if err != nil {
		return err
	}
	doc.Drop(func(e learned.Entry) bool { return strings.EqualFold(e.Content, g.Content) })
	return db.Exec(tx, "signal: erase what LEARNINGS.md has", `UPDATE learned_file SET markdown = $1, updated_at = $2
		WHERE agent_id = $3`, doc.String(), tx.NowMs(), g.AgentID)
}

// EraseKnownTx takes the entries that hold one of known, the words that give a customer away, out of every LEARNINGS.md
// and of what waits of them. It returns how many there were.
func (s *Store) EraseKnownTx(tx *db.Tx, known []string) (n int, err error) {
	agents, err := db.Column[string](tx, "signal: list LEARNINGS.md", `SELECT agent_id FROM learned_file
		ORDER BY agent_id`)
	for _, agentID := range agents {
		doc, cause := documentTx(tx, agentID)
		if cause != nil {
			return n, cause
		}
		before := doc.String()
		if after := privacy.Without(before, known...); after != before {
			n++
			err = errors.Join(err, db.Exec(tx, "signal: erase what LEARNINGS.md has", `UPDATE learned_file
				SET markdown = $1, updated_at = $2
				WHERE agent_id = $3`, after, tx.NowMs(), agentID))
		}
	}
	list, cause := signalsTx(tx, "list what a file brought", `
		WHERE kind = 'learning' AND user_id = '' AND turn_id = '' AND content <> ''
		ORDER BY id`)
	for _, g := range list {
		if privacy.Without(g.Content, known...) == g.Content {
			continue
		}
		more, cause := s.EraseSignalTx(tx, g.ID)
		n, err = n+more, errors.Join(err, cause)
	}
	return n, errors.Join(err, cause)
}

// EraseGuidanceTx empties the turn of guidance, and what was noticed in it.
func (s *Store) EraseGuidanceTx(tx *db.Tx, interactionID string) (n int, err error) {
	if interactionID == "" {
		return 0, nil
	}
	turns, err := db.Column[string](tx, "signal: find the turn of guidance", `SELECT id FROM turn
		WHERE ref = $1 AND ref <> ''`, interactionID)
	for _, turnID := range turns {
		list, cause := db.Column[string](tx, "signal: find what was noticed", `SELECT id FROM signal
			WHERE turn_id = $1 AND turn_id <> ''`, turnID)
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
