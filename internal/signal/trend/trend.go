// Package trend is what evaluators found in agents' steps over weeks, with notes and without. It owns no table: it
// reads signals.
package trend

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
)

// Week is what an evaluator found in seven days.
type Week struct {
	Evaluator string
	From      time.Time
	Steps     int // that it looked at
	Issues    int // of those, with something wrong
}

// Effect is how many of an agent's steps had something wrong, with notes and without.
type Effect struct {
	Evaluator     string
	With, Without Share
}

// Share is k of n, with its 95 % interval.
type Share struct {
	K, N      int
	Low, High float64
}

// Reader reads signals.
type Reader struct{ d *db.DB }

// New makes one.
func New(d *db.DB) Reader { return Reader{d} }

// Failing is why evaluators gave nothing the last time they were asked, by name.
func (r Reader) Failing(ctx context.Context, agentID string) (map[string]string, error) {
	why := map[string]string{}
	return why, r.d.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "signal: list what evaluators said last", func(row db.Row) error {
			var evaluator, reason string
			err := row.Scan(&evaluator, &reason)
			if _, newer := why[evaluator]; !newer {
				why[evaluator] = reason
			}
			return err
		}, `SELECT producer, CASE WHEN kind = 'abstained' THEN content ELSE '' END FROM signal
			WHERE agent_id = $1 AND kind IN ('abstained', 'issue', 'right') AND created_at >= $2
			ORDER BY id DESC LIMIT 1000`, agentID, tx.NowMs()-mostWeeks*weekMs)
	})
}

const (
	weekMs    = 7 * 24 * 60 * 60 * 1000
	mostWeeks = 12
)

// Weeks are what evaluators found in an agent's steps in the last twelve weeks, by evaluator and week, and what notes
// seem to do. They stand side by side as they came and were not drawn by lot: an experiment says more.
func (r Reader) Weeks(ctx context.Context, agentID string) (weeks []Week, effects []Effect, err error) {
	at := map[string]int{}
	err = r.d.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "signal: count issues by week", func(row db.Row) error {
			var evaluator, kind string
			var noted, n int
			var week int64
			if err := row.Scan(&week, &evaluator, &kind, &noted, &n); err != nil {
				return err
			}
			if len(weeks) == 0 || weeks[len(weeks)-1].Evaluator != evaluator ||
				weeks[len(weeks)-1].From != db.Time(week*weekMs) {
				weeks = append(weeks, Week{Evaluator: evaluator, From: db.Time(week * weekMs)})
			}
			w := &weeks[len(weeks)-1]
			i, ok := at[evaluator]
			if !ok {
				i = len(effects)
				at[evaluator], effects = i, append(effects, Effect{Evaluator: evaluator})
			}
			share := &effects[i].Without
			if noted == 1 {
				share = &effects[i].With
			}
			w.Steps, share.N = w.Steps+n, share.N+n
			if kind == "issue" {
				w.Issues, share.K = w.Issues+n, share.K+n
			}
			return nil
		}, `SELECT created_at / 604800000, producer, kind, noted, COUNT(*) FROM signal
			WHERE agent_id = $1 AND kind IN ('issue', 'right') AND created_at >= $2
			GROUP BY created_at / 604800000, producer, kind, noted ORDER BY producer, created_at / 604800000`, agentID,
			tx.NowMs()-mostWeeks*weekMs)
	})
	for i := range effects {
		for _, share := range []*Share{&effects[i].With, &effects[i].Without} {
			share.Low, share.High = estimate.Wilson(share.K, share.N, estimate.Z95)
		}
	}
	return weeks, effects, err
}
