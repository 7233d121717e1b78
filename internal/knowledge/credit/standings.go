package credit

import (
	"context"

	"preceptor/internal/platform/db"
)

// Effects is what is known from real decisions of some items, for lists. An item that no decided draft was shown has
// Shown 0.
func (l *Ledger) Effects(ctx context.Context, ids []string) (map[string]Estimate, error) {
	out := make(map[string]Estimate, len(ids))
	err := l.d.Read(ctx, func(tx *db.Tx) error {
		for _, batch := range db.Batches(ids) {
			b, err := openBook(tx, batch)
			if err != nil {
				return err
			}
			for _, itemID := range batch {
				out[itemID] = b.items[itemID].estimate()
			}
		}
		return nil
	})
	return out, err
}
