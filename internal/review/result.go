package review

import (
	"context"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/platform/db"
)

// Observed is the Kind of what never came to the desk: an agent reported it, and nobody reviews it.
const Observed = "observed"

// Result is what became of a draft. The zero value: it waits.
type Result struct {
	Kind   string // of the decision that stands: Approve, Revise, Reject, Return, or sampled; Recalled; or Observed
	Second bool   // a second signature is awaited
	By     string // the name of who wrote or approved it; "" for a release by sampling
	At     time.Time
}

// Results tells what became of some drafts; one that waits is left out. A decision that was undone, or that
// another one took the place of, is none.
func (q *Queue) Results(ctx context.Context, ids []string) (map[string]Result, error) {
	out := make(map[string]Result, len(ids))
	err := q.db.Read(ctx, func(tx *db.Tx) error {
		for _, batch := range db.Batches(ids) {
			args := db.Anys(batch)
			desk, err := db.Column[string](tx, "review: which are the desk's",
				`SELECT id FROM review WHERE id IN (`+db.In(1, len(batch))+`)`, args...)
			if err != nil {
				return err
			}
			for _, id := range batch {
				if !slices.Contains(desk, id) {
					out[id] = Result{Kind: Observed}
				}
			}
			if err := readResults(tx, out, `SELECT review_id, kind, state,
				CASE words_by WHEN '' THEN by_name ELSE words_name END, decided_at FROM decision
				WHERE state NOT IN ('undone', 'overruled') AND review_id IN (`+db.In(1, len(batch))+
				`) ORDER BY decided_at, id`, args); err != nil {
				return fmt.Errorf("review: read what became of drafts: %w", err)
			}
		}
		return nil
	})
	return out, err
}

func readResults(tx *db.Tx, out map[string]Result, query string, args []any) error {
	return db.Each(tx, "review: read fates", func(row db.Row) error {
		var caseID, state string
		var f Result
		if err := row.Scan(&caseID, &f.Kind, &state, &f.By, db.At(&f.At)); err != nil {
			return err
		}
		if f.Second = state == "pending"; state == Recalled {
			f.Kind = Recalled
		}
		out[caseID] = f
		return nil
	}, query, args...)
}
