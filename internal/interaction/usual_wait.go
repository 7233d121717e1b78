package interaction

import (
	"context"
	"slices"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
)

// A usual wait is the middle one of at most mostWaits answers to what was asked within recentWaits; of fewer than
// leastWaits nothing can be said.
const (
	recentWaits = 14 * 24 * time.Hour
	mostWaits   = 50
	leastWaits  = 10
)

// UsualWait is how long what an agent was asked of late took to be released, in the middle; 0 where too little was.
func (s *Store) UsualWait(ctx context.Context, agentID string) (time.Duration, error) {
	waits, err := db.Read(ctx, s.db, func(tx *db.Tx) ([]int64, error) {
		return db.Rows(tx, "interaction: how long answers took", func(ms *int64) []any { return []any{ms} },
			`SELECT released_at - created_at FROM interaction
			WHERE agent_id = $1 AND status = 'released' AND created_at > $2 AND planted = 0
			ORDER BY created_at DESC, id DESC LIMIT $3`, agentID, db.Ms(s.db.Now().Add(-recentWaits)), mostWaits)
	})
	if err != nil || len(waits) < leastWaits {
		return 0, err
	}
	slices.Sort(waits)
	return time.Duration(estimate.Quantile(waits, 0.5)) * time.Millisecond, nil
}
