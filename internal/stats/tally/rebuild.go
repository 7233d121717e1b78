package tally

import (
	"context"
	"fmt"

	"preceptor/internal/db"
)

// How much a transaction of a rebuild takes, so that none takes long.
const (
	casesAtOnce = 2_000
	rowsAtOnce  = 50_000
)

// Progress is told how many raw rows were counted so far.
type Progress func(done int)

// StoredZone is whose days the tables count; "" in a file that has none yet.
func StoredZone(ctx context.Context, d *db.DB) (zone string, err error) {
	return db.Read(ctx, d, func(tx *db.Tx) (string, error) {
		return db.Maybe[string](tx, "stats: read the zone", `SELECT zone FROM stat_state`)
	})
}

// Ready makes the tables fit to be read and kept: it rebuilds them when they are those of another zone or program, when a rebuild was
// cut short, or when they are empty and there is something to count. Call it before anything is written. It tells whether it rebuilt.
func (k *Keeper) Ready(ctx context.Context, progress Progress) (rebuilt bool, err error) {
	fit, err := db.Read(ctx, k.db, func(tx *db.Tx) (bool, error) {
		return db.Maybe[bool](tx, "stats: look at the sums", `SELECT zone = $1 AND shape = $2 AND built = 1
				AND (EXISTS (SELECT 1 FROM stat_block) OR NOT EXISTS (SELECT 1 FROM verdict) AND NOT EXISTS (SELECT 1 FROM vote) AND NOT EXISTS (SELECT 1 FROM observed))
			FROM stat_state`, k.zone.String(), shape)
	})
	if err != nil || fit {
		return false, err
	}
	return true, k.Rebuild(ctx, progress)
}

// Rebuild makes the tables anew from the raw rows. Nothing else may write meanwhile. Cut short, it is begun again by Ready.
func (k *Keeper) Rebuild(ctx context.Context, progress Progress) error {
	if progress == nil {
		progress = func(int) {}
	}
	if err := k.clear(ctx); err != nil {
		return err
	}
	done := 0
	for _, source := range []func(tx *db.Tx, after string, s *sheet) (last string, n int, err error){k.someCases, k.someVotes, k.someOutcomes, k.someObserved} {
		for after, more := "", true; more; {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := k.db.Write(ctx, func(tx *db.Tx) error {
				s := newSheet()
				last, n, err := source(tx, after, s)
				if err != nil {
					return fmt.Errorf("stats: rebuild: %w", err)
				}
				after, more, done = last, n > 0, done+n
				return s.write(tx)
			})
			if err != nil {
				return err
			}
			progress(done)
		}
	}
	return k.mark(ctx, 1)
}

// clear empties the tables, and says so.
func (k *Keeper) clear(ctx context.Context) error {
	if err := k.mark(ctx, 0); err != nil {
		return err
	}
	for _, q := range []string{`DELETE FROM stat_block`, `DELETE FROM stat_hist`, `DELETE FROM stat_case`, `DELETE FROM stat_found`} {
		if err := k.db.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(q)
			return err
		}); err != nil {
			return fmt.Errorf("stats: clear the sums: %w", err)
		}
	}
	return nil
}

func (k *Keeper) mark(ctx context.Context, built int) error {
	return k.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "stats: mark the sums", `INSERT INTO stat_state (id, zone, shape, built) VALUES (1, $1, $2, $3)
			ON CONFLICT (id) DO UPDATE SET zone = excluded.zone, shape = excluded.shape, built = excluded.built`, k.zone.String(), shape, built)
	})
}

func (k *Keeper) someCases(tx *db.Tx, after string, s *sheet) (last string, n int, err error) {
	var ids []string
	err = eachRow(tx, `SELECT id FROM review WHERE id > $1 ORDER BY id LIMIT $2`, after, casesAtOnce, func(rows db.Row) error {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		ids, last = append(ids, id), id
		return nil
	})
	if err != nil {
		return "", 0, err
	}
	for _, some := range db.Batches(ids) {
		if err := k.casesTx(tx, some, s, false); err != nil {
			return "", 0, err
		}
	}
	return last, len(ids), nil
}

func (k *Keeper) someVotes(tx *db.Tx, after string, s *sheet) (last string, n int, err error) {
	err = eachRow(tx, `SELECT id, agent_type, topic, kind = 'rating', value, norm, at FROM vote WHERE id > $1 ORDER BY id LIMIT $2`, after, rowsAtOnce, func(rows db.Row) error {
		var v Vote
		if err := rows.Scan(&last, &v.AgentType, &v.Topic, &v.Rating, &v.Value, &v.Norm, &v.At); err != nil {
			return err
		}
		n++
		for _, e := range v.adds(k) {
			s.add(v.AgentType, v.Topic, e, 1)
		}
		return nil
	})
	return last, n, err
}

func (k *Keeper) someOutcomes(tx *db.Tx, after string, s *sheet) (last string, n int, err error) {
	err = eachRow(tx, `SELECT id, agent_type, topic, satisfaction, comprehension, goal_alignment, goals_met, understanding_checked, signposted, db_warning_given, at
		FROM outcome WHERE id > $1 ORDER BY id LIMIT $2`, after, rowsAtOnce, func(rows db.Row) error {
		var o Outcome
		if err := rows.Scan(&last, &o.AgentType, &o.Topic, &o.Satisfaction, &o.Comprehension, &o.GoalAlignment, &o.GoalsMet, &o.Understanding, &o.Signposted, &o.Warning, &o.At); err != nil {
			return err
		}
		n++
		for _, e := range o.adds(k) {
			s.add(o.AgentType, o.Topic, e, 1)
		}
		return nil
	})
	return last, n, err
}

func (k *Keeper) someObserved(tx *db.Tx, after string, s *sheet) (last string, n int, err error) {
	err = eachRow(tx, `SELECT id, agent_type, topic, created_at FROM observed WHERE id > $1 ORDER BY id LIMIT $2`, after, rowsAtOnce, func(rows db.Row) error {
		var agent, topic string
		var at int64
		if err := rows.Scan(&last, &agent, &topic, &at); err != nil {
			return err
		}
		n++
		s.add(agent, topic, entry{Measure: Logged, Day: k.day(at)}, 1)
		return nil
	})
	return last, n, err
}

func eachRow(tx *db.Tx, query, after string, limit int, scan func(rows db.Row) error) error {
	return db.Each(tx, "stats: rebuild", scan, query, after, limit)
}
