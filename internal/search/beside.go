package search

import (
	"context"

	"preceptor/internal/db"
)

// Beside are vectors of a second model, kept beside those in use. They have no index: Scan reads each that the filter lets through, exact,
// some 3 ms for 1,000 of length 768.

// Scan is Nearest among the vectors of any model.
func (t *Tables) Scan(ctx context.Context, model string, vector []float32, f Filter, n int) (hits []Hit, err error) {
	if err := checkVector(vector); err != nil || n <= 0 {
		return nil, err
	}
	q := scaled(vector)
	full, more := f.where(3)
	from := `embedding v CROSS JOIN search_entry e ON` // the order in which they are read
	if len(f.IDs) > 0 {
		from = `search_entry e CROSS JOIN embedding v ON`
	}
	err = t.db.Read(ctx, func(tx *db.Tx) error {
		b := best{n: n}
		err := db.Each(tx, "search: read vectors", func(row db.Row) error {
			var h Hit
			var blob []byte
			err := row.Scan(&h.Kind, &h.ID, &blob)
			v := decode(blob)
			if err != nil || len(v) != len(q) {
				return err
			}
			h.Score = float64(blas.Sdot(len(q), v, 1, q, 1))
			b.offer(h)
			return nil
		}, `SELECT e.kind, e.item_id, v.vector FROM `+from+` e.id = v.entry_id
			WHERE v.model = $1 AND e.active = $2`+full+` ORDER BY e.id`, append([]any{model, true}, more...)...)
		hits = b.hits
		return err
	})
	return hits, err
}
