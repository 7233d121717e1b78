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
		seen := map[string]bool{}
		list = nil
		return db.Each(tx, "compliance: read the newest verdicts", func(row db.Row) error {
			var r Recorded
			var body string
			if err := row.Scan(&r.InteractionID, &r.TextHash, &body, db.At(&r.At)); err != nil {
				return err
			}
			if seen[r.InteractionID] {
				return nil
			}
			seen[r.InteractionID] = true
			if err := json.Unmarshal([]byte(body), &r.Verdict); err != nil {
				return fmt.Errorf("compliance: decode a verdict: %w", err)
			}
			list = append(list, r)
			return nil
		}, `SELECT interaction_id, text_hash, verdict, at FROM verdict ORDER BY id DESC LIMIT $1`, n)
	})
	return list, err
}
