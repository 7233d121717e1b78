package borderline

import (
	"context"
	"time"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Claim takes a place among the answers that a case still wants, for ClaimFor; claiming again extends it. Conflict when
// others work on all of them. Where a case waits for adjudication there is one place.
func (s *Store) Claim(ctx context.Context, caseID string, by Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.openFor(tx, caseID, by)
		if err != nil {
			return err
		}
		return setClaim(tx, c.ID, by)
	})
}

// ClaimNext takes the next case that this expert can answer or adjudicate, answers first; "" when there is none. The
// oldest comes first, as in the list; what they skipped is left out.
func (s *Store) ClaimNext(ctx context.Context, by Person) (caseID string, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.mayRule(tx, by.ID); err != nil {
			return err
		}
		caseID, err = db.Maybe[string](tx, "borderline: find the next case", `SELECT c.id FROM borderline_case c
			WHERE c.state = 'waiting' AND c.sent_by <> $1
			AND NOT EXISTS (SELECT 1 FROM labelling_turn t
				WHERE t.item_id = c.id AND t.person_id = $1 AND t.state IN ('done', 'skipped'))
			AND (EXISTS (SELECT 1 FROM labelling_answer a WHERE a.item_id = c.id AND a.by_id = $1 AND a.standing = 1)
				OR c.answered + (SELECT count(*) FROM labelling_turn l
					WHERE l.item_id = c.id AND l.person_id <> $1 AND l.state = 'open' AND l.at > $2
					AND NOT EXISTS (SELECT 1 FROM labelling_answer a
					WHERE a.item_id = c.id AND a.by_id = l.person_id AND a.standing = 1)) < c.wanted)
			ORDER BY c.created_at, c.id LIMIT 1`, by.ID, db.Ms(lapsed(tx)))
		if err == nil && caseID == "" {
			caseID, err = db.Maybe[string](tx, "borderline: find the next case to adjudicate", `SELECT c.id
				FROM borderline_case c WHERE c.state = 'adjudication' AND c.sent_by <> $1
				AND NOT EXISTS (SELECT 1 FROM labelling_answer a
					WHERE a.item_id = c.id AND a.by_id = $1 AND a.standing = 1)
				AND NOT EXISTS (SELECT 1 FROM labelling_turn t WHERE t.item_id = c.id
					AND (t.person_id = $1 AND t.state = 'skipped' OR t.person_id <> $1 AND t.state = 'open'
					AND t.at > $2))
				ORDER BY c.created_at, c.id LIMIT 1`, by.ID, db.Ms(lapsed(tx)))
		}
		if err != nil || caseID == "" {
			return err
		}
		return setClaim(tx, caseID, by)
	})
	return caseID, err
}

// Skip leaves a case to others: what was typed is kept, and ClaimNext does not hand it to this expert again until they
// open it.
func (s *Store) Skip(ctx context.Context, caseID string, by Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.openFor(tx, caseID, by)
		if err != nil {
			return err
		}
		tx.Touch("borderline")
		return at(c.ID, by).Skip(tx)
	})
}

// SaveDraft keeps what an expert has typed and not sent, with their place on the case, which it extends. Conflict when
// others have the case or it is closed.
func (s *Store) SaveDraft(ctx context.Context, caseID string, by Person, draft string) (saved time.Time, err error) {
	if len(draft) > maxDraft {
		return saved, fault.New(fault.Invalid, "This is too long. Shorten it.")
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.openFor(tx, caseID, by)
		if err != nil {
			return err
		}
		if err := setClaim(tx, c.ID, by); err != nil {
			return err
		}
		saved = tx.Now
		return at(c.ID, by).SaveDraft(tx, draft)
	})
	return saved, err
}

// set is the one that all cases are in.
const set = "borderline"

func at(caseID string, by Person) labelling.Place { return labelling.At(set, caseID, by) }

// lapsed is since when an expert must have worked on a case to keep their place.
func lapsed(tx *db.Tx) time.Time { return tx.Now.Add(-ClaimFor) }

func (s *Store) mayRule(tx *db.Tx, personID string) error {
	if personID == "" {
		return fault.New(fault.Unsigned, "Sign in to answer.")
	}
	return s.hooks.MayRule.May(tx, personID)
}

func setClaim(tx *db.Tx, caseID string, by Person) error {
	tx.Touch("borderline")
	return at(caseID, by).Claim(tx)
}

// whyNot says why this person can't answer or adjudicate a case; nil when they could.
func whyNot(tx *db.Tx, c *Case, by Person) error {
	if !c.Open() {
		return closedAlready(tx, c, by)
	}
	if c.sentBy.ID == by.ID {
		return fault.New(fault.Denied, "You sent this case, so someone else has to answer it.")
	}
	answers, err := answersTx(tx, c.ID)
	if err != nil {
		return err
	}
	mine := latest(answers, by.ID)
	if c.State == Adjudication && mine != nil {
		return fault.New(fault.Denied, "You answered this case, so someone else has to adjudicate it.")
	}
	if mine != nil {
		return nil // their place is theirs
	}
	holders, err := labelling.Holders(tx, set, c.ID, lapsed(tx))
	if err != nil {
		return err
	}
	taken, holder := 0, ""
	for _, a := range answers {
		if a.Step == Blind {
			taken++
		}
	}
	places := c.Wanted
	if c.State == Adjudication {
		taken, places = 0, 1
	}
	for _, p := range holders {
		if p.ID != by.ID && (c.State == Adjudication || latest(answers, p.ID) == nil) {
			taken++
			holder = p.Name
		}
	}
	switch {
	case taken < places:
		return nil
	case holder != "":
		return fault.New(fault.Conflict, "%s is working on this case. Take another, or wait until they finish.", holder)
	}
	return fault.New(fault.Conflict, "All the experts that this case needs have answered it. Take another.")
}

// heldBack is what somebody is told who comes to a case that gave way to others.
const heldBack = "Drafts that are more uncertain, or that supervisors sent, took its place, so this one went back to " +
	"the supervisors. Go back to the list and pick another."

func closedAlready(tx *db.Tx, c *Case, by Person) error {
	if c.held {
		return fault.New(fault.Conflict, "%s", heldBack)
	}
	if c.State == Overtaken {
		return fault.New(fault.Conflict,
			"A supervisor has already decided this case, so your answer is no longer needed.")
	}
	r, err := rulingTx(tx, c.ID)
	if err != nil || r == nil {
		return err
	}
	return fault.New(fault.Conflict, "%s ruled on this case at %s. Nothing more was stored.", r.By.As(by.ID),
		r.At.Local().Format("15:04"))
}

// RenameTx gives an agent its new name on open cases, and an expert on their claims.
func RenameTx(tx *db.Tx, id, name string) error {
	tx.Touch("borderline")
	if err := db.Exec(tx, "borderline: rename "+id, `UPDATE borderline_case SET agent_name = $1
		WHERE agent_id = $2 AND state IN ('waiting', 'adjudication')`, name, id); err != nil {
		return err
	}
	return labelling.Rename(tx, set, id, name)
}
