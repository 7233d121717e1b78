package compliance

import (
	"context"

	"preceptor/internal/db"
)

// Of lists every verdict on an interaction, oldest first: one per text and reading.
func (st *Store) Of(ctx context.Context, interactionID string) (list []Recorded, err error) {
	err = st.d.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "compliance: list verdicts", func(row db.Row) error {
			r := Recorded{InteractionID: interactionID}
			if err := row.Scan(&r.TextHash, db.JSON(&r.Verdict), db.At(&r.At)); err != nil {
				return err
			}
			list = append(list, r)
			return nil
		}, `SELECT text_hash, verdict, at FROM verdict WHERE interaction_id = $1 ORDER BY at, id`, interactionID)
	})
	return list, err
}
