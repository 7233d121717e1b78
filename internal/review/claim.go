package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// Claim takes a case to work on, for Policy.ClaimFor. It is a Conflict, naming who, when somebody else works on it or it
// is decided. Claiming what is mine extends it.
func (q *Queue) Claim(ctx context.Context, id string, by Person) error {
	return q.db.Write(ctx, func(tx *db.Tx) error { return q.claimTx(tx, id, by) })
}

func (q *Queue) claimTx(tx *db.Tx, id string, by Person) error {
	err := tx.QueryRow(`UPDATE review SET claimed_by = $1, claimed_name = $2,
			claimed_at = CASE WHEN claimed_by = $1 AND claimed_until > $3 THEN claimed_at ELSE $3 END, claimed_until = $4
		WHERE id = $5 AND state = 'waiting' AND (claimed_by = $1 OR claimed_until <= $3) RETURNING id`,
		by.ID, by.Name, tx.NowMs(), q.claimEnd(tx), id).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return whyNot(tx, id, by)
	}
	if err != nil {
		return fmt.Errorf("review: claim %s: %w", id, err)
	}
	tx.Touch("reviews")
	return nil
}

func (q *Queue) claimEnd(tx *db.Tx) int64 { return db.Ms(tx.Now.Add(q.policy.ClaimFor)) }

// ClaimNext takes the first case of the queue that is free or mine, that f's agent and task choose, and that I did not skip
// (unless f.WithSkipped). ok is false when there is none; Counts then tells whether others hold the rest, or I skipped it.
// It is one statement: two people never get the same case.
func (q *Queue) ClaimNext(ctx context.Context, by Person, f Filter) (id string, ok bool, err error) {
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		b := claimNextQuery(f, by, tx.NowMs(), q.claimEnd(tx))
		err := tx.QueryRow(b.sql.String(), b.args...).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("review: claim the next case: %w", err)
		}
		ok = true
		tx.Touch("reviews")
		return nil
	})
	return id, ok && err == nil, err
}

func claimNextQuery(f Filter, by Person, now, until int64) *query {
	b := &query{}
	b.add(`UPDATE review SET claimed_by = ?, claimed_name = ?`, by.ID, by.Name)
	b.add(`, claimed_at = CASE WHEN claimed_by = $1 AND claimed_until > ? THEN claimed_at ELSE $3 END, claimed_until = ?`, now, until)
	b.add(` WHERE id = (`)
	b.nextFree(f, "$1", "$3")
	b.add(`) RETURNING id`)
	return b
}

// nextFree chooses the case that is handed out next. by and now are the placeholders of who asks and when.
func (b *query) nextFree(f Filter, by, now string) {
	b.add(`SELECT id FROM review WHERE state = 'waiting' AND (claimed_until <= ` + now + ` OR claimed_by = ` + by + `)`)
	b.narrow(f)
	if f.Except != "" {
		b.add(` AND id <> ?`, f.Except)
	}
	if !f.WithSkipped {
		b.add(` AND NOT EXISTS (SELECT 1 FROM review_skip s WHERE s.review_id = review.id AND s.by_id = ` + by + ` AND s.version = review.version)`)
	}
	b.add(` ORDER BY priority, created_at, id LIMIT 1`)
}

// Renew extends a claim of mine, which may have run out as long as nobody took the case: call it while the person is
// active. It is a Conflict when the claim is no longer mine.
func (q *Queue) Renew(ctx context.Context, id string, by Person) error {
	return q.db.Write(ctx, func(tx *db.Tx) error {
		res, err := tx.Exec(`UPDATE review SET claimed_until = $1 WHERE id = $2 AND state = 'waiting' AND claimed_by = $3`, q.claimEnd(tx), id, by.ID)
		if err != nil {
			return fmt.Errorf("review: renew %s: %w", id, err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 1 {
			return err
		}
		if err := whyNot(tx, id, by); err != nil {
			return err
		}
		return fault.New(fault.Conflict, "You no longer work on this case. Take it again to go on.")
	})
}

// Unclaim gives a case back. Giving back what is not mine changes nothing.
func (q *Queue) Unclaim(ctx context.Context, id string, by Person) error {
	return q.db.Write(ctx, func(tx *db.Tx) error { return unclaimTx(tx, id, by) })
}

func unclaimTx(tx *db.Tx, id string, by Person) error {
	res, err := tx.Exec(`UPDATE review SET claimed_by = '', claimed_name = '', claimed_at = 0, claimed_until = 0
		WHERE id = $1 AND state = 'waiting' AND claimed_by = $2`, id, by.ID)
	if err != nil {
		return fmt.Errorf("review: give back %s: %w", id, err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	tx.Touch("reviews")
	return nil
}

// whyNot says why by can't work on a case: it is not there, decided, or somebody else's. Nil when they could.
func whyNot(tx *db.Tx, id string, by Person) error {
	r, err := getRow(tx, id)
	if err != nil {
		return err
	}
	if r.State == "decided" {
		return decidedAlready(tx, r.DecisionID)
	}
	if r.Claim.HeldByOther(by.ID, tx.Now) {
		return fault.New(fault.Conflict, "%s is working on this case. You can read it; take another, or wait until it is free.", r.Claim.By.Name)
	}
	return nil
}

func decidedAlready(tx *db.Tx, decisionID string) error {
	d, err := getDecision(tx, decisionID)
	if err != nil {
		return err
	}
	return fault.New(fault.Conflict, "%s already decided this: %s, at %s UTC. Nothing of yours was sent.", d.By.Name, d.Verb(), d.DecidedAt.Format("15:04"))
}
