package stats

import (
	"context"

	"preceptor/internal/platform/db"
)

// Overview is what a manager sees in ten seconds: the desk's work of some days, and what waits and was learned.
type Overview struct {
	Review   ReviewPage
	Rules    int // in use now
	NewRules int // accepted in the period
	Lessons  int // begun from corrections in the period
}

// Overview reads the figures of the last days days, today included.
func (r *Reader) Overview(ctx context.Context, days int) (o Overview, err error) {
	f := Filter{Range: Days(r.db.Now(), days, r.Zone), Plain: true}
	if o.Review, err = r.Review(ctx, f); err != nil {
		return o, err
	}
	err = r.read(ctx, func(tx *db.Tx) error {
		return db.One(tx, "stats: what was learned", `SELECT (SELECT count(*) FROM knowledge_rule
				WHERE status = 'active'),
			(SELECT count(*) FROM lesson WHERE stage = 'accept' AND state = 'accepted' AND updated_at >= $1),
			(SELECT count(*) FROM lesson WHERE origin IN ('revise', 'reject') AND created_at >= $1)`,
			db.Ms(f.From)).Scan(&o.Rules, &o.NewRules, &o.Lessons)
	})
	return o, err
}
