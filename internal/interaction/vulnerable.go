package interaction

import (
	"context"
	"encoding/json"
	"strings"

	"preceptor/internal/platform/db"
)

// VulnerableOf tells of some interactions whether their agent said that the customer is vulnerable: true, or false
// where it said that they are not or said nothing. Interactions that are not here, or whose texts were erased, are left
// out.
func (s *Store) VulnerableOf(ctx context.Context, ids []string) (map[string]bool, error) {
	out := make(map[string]bool, len(ids))
	for _, batch := range db.Batches(ids) {
		args := db.Anys(batch)
		err := s.db.Read(ctx, func(tx *db.Tx) error {
			return db.Each(tx, "interaction: read who is vulnerable", func(row db.Row) error {
				var id, customer string
				if err := row.Scan(&id, &customer); err != nil {
					return err
				}
				out[id] = vulnerable(customer)
				return nil
			}, `SELECT id, customer FROM interaction WHERE erased_at = 0 AND id IN (`+db.In(1, len(batch))+`)`, args...)
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// vulnerable reads one field. Most customers are not, and their JSON, which this package wrote, need not be read to
// know.
func vulnerable(customer string) bool {
	if !strings.Contains(customer, `"vulnerable":true`) {
		return false
	}
	var c Customer
	return json.Unmarshal([]byte(customer), &c) == nil && c.Vulnerable != nil && *c.Vulnerable
}
