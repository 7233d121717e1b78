package review

import (
	"context"
	"fmt"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// maxReason bounds reasons and feedback, in characters.
const maxReason = 10_000

// Skip passes over a case, with a reason. It changes nothing about the case, gives back my claim, and ClaimNext no
// longer hands it to me at this version. It is a Conflict when the case was decided or changed since.
func (q *Queue) Skip(ctx context.Context, caseID string, by Person, version int, reason string) error {
	reason = strings.TrimSpace(reason)
	if f := checkReason("reason", reason, "Give a reason for whoever takes it next."); f != nil {
		return fault.WithFields("Give a reason for skipping this review.", *f)
	}
	return q.db.Write(ctx, func(tx *db.Tx) error { return q.skipTx(tx, caseID, by, version, reason) })
}

func (q *Queue) skipTx(tx *db.Tx, caseID string, by Person, version int, reason string) error {
	r, err := getRow(tx, caseID)
	if err != nil {
		return err
	}
	if err := r.whyEnded(tx.Now); err != nil {
		return err
	}
	if r.State == "decided" {
		return decidedAlready(tx, r.DecisionID, by)
	}
	if r.First.ID == by.ID {
		return ownSignature()
	}
	if r.Version != version {
		return changedSince()
	}
	if err := db.Exec(tx, "review: skip "+caseID, `INSERT INTO review_skip (id, review_id, by_id, by_name, reason,
			version, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		id.New(), caseID, by.ID, by.Name, reason, version, tx.NowMs()); err != nil {
		return err
	}
	if err := findable(tx, caseID, reason); err != nil {
		return err
	}
	if err := unclaimTx(tx, caseID, "", by); err != nil {
		return err
	}
	if err := dropDraftTx(tx, caseID, by.ID, version, "skip"); err != nil {
		return err
	}
	if err := q.interactions.NoteTx(tx, caseID, "skipped", by.Actor(), reason); err != nil {
		return err
	}
	tx.Touch("reviews")
	return audit.Note(tx, by.Actor(), "review.skipped", "interaction", caseID,
		map[string]any{"reason": reason, "version": version})
}

func checkReason(name, typed, missing string) *fault.Field {
	long := text.TooLong(typed, maxReason)
	switch {
	case typed == "":
		return &fault.Field{Name: name, Msg: missing}
	case long != "":
		return &fault.Field{Name: name, Msg: long}
	}
	return nil
}

func skips(tx *db.Tx, caseID string) ([]Skip, error) {
	return db.Rows(tx, fmt.Sprintf("review: skips of %s", caseID), func(s *Skip) []any {
		return []any{&s.ID, &s.InteractionID, &s.By.ID, &s.By.Name, &s.Reason, db.At(&s.At)}
	}, `SELECT id, review_id, by_id, by_name, reason, at FROM review_skip WHERE review_id = $1 ORDER BY at, id`, caseID)
}
