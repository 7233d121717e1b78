package compliance

import (
	"context"
	"encoding/json"
	"fmt"

	"preceptor/internal/db"
)

// Of lists every verdict on an interaction, oldest first: one per text and reading.
func (st *Store) Of(ctx context.Context, interactionID string) (list []Recorded, err error) {
	err = st.d.Read(ctx, func(tx *db.Tx) error {
		rows, err := tx.Query(`SELECT text_hash, verdict, at FROM verdict WHERE interaction_id = $1 ORDER BY at, id`, interactionID)
		if err != nil {
			return fmt.Errorf("compliance: list verdicts: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			r := Recorded{InteractionID: interactionID}
			var body string
			var at int64
			if err := rows.Scan(&r.TextHash, &body, &at); err != nil {
				return fmt.Errorf("compliance: list verdicts: %w", err)
			}
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
