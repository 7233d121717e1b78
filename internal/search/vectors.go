package search

import (
	"context"
	"fmt"

	"preceptor/internal/db"
)

// Vectors gives the vectors in use of some items; one that is hidden, or waits for its vector, is left out.
func (t *Tables) Vectors(ctx context.Context, kind string, ids []string) (map[string][]float32, error) {
	out := make(map[string][]float32, len(ids))
	err := t.db.Read(ctx, func(tx *db.Tx) error {
		for _, batch := range db.Batches(ids) {
			args := append([]any{kind}, db.Anys(batch)...)
			if err := readVectors(tx, out, `SELECT e.item_id, m.vector FROM search_entry e JOIN embedding m ON m.entry_id = e.id JOIN search_state s ON s.model = m.model
				WHERE e.kind = $1 AND e.active = 1 AND e.item_id IN (`+db.In(2, len(batch))+`)`, args); err != nil {
				return fmt.Errorf("search: read vectors: %w", err)
			}
		}
		return nil
	})
	return out, err
}

func readVectors(tx *db.Tx, out map[string][]float32, query string, args []any) error {
	return db.Each(tx, "search: read vectors", func(row db.Row) error {
		var itemID string
		var blob []byte
		err := row.Scan(&itemID, &blob)
		out[itemID] = decode(blob)
		return err
	}, query, args...)
}
