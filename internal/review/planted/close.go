package planted

import (
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
)

// ClosedTx notes what came of a planted check, when the hold of its decision has ended. It is review's hook OnClosed.
func (s *Store) ClosedTx(tx *db.Tx, dec *review.Decision) error {
	var absent, present []string
	r := Result{InteractionID: dec.InteractionID, At: tx.Now, Kind: dec.Kind, Decision: dec.ID}
	err := db.One(tx, fmt.Sprintf("planted: close %s", dec.InteractionID), `SELECT id, task, problem, expected, title,
		what, absent, present
		FROM planted_check WHERE interaction_id = $1`, dec.InteractionID).
		Or(fmt.Errorf("planted: %s is planted and no check knows it", dec.InteractionID)).
		Scan(&r.CheckID, &r.Task, &r.Problem, &r.Expected, &r.Title, &r.What, db.JSON(&absent), db.JSON(&present))
	if err != nil {
		return err
	}
	if r.Outcome, err = outcome(dec, absent, present); err != nil {
		return err
	}
	if n, err := db.Change(tx, "planted: close "+r.CheckID, `UPDATE planted_check SET state = $1, closed_at = $2,
		decision_id = $3, kind = $4
		WHERE id = $5 AND state IN ('due', 'open')`,
		r.Outcome, tx.NowMs(), dec.ID, dec.Kind, r.CheckID); err != nil || n == 0 {
		return err // it was closed before
	}
	if err := s.results(tx, dec, r); err != nil {
		return err
	}
	if err := s.hooks.Forget(tx, dec.InteractionID); err != nil {
		return err
	}
	return audit.Note(tx, audit.System("Seeded checks"), "planted."+r.Outcome, "interaction", dec.InteractionID,
		map[string]any{"check": r.CheckID, "decision": dec.ID, "kind": dec.Kind, "problem": r.Problem, "by": dec.By.ID,
			"second": dec.Second.ID})
}

// outcome: what would have left with the problem in it is missed.
func outcome(dec *review.Decision, absent, present []string) (string, error) {
	switch dec.Kind {
	case review.Reject, review.Return:
		return Caught, nil
	case review.Revise:
		if ok, err := gone(dec.Text, absent, present); err != nil || ok {
			return Caught, err
		}
	}
	return Missed, nil
}

// results notes it for everybody who signed.
func (s *Store) results(tx *db.Tx, dec *review.Decision, r Result) error {
	for _, signed := range []struct {
		by      review.Person
		second  bool
		seconds int
	}{{dec.By, false, dec.SecondsOnCase}, {dec.Second, true, dec.SecondSeconds}} {
		if signed.by.ID == "" {
			continue
		}
		r.Person, r.Second = signed.by, signed.second
		if err := db.Exec(tx, "planted: note the result of "+r.CheckID, `INSERT INTO planted_result (check_id,
				person_id, person_name, outcome, second, seconds, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			r.CheckID, r.Person.ID, r.Person.Name, r.Outcome, r.Second, signed.seconds, tx.NowMs()); err != nil {
			return err
		}
		if err := s.hooks.Notify(tx, r); err != nil {
			return err
		}
	}
	tx.Touch("reviews")
	return nil
}
