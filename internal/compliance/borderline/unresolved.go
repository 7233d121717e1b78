package borderline

import (
	"context"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Unresolved is what a case stood at that was closed without a ruling because the experts did not agree. Supervisors
// decide it.
const Unresolved = "unresolved"

// Unresolved reports whether the case was closed so.
func (c Case) Unresolved() bool { return c.State == Overtaken && c.Stood == Unresolved }

// Erased reports whether the case was closed because its text was erased.
func (c Case) Erased() bool { return c.State == Overtaken && c.Stood == erased }

// decidable is a case that no expert can bring further, if this person decides it then: a manager or an administrator
// who neither answered nor sent it.
func (s *Store) decidable(tx *db.Tx, caseID string, by Person) (*Case, error) {
	if err := s.hooks.MayDecide.May(tx, by.ID); err != nil {
		return nil, err
	}
	c, err := notHeld(tx, caseID)
	if err != nil {
		return nil, err
	}
	if err := whyNot(tx, c, by); err != nil {
		return nil, err
	}
	experts, err := s.hooks.Experts(tx)
	if err != nil {
		return nil, err
	}
	left, err := leftTx(tx, c, experts)
	if err == nil && left {
		err = fault.New(fault.Denied, "An expert can still answer this case. You can decide it once none is left.")
	}
	return c, err
}

// rulable is the case, if this person can rule on it: an expert on whom it waits, or who decides where none is left.
func (s *Store) rulable(tx *db.Tx, caseID string, by Person) (*Case, error) {
	c, err := s.openFor(tx, caseID, by)
	if err == nil && c.State == Adjudication {
		return c, nil
	}
	if decided, no := s.decidable(tx, caseID, by); no == nil {
		return decided, nil
	}
	if err == nil {
		err = fault.New(fault.Conflict, "This case is not waiting for adjudication. Reload to see its status.")
	}
	return nil, err
}

// CloseUnresolved closes a case that no expert can bring further without a ruling; the supervisors decide. The reason
// stays as a comment. Invalid without one; Denied to all but those who decide.
func (s *Store) CloseUnresolved(ctx context.Context, caseID, reason string, by Person) error {
	reason, err := text.Reason(reason, "reason", "Say why it is closed. The supervisor who decides reads it.")
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.decidable(tx, caseID, by)
		if err != nil {
			return err
		}
		r := Remark{ID: id.New(), By: by, Text: reason}
		if err := r.place(c.Text); err != nil {
			return err
		}
		if _, err := r.store(tx, c, ""); err != nil {
			return err
		}
		if err := db.Exec(tx, "borderline: close "+c.ID, `UPDATE borderline_case SET stood = $1, state = 'overtaken',
			closed_at = $2
			WHERE id = $3`, Unresolved, tx.NowMs(), c.ID); err != nil {
			return err
		}
		if err := s.closeTx(tx, c); err != nil {
			return err
		}
		if err := record(tx, by.Actor(), "borderline.unresolved", c, nil); err != nil {
			return err
		}
		if err := s.hooks.OnUnresolved(tx, c, r); err != nil {
			return err
		}
		return s.balanceTx(tx, c.AgentID)
	})
}

// LastWords are the last answer of each expert to a case, for who decides without a ruling.
func (s *Store) LastWords(ctx context.Context, caseID string) ([]Answer, error) {
	answers, err := db.Read(ctx, s.db, func(tx *db.Tx) ([]Answer, error) { return answersTx(tx, caseID) })
	return finals(answers), err
}

// closeTx is what follows when a case is closed.
func (s *Store) closeTx(tx *db.Tx, c *Case) error {
	touch(tx)
	if err := labelling.Clear(tx, set, c.ID); err != nil {
		return err
	}
	late, err := db.Value[bool](tx, "borderline: is another case late", `SELECT
		EXISTS (SELECT 1 FROM borderline_case WHERE state IN ('waiting', 'adjudication') AND reminded_at > 0)`)
	if err != nil {
		return err
	}
	return s.hooks.OnClosed(tx, c, late)
}
