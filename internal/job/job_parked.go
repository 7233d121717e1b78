package job

import (
	"context"
	"fmt"

	"preceptor/internal/db"
)

// KindCount is how many parked jobs of a kind there are.
type KindCount struct {
	Kind string
	N    int
}

// Parked counts the parked jobs by kind, the most first.
func (q *Queue) Parked(ctx context.Context) (list []KindCount, err error) {
	err = q.d.Read(ctx, func(tx *db.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT kind, count(*) FROM river_job WHERE state IN ('cancelled', 'discarded') GROUP BY kind ORDER BY count(*) DESC, kind`)
		if err != nil {
			return fmt.Errorf("job: count parked: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var k KindCount
			if err := rows.Scan(&k.Kind, &k.N); err != nil {
				return err
			}
			list = append(list, k)
		}
		return rows.Err()
	})
	return list, err
}

// retryAtOnce is how many jobs RetryKindTx takes, so that a transaction stays short.
const retryAtOnce = 1000

// RetryKindTx has the parked jobs of a kind run again, a thousand at most, and tells how many.
func (q *Queue) RetryKindTx(tx *db.Tx, kind string) (int, error) {
	ids, err := q.parkedIDs(tx, kind)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if _, err := q.RetryTx(tx, id); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

func (q *Queue) parkedIDs(tx *db.Tx, kind string) (ids []int64, err error) {
	rows, err := tx.Query(`SELECT id FROM river_job WHERE kind = $1 AND state IN ('cancelled', 'discarded') ORDER BY id LIMIT $2`, kind, retryAtOnce)
	if err != nil {
		return nil, fmt.Errorf("job: list parked: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
