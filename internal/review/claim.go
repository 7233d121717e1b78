package review

import (
	"cmp"
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Claim takes a case to work on, for Policy.ClaimFor. It is a Conflict, naming who, when somebody else works on it or
// it is decided. Claiming what is mine extends it.
func (q *Queue) Claim(ctx context.Context, id string, by Person) error {
	return q.db.Write(ctx, func(tx *db.Tx) error { return q.claimTx(tx, id, by) })
}

func (q *Queue) claimTx(tx *db.Tx, id string, by Person) error {
	var got string
	found, err := db.One(tx, "review: claim "+id, `UPDATE review SET claimed_by = $1, claimed_name = $2,
			claimed_at = CASE WHEN claimed_by = $1 AND claimed_until > $3 THEN claimed_at ELSE $3 END,
				claimed_until = $4
		WHERE id = $5 AND state = 'waiting' AND (claimed_by = $1 OR claimed_until <= $3) AND first_by <> $1
			RETURNING id`,
		by.ID, by.Name, tx.NowMs(), q.claimEnd(tx), id).Find(&got)
	if err == nil && !found {
		var r Row
		if r, err = getRow(tx, id); err == nil {
			err = cmp.Or(r.whyNot(tx, by), changedSince())
		}
	}
	if err != nil {
		return err
	}
	tx.Touch("reviews")
	return q.shareClaimTx(tx, id)
}

func (q *Queue) claimEnd(tx *db.Tx) int64 { return db.Ms(tx.Now.Add(q.policy.ClaimFor)) }

// Renew extends a claim of mine, which may have run out as long as nobody took the case: call it while the person is
// active. It is a Conflict when the claim is no longer mine, unless I have decided the case since.
func (q *Queue) Renew(ctx context.Context, id string, by Person) error {
	return q.db.Write(ctx, func(tx *db.Tx) error {
		if n, err := db.Change(tx, "review: renew "+id, `UPDATE review SET claimed_until = $1
			WHERE id = $2 AND state = 'waiting' AND claimed_by = $3`, q.claimEnd(tx), id, by.ID); err != nil {
			return err
		} else if n == 1 {
			return q.keepTalkTx(tx, id, by)
		}
		r, err := getRow(tx, id)
		if err != nil || r.First.ID == by.ID {
			return err
		}
		if r.State == "decided" && r.DecisionID != "" {
			if d, err := getDecision(tx, r.DecisionID); err != nil || d.By.ID == by.ID || d.Second.ID == by.ID {
				return err
			}
		}
		if err := r.whyNot(tx, by); err != nil {
			return err
		}
		return fault.New(fault.Conflict, "You're no longer reviewing this. Start it again to continue.")
	})
}

// Unclaim gives a case back, with its conversation. Giving back what is not mine changes nothing; NotFound when
// there is no such case.
func (q *Queue) Unclaim(ctx context.Context, id string, by Person) error {
	return q.db.Write(ctx, func(tx *db.Tx) error {
		r, err := getRow(tx, id)
		if err != nil {
			return err
		}
		return unclaimTx(tx, id, r.Thread, by)
	})
}

// unclaimTx gives back one case, and with it the drafts of a conversation; "" for none.
func unclaimTx(tx *db.Tx, id, thread string, by Person) error {
	if n, err := db.Change(tx, "review: give back "+id, `UPDATE review SET claimed_by = '', claimed_name = '',
		claimed_at = 0, claimed_until = 0
		WHERE state = 'waiting' AND claimed_by = $1 AND (id = $2 OR thread <> '' AND thread = $3
			AND agent_id = (SELECT o.agent_id FROM review o WHERE o.id = $2))`, by.ID, id, thread); err != nil || n == 0 {
		return err
	}
	tx.Touch("reviews")
	return nil
}
