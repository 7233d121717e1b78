package evaluate

import (
	"preceptor/internal/platform/db"
)

// Became is what items of gold sets were taught as, in whatever version: the ids of cases and of lessons.
type Became struct{ Cases, Lessons []string }

// BecameTx finds it: what an erasure of the items reaches.
func (s *Store) BecameTx(tx *db.Tx, itemIDs []string) (b Became, err error) {
	for _, batch := range db.Batches(itemIDs) {
		args := db.Anys(batch)
		err := db.Each(tx, "evaluate: what was taught", func(row db.Row) error {
			var kind, object string
			if err := row.Scan(&kind, &object); err != nil {
				return err
			}
			if kind == "exemplar" {
				b.Cases = append(b.Cases, object)
			} else {
				b.Lessons = append(b.Lessons, object)
			}
			return nil
		}, `SELECT DISTINCT kind, object_id FROM judge_taught
			WHERE object_id <> '' AND item_id IN (`+db.In(1, len(batch))+`) ORDER BY object_id`, args...)
		if err != nil {
			return b, err
		}
	}
	return b, nil
}
