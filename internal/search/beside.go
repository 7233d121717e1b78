package search

import (
	"context"

	"preceptor/internal/db"
)

// Beside are vectors of a second model, kept beside those in use. They have no index: Scan reads each that the filter lets through, exact,
// some 3 ms for 1,000 of length 768.

// Scan is Nearest among the vectors of any model.
func (t *Tables) Scan(ctx context.Context, model string, vector []float32, f Filter, n int) (hits []Hit, err error) {
	if err := checkVector(vector); err != nil {
		return nil, err
	}
	q := scaled(vector)
	full, more := f.where(3)
	from := `embedding v CROSS JOIN search_entry e ON e.agent_id <> '' AND` // the order in which they are read
	if len(f.IDs) > 0 {
		from = `search_entry e CROSS JOIN embedding v ON`
	}
	err = t.db.Read(ctx, func(tx *db.Tx) error {
		best := &best{n: n}
		var all []Hit
		err := db.Each(tx, "search: read vectors", func(row db.Row) error {
			var h Hit
			var blob []byte
			err := row.Scan(&h.Kind, &h.ID, &blob)
			v := decode(blob)
			if err != nil || len(v) != len(q) {
				return err
			}
			cosine := float32(0)
			for i, x := range v {
				cosine += x * q[i]
			}
			best.offer(near{cosine, int64(len(all)), h.ID})
			all = append(all, h)
			return nil
		}, `SELECT e.kind, e.item_id, v.vector FROM `+from+` e.id = v.entry_id
			WHERE v.model = $1 AND e.active = $2`+full+` ORDER BY e.id`, append([]any{model, true}, more...)...)
		for _, x := range best.sorted() {
			h := all[x.entry]
			h.Score = float64(x.cosine)
			hits = append(hits, h)
		}
		return err
	})
	return hits, err
}
