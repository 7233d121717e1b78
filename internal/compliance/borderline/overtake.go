package borderline

import (
	"cmp"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// OvertakeTx closes the open case of an interaction because a supervisor decided without a ruling. Answers are kept,
// and the next most uncertain draft takes its place. It does nothing when none is open.
func (s *Store) OvertakeTx(tx *db.Tx, interactionID string, by audit.Actor) error {
	return s.overtakeTx(tx, interactionID, by, "")
}

// erased, as what a case was, is one that closed because its text was erased: experts were asked all the same.
const erased = "erased"

// overtakeTx is OvertakeTx with what the case was; "" is as it stands.
func (s *Store) overtakeTx(tx *db.Tx, interactionID string, by audit.Actor, was string) error {
	if there, err := db.Value[bool](tx, "borderline: look for a case to overtake", `SELECT
		EXISTS (SELECT 1 FROM borderline_case WHERE interaction_id = $1)`, interactionID); err != nil || !there {
		return err
	}
	c, err := openCaseTx(tx, interactionID)
	if err != nil {
		return err
	}
	if _, err := settleHeld(tx, interactionID, 1, 2); err != nil || c == nil {
		return err
	}
	if err := db.Exec(tx, "borderline: overtake "+c.ID, `UPDATE borderline_case SET stood = $1, state = 'overtaken',
		closed_at = $2
		WHERE id = $3`, cmp.Or(was, c.State), tx.NowMs(), c.ID); err != nil {
		return err
	}
	if err := s.closeTx(tx, c); err != nil {
		return err
	}
	if err := record(tx, by, "borderline.overtaken", c, nil); err != nil {
		return err
	}
	return s.balanceTx(tx, c.AgentID) // the next most uncertain draft goes
}

// ReinstateTx opens again what a decision overtook, because that decision was undone. It does nothing when there is
// none, or another case is open.
func (s *Store) ReinstateTx(tx *db.Tx, interactionID string, by audit.Actor) error {
	if open, err := openCaseTx(tx, interactionID); err != nil || open != nil {
		return err
	}
	c, err := one(tx, ` WHERE interaction_id = $1 AND state = 'overtaken'
		AND stood NOT IN ('unresolved', 'erased') AND held = 0
		ORDER BY created_at DESC, id DESC LIMIT 1`, interactionID)
	if fault.Is(err, fault.NotFound) {
		return s.releaseHeld(tx, interactionID)
	}
	if err != nil {
		return err
	}
	if err := db.Exec(tx, "borderline: reinstate "+c.ID, `UPDATE borderline_case SET state = stood, stood = '',
		closed_at = 0
		WHERE id = $1`, c.ID); err != nil {
		return err
	}
	touch(tx)
	if err := record(tx, by, "borderline.reinstated", c, nil); err != nil {
		return err
	}
	return s.balanceTx(tx, c.AgentID)
}

// releaseHeld has what was held back of an interaction wait again, and go where it is uncertain enough.
func (s *Store) releaseHeld(tx *db.Tx, interactionID string) error {
	if n, err := settleHeld(tx, interactionID, 2, 1); err != nil || n == 0 {
		return err
	}
	c, err := one(tx, ` WHERE interaction_id = $1 AND held = 1
		ORDER BY created_at DESC, id DESC LIMIT 1`, interactionID)
	if err != nil {
		return err
	}
	return s.balanceTx(tx, c.AgentID)
}
