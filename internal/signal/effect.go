package signal

import (
	"context"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/signal/learned"
)

// This file counts what came of learnings: a session in which recall gave one to the agent is one in which it was
// followed, unless its user asked for the same again. A session that only a file tells of shows nothing.

// Followed is in how many of the sessions in which it was shown nobody asked for it again.
func (g Signal) Followed() int { return g.Shown - g.Again }

// InUse are an agent's learnings and proposals that are given to it, the newest first.
func (s *Store) InUse(ctx context.Context, agentID string) ([]Signal, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) ([]Signal, error) {
		rules, err := s.rulesTx(tx)
		if err != nil {
			return nil, err
		}
		list, err := signalsTx(tx, "list what is in use", `
			WHERE agent_id = $1 AND kind IN ('proposal', 'learning') AND state IN ('approved', 'kept') AND content <> ''
			ORDER BY updated_at DESC, id DESC LIMIT $2`, agentID, besideMost)
		return slices.DeleteFunc(list, func(g Signal) bool {
			return g.State == Approved && rules[g.LessonID].ID == ""
		}), err
	})
}

// gaveTx keeps what recall gave an agent for a user: the preferences that it keeps, and the rules of these lessons.
func gaveTx(tx *db.Tx, a Ask, kept []Signal, lessons []string) error {
	ids := []string{}
	if len(lessons) > 0 {
		var err error
		if ids, err = db.Column[string](tx, "signal: find the learnings of rules", `SELECT id FROM signal
			WHERE lesson_id IN (`+db.In(1, len(lessons))+`)`, db.Anys(lessons)...); err != nil {
			return err
		}
	}
	for _, g := range kept {
		ids = append(ids, g.ID)
	}
	for _, id := range ids {
		if err := db.Exec(tx, "signal: keep what was given", `INSERT INTO signal_shown (unit, signal_id, at)
			VALUES ($1, $2, $3) ON CONFLICT (unit, signal_id) DO UPDATE SET at = excluded.at`,
			notedUnit(a.AgentID, a.User), id, tx.NowMs()); err != nil {
			return err
		}
	}
	return nil
}

// shownTx are the learnings that an agent was given for a user, or for nobody in particular, since its last session.
func shownTx(tx *db.Tx, agentID, user string) ([]Signal, error) {
	return signalsTx(tx, "read what was given", `
		WHERE id IN (SELECT signal_id FROM signal_shown WHERE unit IN ($1, $2)) ORDER BY id`, notedUnit(agentID, user),
		notedUnit(agentID, ""))
}

// askedAgainTx marks those that were given which new learnings repeat.
func (s *Store) askedAgainTx(tx *db.Tx, agentID, user string, list []Signal) error {
	if len(list) == 0 {
		return nil
	}
	shown, err := shownTx(tx, agentID, user)
	for _, g := range shown {
		if err == nil && slices.ContainsFunc(list, func(n Signal) bool {
			return n.State != Noted && learned.Ends(g.Content, n.Content) ||
				learned.Again(s.kb.Compare, g.Content, n.Content, n.State != Noted,
					learned.Reports(n.Category, n.Content))
		}) {
			err = shownAgainTx(tx, agentID, user, g.ID)
		}
	}
	return err
}

func shownAgainTx(tx *db.Tx, agentID, user, id string) error {
	return db.Exec(tx, "signal: keep that it was asked for again", `UPDATE signal_shown SET again = 1
		WHERE signal_id = $1 AND unit IN ($2, $3)`, id, notedUnit(agentID, user), notedUnit(agentID, ""))
}

// countShownTx counts what was given in a session that is over. corrected is what its user corrected in it.
func (s *Store) countShownTx(tx *db.Tx, t Session, corrected []Signal) error {
	if err := s.askedAgainTx(tx, t.AgentID, t.User, corrected); err != nil {
		return err
	}
	of := []any{notedUnit(t.AgentID, t.User), notedUnit(t.AgentID, "")}
	if t.Told.By != byFile && t.Turns > 0 {
		if err := db.Exec(tx, "signal: count what was given", `UPDATE signal SET shown = shown + 1, again = again +
			(SELECT max(h.again) FROM signal_shown h WHERE h.signal_id = signal.id AND h.unit IN ($1, $2))
			WHERE id IN (SELECT signal_id FROM signal_shown WHERE unit IN ($1, $2))`, of...); err != nil {
			return err
		}
	}
	return db.Exec(tx, "signal: be done with what was given", `DELETE FROM signal_shown WHERE unit IN ($1, $2)`, of...)
}
