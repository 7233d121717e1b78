package job

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// loop is a task that comes again.
type loop struct {
	name  string
	every time.Duration
}

// Loop is a task that comes again by itself, and how it stands.
type Loop struct {
	Name      string
	Every     time.Duration
	StartedAt time.Time // of the last run that is over; zero before the first
	EndedAt   time.Time
	Outcome   string // LoopDone, LoopFailed or "" before the first run
	Error     string // why the last run failed, for a person
	Runs      int
	Running   bool      // or about to run
	NextAt    time.Time // about when it runs next; zero while it is paused, and before its first run
	PausedAt  time.Time // zero unless paused
	PausedBy  string
}

// Paused reports whether a person stopped it from running.
func (l Loop) Paused() bool { return !l.PausedAt.IsZero() }

// Outcomes of a run.
const (
	LoopDone   = "done"
	LoopFailed = "failed"
)

// round is one run of a periodic task: nothing while it is paused; else the work, and how it went.
func (q *Queue) round(ctx context.Context, name string, work func(ctx context.Context) error) error {
	paused, err := db.Read(ctx, q.d, func(tx *db.Tx) (bool, error) { return pausedTx(tx, name) })
	if err != nil || paused {
		return err
	}
	started := q.d.Now()
	failed := work(ctx)
	if failed != nil && ctx.Err() != nil {
		return failed // cut short by a stop; it runs again at the next start
	}
	outcome, text := LoopDone, ""
	if failed != nil {
		outcome, text = LoopFailed, fault.Message(failed)
		if fault.KindOf(failed) == fault.Internal {
			text = "Internal error. The log says more."
		}
	}
	err = q.d.Write(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		tx.Touch("jobs")
		_, err := tx.Exec(`INSERT INTO periodic (name, started_at, ended_at, outcome, error, runs)
			VALUES ($1, $2, $3, $4, $5, 1)
			ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at, ended_at = excluded.ended_at,
				outcome = excluded.outcome, error = excluded.error, runs = periodic.runs + 1`,
			name, started.UnixMilli(), tx.NowMs(), outcome, text)
		return err
	})
	if err != nil {
		err = fmt.Errorf("job: keep how %s went: %w", name, err)
	}
	return errors.Join(failed, err)
}

// Loops lists the tasks that come again, by name.
func (q *Queue) Loops(ctx context.Context) ([]Loop, error) {
	known := map[string]Loop{}
	running := map[string]bool{}
	err := q.d.Read(ctx, func(tx *db.Tx) error {
		if err := loopsTx(tx, known); err != nil {
			return err
		}
		return db.Each(tx, "job: list what runs", db.Keys(running), `SELECT DISTINCT kind FROM river_job
			WHERE state IN ('available', 'running')`)
	})
	if err != nil {
		return nil, err
	}
	out := make([]Loop, 0, len(q.loops))
	for _, l := range q.loops {
		row := known[l.name]
		row.Name, row.Every, row.Running = l.name, l.every, running[l.name] && !row.Paused()
		if !row.Paused() && !row.StartedAt.IsZero() {
			row.NextAt = row.StartedAt.Add(l.every)
		}
		out = append(out, row)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

func loopsTx(tx *db.Tx, into map[string]Loop) error {
	return db.Each(tx, "job: list periodic tasks", func(row db.Row) error {
		var l Loop
		if err := row.Scan(&l.Name, db.At(&l.StartedAt), db.At(&l.EndedAt), &l.Outcome, &l.Error, &l.Runs,
			db.At(&l.PausedAt), &l.PausedBy); err != nil {
			return err
		}
		into[l.Name] = l
		return nil
	}, `SELECT name, started_at, ended_at, outcome, error, runs, paused_at, paused_by FROM periodic`)
}

// PauseTx keeps a task from running until it is resumed; a run that is under way ends as it would. It reports whether
// anything changed. by is the name of who wants it.
func (q *Queue) PauseTx(tx *db.Tx, name, by string) (bool, error) {
	if _, err := q.loop(name); err != nil {
		return false, err
	}
	n, err := db.Change(tx, "job: pause "+name, `INSERT INTO periodic (name, paused_at, paused_by) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET paused_at = excluded.paused_at, paused_by = excluded.paused_by
			WHERE periodic.paused_at = 0`, name, tx.NowMs(), by)
	tx.Touch("jobs")
	return n > 0, err
}

// ResumeTx lets a paused task run again, at once where a run fell out meanwhile. It reports whether anything changed.
func (q *Queue) ResumeTx(tx *db.Tx, name string) (bool, error) {
	l, err := q.loop(name)
	if err != nil {
		return false, err
	}
	var started time.Time
	found, err := db.One(tx, fmt.Sprintf("job: resume %s", name), `UPDATE periodic SET paused_at = 0, paused_by = ''
		WHERE name = $1 AND paused_at > 0 RETURNING started_at`, name).Find(db.At(&started))
	if err != nil || !found {
		return false, err
	}
	tx.Touch("jobs")
	if started.Add(l.every).After(tx.Now) {
		return true, nil
	}
	return true, q.nowTx(tx, name)
}

func pausedTx(tx *db.Tx, name string) (bool, error) {
	return db.Value[bool](tx, fmt.Sprintf("job: is %s paused", name), `SELECT
		EXISTS (SELECT 1 FROM periodic WHERE name = $1 AND paused_at > 0)`, name)
}

// RunNowTx has a task run once beside its times. A paused one has to be resumed first.
func (q *Queue) RunNowTx(tx *db.Tx, name string) error {
	if _, err := q.loop(name); err != nil {
		return err
	}
	paused, err := pausedTx(tx, name)
	if err != nil {
		return err
	}
	if paused {
		return fault.New(fault.Conflict, "This job is paused. Resume it first.")
	}
	return q.nowTx(tx, name)
}

func (q *Queue) nowTx(tx *db.Tx, name string) error {
	return q.InsertTx(tx, periodicArgs{name}, Unique(), Attempts(periodicAttempts))
}

func (q *Queue) loop(name string) (loop, error) {
	for _, l := range q.loops {
		if l.name == name {
			return l, nil
		}
	}
	return loop{}, fault.New(fault.NotFound, "There is no such scheduled job.")
}
