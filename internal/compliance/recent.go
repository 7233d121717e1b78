package compliance

import (
	"context"
	"encoding/json"
	"fmt"

	"preceptor/internal/db"
)

// Recent are the newest verdicts, newest first, one of each interaction: the last that was given. At most n rows are read.
func (st *Store) Recent(ctx context.Context, n int) (list []Recorded, err error) {
	err = st.d.Read(ctx, func(tx *db.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT interaction_id, text_hash, verdict, at FROM verdict ORDER BY id DESC LIMIT $1`, n)
		if err != nil {
			return fmt.Errorf("compliance: read the newest verdicts: %w", err)
		}
		defer rows.Close()
		seen := map[string]bool{}
		list = nil
		for rows.Next() {
			var r Recorded
			var body string
			var at int64
			if err := rows.Scan(&r.InteractionID, &r.TextHash, &body, &at); err != nil {
				return fmt.Errorf("compliance: read the newest verdicts: %w", err)
			}
			if seen[r.InteractionID] {
				continue
			}
			seen[r.InteractionID] = true
			if err := json.Unmarshal([]byte(body), &r.Verdict); err != nil {
				return fmt.Errorf("compliance: decode a verdict: %w", err)
			}
			r.At = db.Time(at)
			list = append(list, r)
		}
		return rows.Err()
	})
	return list, err
}
