package interaction

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
)

// ReleasedByTask counts an agent's guidance that arrived from from up to and without to and has been released, by task.
// Planted checks are none.
func (s *Store) ReleasedByTask(ctx context.Context, agentID string, from, to time.Time) (map[string]int, error) {
	out := map[string]int{}
	err := s.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "interaction: count what was released", db.Pairs(out),
			`SELECT task, count(*) FROM interaction
				WHERE agent_id = $1 AND status = 'released' AND created_at >= $2 AND created_at < $3 AND planted = 0
				GROUP BY task`,
			agentID, db.Ms(from), db.Ms(to))
	})
	return out, err
}
