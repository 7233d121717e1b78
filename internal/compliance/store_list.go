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
		return db.Each(tx, "compliance: list verdicts", func(row db.Row) error {
			r := Recorded{InteractionID: interactionID}
			var body string
			var at int64
			if err := row.Scan(&r.TextHash, &body, &at); err != nil {
				return err
			}
			if err := json.Unmarshal([]byte(body), &r.Verdict); err != nil {
				return fmt.Errorf("compliance: decode a verdict: %w", err)
			}
			r.At = db.Time(at)
			list = append(list, r)
			return nil
		}, `SELECT text_hash, verdict, at FROM verdict WHERE interaction_id = $1 ORDER BY at, id`, interactionID)
	})
	return list, err
}
