package review

import (
	"context"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// Seen is a case at the version that was on the screen.
type Seen struct {
	ID      string
	Version int
}

// SkipAll skips several cases with one reason, in one transaction. What was decided, taken or changed meanwhile is left
// out and named. There is no such act for decisions: what reaches a customer was read, case by case.
func (q *Queue) SkipAll(ctx context.Context, list []Seen, by Person, reason string) (res BulkResult, err error) {
	ids := lists.Map(list, func(s Seen) string { return s.ID })
	if err := checkBulk(ids); err != nil {
		return res, err
	}
	reason = strings.TrimSpace(reason)
	if f := checkReason("reason", reason, "Give a reason for whoever takes them next."); f != nil {
		return res, fault.WithFields("Give a reason for skipping these reviews.", *f)
	}
	seen := map[string]Seen{}
	for _, one := range list {
		seen[one.ID] = one
	}
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		res, err = eachOf(ids, func(id string) (string, error) { return q.skipOne(tx, seen[id], by, reason) })
		return err
	})
	return res, err
}

// skipOne skips one case, or says why not. What Skip would refuse is asked first, so that a refusal does not end the
// transaction.
func (q *Queue) skipOne(tx *db.Tx, s Seen, by Person, reason string) (why string, err error) {
	r, err := getRow(tx, s.ID)
	switch {
	case fault.Is(err, fault.NotFound):
		return "no longer there", nil
	case err != nil:
		return "", err
	case r.State == "decided":
		return "already decided", nil
	case r.First.ID == by.ID:
		return "approved by you", nil
	case r.Claim.HeldByOther(by.ID, tx.Now):
		return "being reviewed by " + r.Claim.By.Name, nil
	case r.Version != s.Version:
		return "changed since you saw it", nil
	}
	var before bool
	if err := db.One(tx, "review: skip "+s.ID, `SELECT EXISTS (SELECT 1 FROM review_skip
			WHERE review_id = $1 AND by_id = $2 AND over_at = 0 AND version = $3)`, s.ID, by.ID,
		s.Version).Scan(&before); err != nil {
		return "", err
	}
	if before {
		return "already skipped by you", nil
	}
	return "", q.skipTx(tx, s.ID, by, s.Version, reason)
}

// ResetSkips has ClaimNext hand out again what by skipped, and tells how many cases that were. The skips stay on
// record.
func (q *Queue) ResetSkips(ctx context.Context, by Person) (n int, err error) {
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		c, err := q.countsTx(tx, by.ID, false)
		if err != nil {
			return err
		}
		n = c.Skipped
		if rows, err := db.Change(tx, "review: reset skips", `UPDATE review_skip SET over_at = $1
			WHERE by_id = $2 AND over_at = 0
			AND EXISTS (SELECT 1 FROM review r WHERE r.id = review_skip.review_id AND r.state = 'waiting'
				AND r.version = review_skip.version)`,
			tx.NowMs(), by.ID); err != nil || rows == 0 {
			return err
		}
		tx.Touch("reviews")
		return audit.Note(tx, by.Actor(), "review.skips_reset", "account", by.ID,
			map[string]any{"cases": n})
	})
	return n, err
}
