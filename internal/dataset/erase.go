package dataset

import (
	"context"

	"preceptor/internal/platform/db"
)

// WalkCustomers gives the customer of every item that has its text, after the one of id after, in the order of ids: at
// most n. It is for an erasure, which looks for somebody in imported sets too.
func (s *Store) WalkCustomers(ctx context.Context, after string, n int,
	give func(itemID string, customer []byte)) (last string, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "dataset: look for a customer", func(row db.Row) error {
			var customer string
			if err := row.Scan(&last, &customer); err != nil {
				return err
			}
			give(last, []byte(customer))
			return nil
		}, `SELECT id, customer FROM dataset_item WHERE id > $1 AND state <> 'erased' ORDER BY id LIMIT $2`, after, n)
	})
	return last, err
}

// StandsTx reports whether an item has its text still.
func (s *Store) StandsTx(tx *db.Tx, itemID string) (yes bool, err error) {
	return db.Value[bool](tx, "dataset: read "+itemID, `SELECT
		EXISTS (SELECT 1 FROM dataset_item WHERE id = $1 AND state <> 'erased')`, itemID)
}
