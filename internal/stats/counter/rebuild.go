package counter

import (
	"context"
	"fmt"

	"preceptor/internal/feedback"
	"preceptor/internal/platform/db"
)

// How much a transaction of a rebuild takes, so that none takes long.
const (
	casesAtOnce = 2_000
	rowsAtOnce  = 50_000
)

// counter counts the next rows of a table, those after an id, and tells the last one's and how many there were.
type counter func(tx *db.Tx, after string, s *sheet) (last string, n int, err error)

// Progress is told how many raw rows were counted so far.
type Progress func(done int)

// StoredZone is whose days the tables count; "" in a file that has none yet.
func StoredZone(ctx context.Context, d *db.DB) (zone string, err error) {
	return db.Read(ctx, d, func(tx *db.Tx) (string, error) {
		return db.Maybe[string](tx, "stats: read the zone", `SELECT zone FROM stat_state`)
	})
}

// Ready makes the tables fit to be read and kept: it rebuilds them when they are those of another zone or program, when
// a rebuild was cut short, or when they are empty and there is something to count. Call it before anything is written.
// It reports whether it rebuilt.
func (k *Keeper) Ready(ctx context.Context, progress Progress) (rebuilt bool, err error) {
	fit, err := db.Read(ctx, k.db, func(tx *db.Tx) (bool, error) {
		return db.Maybe[bool](tx, "stats: look at the sums", `SELECT zone = $1 AND shape = $2 AND built = 1
				AND (EXISTS (SELECT 1 FROM stat_block) OR NOT EXISTS (SELECT 1 FROM verdict)
					AND NOT EXISTS (SELECT 1 FROM vote) AND NOT EXISTS (SELECT 1 FROM observed))
			FROM stat_state`, k.zone.String(), shape)
	})
	if err != nil || fit {
		return false, err
	}
	return true, k.Rebuild(ctx, progress)
}

// Rebuild makes the tables anew from the raw rows. Nothing else may write meanwhile. Cut short, it is begun again by
// Ready.
func (k *Keeper) Rebuild(ctx context.Context, progress Progress) error {
	if progress == nil {
		progress = func(int) {}
	}
	if err := k.clear(ctx); err != nil {
		return err
	}
	done := 0
	for _, some := range k.counters() {
		for after, more := "", true; more; {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := k.db.Write(ctx, func(tx *db.Tx) error {
				s := newSheet()
				last, n, err := some(tx, after, s)
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
	for _, q := range []string{`DELETE FROM stat_block`, `DELETE FROM stat_hist`, `DELETE FROM stat_case`,
		`DELETE FROM stat_found`, `DELETE FROM stat_due`} {
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
		return db.Exec(tx, "stats: mark the sums", `INSERT INTO stat_state (id, zone, shape, built)
			VALUES (1, $1, $2, $3)
			ON CONFLICT (id) DO UPDATE SET zone = excluded.zone, shape = excluded.shape,
				built = excluded.built`, k.zone.String(), shape, built)
	})
}

func (k *Keeper) someCases(tx *db.Tx, after string, s *sheet) (last string, n int, err error) {
	ids, err := db.Column[string](tx, "stats: rebuild", `SELECT id FROM review
		WHERE id > $1 ORDER BY id LIMIT $2`, after, casesAtOnce)
	if err != nil || len(ids) == 0 {
		return "", 0, err
	}
	for _, some := range db.Batches(ids) {
		if err := k.casesTx(tx, some, s, false); err != nil {
			return "", 0, err
		}
	}
	return ids[len(ids)-1], len(ids), nil
}

// someOf counts the next rows of a table: adds is what one adds. The last columns of the query are its id, its agent
// and its topic.
func someOf(query string, adds func(row db.Row) ([]entry, error)) counter {
	return func(tx *db.Tx, after string, s *sheet) (last string, n int, err error) {
		err = db.Each(tx, "stats: rebuild", func(row db.Row) error {
			var agent, topic string
			list, err := adds(db.More(row, &last, &agent, &topic))
			s.addAll(agent, topic, list, 1)
			n++
			return err
		}, query+` WHERE id > $1 ORDER BY id LIMIT $2`, after, rowsAtOnce)
		return last, n, err
	}
}

// counters count all there is.
func (k *Keeper) counters() []counter {
	return []counter{
		k.someCases,
		someOf(`SELECT kind, value, norm, at, version, id, agent_type, topic
			FROM vote`, func(row db.Row) ([]entry, error) {
			var v feedback.Vote
			err := row.Scan(&v.Kind, &v.Value, &v.Norm, db.At(&v.At), &v.Version)
			return k.voteAdds(&v), err
		}),
		someOf(`SELECT satisfaction, comprehension, goal_alignment, goals_met, understanding_checked, signposted,
			db_warning_given, at, id, agent_type, topic
			FROM outcome`, func(row db.Row) ([]entry, error) {
			var o feedback.Outcome
			err := row.Scan(&o.Satisfaction, &o.Comprehension, &o.GoalAlignment, &o.GoalsMet, &o.UnderstandingChecked,
				&o.Signposted, &o.DBWarningGiven, db.At(&o.At))
			return k.outcomeAdds(&o), err
		}),
		someOf(`SELECT created_at, id, agent_type, topic FROM observed`, func(row db.Row) ([]entry, error) {
			var at int64
			err := row.Scan(&at)
			return []entry{{Measure: Logged, Day: k.day(at)}}, err
		}),
	}
}
