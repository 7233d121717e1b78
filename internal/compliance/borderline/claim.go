package borderline

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// Claim is one expert at work on a case.
type Claim struct {
	By    Person
	Since int64 // ms
	Until int64 // ms
}

// Claim takes a place among the answers that a case still wants, for ClaimFor; claiming again extends it. Conflict when
// others work on all of them. Where a case waits for adjudication there is one place.
func (s *Store) Claim(ctx context.Context, caseID string, by Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.mayRule(tx, by.ID); err != nil {
			return err
		}
		c, err := one(tx, ` WHERE id = $1`, caseID)
		if err != nil {
			return err
		}
		return s.claimTx(tx, c, by)
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
			AND NOT EXISTS (SELECT 1 FROM borderline_answer a
				WHERE a.case_id = c.id AND a.by_id = $1 AND a.undone_at = 0 AND a.step = 'final')
			AND (EXISTS (SELECT 1 FROM borderline_answer a WHERE a.case_id = c.id AND a.by_id = $1 AND a.undone_at = 0)
				OR (SELECT count(*) FROM borderline_answer a
					WHERE a.case_id = c.id AND a.undone_at = 0 AND a.step = 'blind')
				+ (SELECT count(*) FROM borderline_claim l WHERE l.case_id = c.id AND l.by_id <> $1 AND l.until > $2
					AND NOT EXISTS (SELECT 1 FROM borderline_answer a
					WHERE a.case_id = c.id AND a.by_id = l.by_id AND a.undone_at = 0)) < c.wanted)
				AND NOT EXISTS (SELECT 1 FROM borderline_claim s
					WHERE s.case_id = c.id AND s.by_id = $1 AND s.skipped_at > 0)
			ORDER BY c.created_at, c.id LIMIT 1`, by.ID, tx.NowMs())
		if err == nil && caseID == "" {
			caseID, err = db.Maybe[string](tx, "borderline: find the next case to adjudicate", `SELECT c.id
				FROM borderline_case c WHERE c.state = 'adjudication' AND c.sent_by <> $1
				AND NOT EXISTS (SELECT 1 FROM borderline_answer a
					WHERE a.case_id = c.id AND a.by_id = $1 AND a.undone_at = 0)
				AND NOT EXISTS (SELECT 1 FROM borderline_claim l
					WHERE l.case_id = c.id AND l.by_id <> $1 AND l.until > $2)
				AND NOT EXISTS (SELECT 1 FROM borderline_claim s
					WHERE s.case_id = c.id AND s.by_id = $1 AND s.skipped_at > 0)
				ORDER BY c.created_at, c.id LIMIT 1`, by.ID, tx.NowMs())
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
		_, err = tx.Exec(`INSERT INTO borderline_claim (case_id, by_id, by_name, at, until, skipped_at)
			VALUES ($1, $2, $3, $4, 0, $4)
			ON CONFLICT (case_id, by_id) DO UPDATE SET until = 0, skipped_at = excluded.skipped_at`, c.ID, by.ID,
			by.Name, tx.NowMs())
		return err
	})
}

// SaveDraft keeps what an expert has typed and not sent, with their place on the case, which it extends. Conflict when
// others have the case or it is closed.
func (s *Store) SaveDraft(ctx context.Context, caseID string, by Person, draft string) (at time.Time, err error) {
	if len(draft) > maxDraft {
		return at, fault.New(fault.Invalid, "This is too long. Shorten it.")
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.openFor(tx, caseID, by)
		if err != nil {
			return err
		}
		if err := setClaim(tx, c.ID, by); err != nil {
			return err
		}
		at = tx.Now
		_, err = tx.Exec(`UPDATE borderline_claim SET draft = $1 WHERE case_id = $2 AND by_id = $3`, draft, c.ID, by.ID)
		return err
	})
	return at, err
}

// draftTx is what an expert typed, and whether they skipped the case.
func draftTx(tx *db.Tx, caseID, by string) (draft string, skipped bool, err error) {
	err = db.Each(tx, "borderline: read a draft", func(row db.Row) error { return row.Scan(&draft, &skipped) },
		`SELECT draft, skipped_at > 0 FROM borderline_claim WHERE case_id = $1 AND by_id = $2`, caseID, by)
	return draft, skipped, err
}

func (s *Store) mayRule(tx *db.Tx, personID string) error {
	if personID == "" {
		return fault.New(fault.Unsigned, "Sign in to answer.")
	}
	return s.hooks.MayRule.May(tx, personID)
}

// claimTx takes a place, or says why there is none for this person.
func (s *Store) claimTx(tx *db.Tx, c *Case, by Person) error {
	if err := whyNot(tx, c, by); err != nil {
		return err
	}
	return setClaim(tx, c.ID, by)
}

func setClaim(tx *db.Tx, caseID string, by Person) error {
	err := db.Exec(tx, "borderline: claim "+caseID, `INSERT INTO borderline_claim (case_id, by_id, by_name, at, until)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (case_id, by_id) DO UPDATE SET at = CASE
			WHEN borderline_claim.until > excluded.at THEN borderline_claim.at ELSE excluded.at END,
			until = excluded.until, skipped_at = 0`,
		caseID, by.ID, by.Name, tx.NowMs(), db.Ms(tx.Now.Add(ClaimFor)))
	if err != nil {
		return err
	}
	tx.Touch("borderline")
	return nil
}

func dropClaims(tx *db.Tx, caseID string) error {
	_, err := tx.Exec(`DELETE FROM borderline_claim WHERE case_id = $1`, caseID)
	return err
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
	claims, err := claimsTx(tx, c.ID)
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
	for _, l := range claims {
		if l.By.ID != by.ID && (c.State == Adjudication || latest(answers, l.By.ID) == nil) {
			taken++
			holder = l.By.Name
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
const heldBack = "More uncertain drafts arrived, so this one went back to the supervisors. Go back to the list and " +
	"pick another."

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

// claimsTx are the claims on a case that have not run out.
func claimsTx(tx *db.Tx, caseID string) (out []Claim, err error) {
	return db.Rows(tx, fmt.Sprintf("borderline: read the claims of %s", caseID), func(l *Claim) []any {
		return []any{&l.By.ID, &l.By.Name, &l.Since, &l.Until}
	},
		`SELECT by_id, by_name, at, until FROM borderline_claim
			WHERE case_id = $1 AND until > $2 ORDER BY at, by_id`, caseID, tx.NowMs())
}

// RenameTx gives an agent its new name on open cases, and an expert on their claims.
func RenameTx(tx *db.Tx, id, name string) error {
	tx.Touch("borderline")
	if err := db.Exec(tx, "borderline: rename "+id, `UPDATE borderline_case SET agent_name = $1
		WHERE agent_id = $2 AND state IN ('waiting', 'adjudication')`, name, id); err != nil {
		return err
	}
	return db.Exec(tx, "borderline: rename "+id, `UPDATE borderline_claim SET by_name = $1 WHERE by_id = $2`, name, id)
}
