package stats

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/db"
)

// Decided counts decisions of one period.
type Decided struct{ All, Approved int } // Approved: as they came

// Decided counts the decisions of n periods of length step that begin at from. What came before is in the first.
func (r *Reader) Decided(ctx context.Context, from time.Time, step time.Duration, n int) ([]Decided, error) {
	out := make([]Decided, n)
	err := r.read(ctx, func(tx *db.Tx) error {
		rows, err := tx.Query(`SELECT (d.decided_at - $1) / $2, count(*), sum(CASE WHEN d.kind = 'approve' THEN 1 ELSE 0 END)
			FROM decision d JOIN review r ON r.id = d.review_id WHERE `+counted+` GROUP BY 1`, db.Ms(from), step.Milliseconds())
		if err != nil {
			return fmt.Errorf("stats: count decisions: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var period, all, approved int
			if err := rows.Scan(&period, &all, &approved); err != nil {
				return err
			}
			if period < n {
				d := &out[max(0, period)]
				d.All, d.Approved = d.All+all, d.Approved+approved
			}
		}
		return rows.Err()
	})
	return out, err
}
