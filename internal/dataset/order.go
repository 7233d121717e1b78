package dataset

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

// OrderItem is an item as it is put in order: its text alone.
type OrderItem struct {
	ID string
	Text
}

// fresh are the items that nobody has begun. Those that somebody has are left where they are, and so are hidden check
// items.
const fresh = `state = 'open' AND planted = 0 AND taken = 0`

// ToOrder reads what an order is made of: at most most items that nobody has begun, spread over the list, and the
// newest that people labelled.
func (s *Store) ToOrder(ctx context.Context, datasetID string, most int) (open, labelled []OrderItem, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		ids, err := db.Column[string](tx, "dataset: list what nobody has begun",
			`SELECT id FROM dataset_item WHERE dataset_id = $1 AND `+fresh+` ORDER BY place`, datasetID)
		if err != nil {
			return err
		}
		chosen := make([]string, 0, most)
		for i := range min(most, len(ids)) {
			chosen = append(chosen, ids[i*len(ids)/min(most, len(ids))])
		}
		for _, batch := range db.Batches(chosen) {
			some, err := orderItems(tx, `id IN (`+db.In(1, len(batch))+`) ORDER BY place`, db.Anys(batch)...)
			if err != nil {
				return err
			}
			open = append(open, some...)
		}
		labelled, err = orderItems(tx,
			`dataset_id = $1 AND planted = 0 AND has > 0 AND erased_at = 0 ORDER BY n DESC LIMIT $2`,
			datasetID, most)
		return err
	})
	return open, labelled, err
}

func orderItems(tx *db.Tx, where string, args ...any) ([]OrderItem, error) {
	return db.List(tx, "dataset: read items to order", func(row db.Row) (o OrderItem, err error) {
		var customer string
		err = row.Scan(&o.ID, &customer, &o.Question, db.JSON(&o.Messages), &o.Guidance)
		if customer != "" {
			o.Customer = []byte(customer)
		}
		return o, err
	}, `SELECT id, customer, question, messages, guidance FROM dataset_item WHERE `+where, args...)
}

// OrderTx notes that by wants the items that nobody has begun in another order.
func (s *Store) OrderTx(tx *db.Tx, datasetID, how string, by Person) error {
	if err := may(s.MayManage, tx, by); err != nil {
		return err
	}
	if _, err := getTx(tx, datasetID); err != nil {
		return err
	}
	return audit.Note(tx, by.Actor(), "dataset.ordered", "dataset", datasetID, map[string]any{"how": how})
}

// Reorder has the items of ids come next, in their order, and the others that nobody has begun after them as they
// stand, or as they came. All get places behind every person's mark, so that nobody misses one.
func (s *Store) Reorder(ctx context.Context, datasetID string, ids []string, asTheyCame bool) error {
	by := "place"
	if asTheyCame {
		by = "n"
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		last, err := seqTx(tx, datasetID, len(ids))
		if err != nil {
			return err
		}
		n, err := db.Change(tx, "dataset: order items", `UPDATE dataset_item SET place = $1 + o.nth
			FROM (SELECT id, row_number() OVER (ORDER BY `+by+`) AS nth FROM dataset_item
				WHERE dataset_id = $2 AND `+fresh+`) o
			WHERE dataset_item.id = o.id`, last, datasetID)
		if err != nil {
			return err
		}
		for i, item := range ids {
			if err := db.Exec(tx, "dataset: order an item",
				`UPDATE dataset_item SET place = $1 WHERE id = $2 AND dataset_id = $3 AND `+fresh,
				last-int64(len(ids))+int64(i)+1, item, datasetID); err != nil {
				return err
			}
		}
		tx.Touch(topic)
		_, err = seqTx(tx, datasetID, n)
		return err
	})
}
