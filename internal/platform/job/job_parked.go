package job

import (
	"context"

	"preceptor/internal/platform/db"
)

// KindCount is how many parked jobs of a kind there are.
type KindCount struct {
	Kind string
	N    int
}

// Parked counts the parked jobs by kind, the most first.
func (q *Queue) Parked(ctx context.Context) ([]KindCount, error) {
	return db.Read(ctx, q.d, func(tx *db.Tx) ([]KindCount, error) {
		return db.Rows(tx, "job: count parked", func(k *KindCount) []any { return []any{&k.Kind, &k.N} },
			`SELECT kind, count(*) FROM river_job WHERE state IN ('cancelled', 'discarded')
				GROUP BY kind ORDER BY count(*) DESC, kind`)
	})
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
	return db.Column[int64](tx, "job: list parked", `SELECT id FROM river_job
		WHERE kind = $1 AND state IN ('cancelled', 'discarded')
		ORDER BY id LIMIT $2`, kind, retryAtOnce)
}
