package delivery

import (
	"context"
	"slices"

	"preceptor/internal/platform/db"
)

// Receipt is an event about an object with every attempt to deliver it, oldest first.
type Receipt struct {
	Delivery
	Attempts []Attempt
}

// Receipts lists the events about an object of an agent, oldest first. Tests and other agents' events are none of them.
func (s *Service) Receipts(ctx context.Context, agentID, objectID string) (list []Receipt, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list, err = db.List(tx, "delivery: list receipts", func(row db.Row) (Receipt, error) {
			d, err := scanDelivery(row)
			return Receipt{Delivery: d}, err
		}, `SELECT `+deliveryColumns+` WHERE d.agent_id = $1 AND d.object_id = $2 ORDER BY d.seq`, agentID, objectID)
		if err != nil {
			return err
		}
		for i := range list {
			if list[i].Attempts, err = attemptsTx(tx, list[i].ID); err != nil {
				return err
			}
			slices.Reverse(list[i].Attempts)
		}
		return nil
	})
	return list, err
}
