package job

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"preceptor/internal/platform/db"
)

// Option changes how a job is queued.
type Option func(*river.InsertOpts)

// At has the job wait until t; a zero t means now.
func At(t time.Time) Option {
	return func(o *river.InsertOpts) { o.ScheduledAt = t }
}

// Unique queues the job only if no job of the same kind and arguments is waiting or running. It keeps the queue short;
// it is no lock: a job that is running may have read its input already.
func Unique() Option {
	return func(o *river.InsertOpts) { o.UniqueOpts = river.UniqueOpts{ByArgs: true, ByState: unfinished} }
}

var unfinished = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
	rivertype.JobStateRunning, rivertype.JobStateScheduled,
}

// Attempts sets after how many failures the job is parked.
func Attempts(n int) Option {
	return func(o *river.InsertOpts) { o.MaxAttempts = n }
}

// Urgent puts the job in the queue that slow jobs can't fill.
func Urgent() Option {
	return func(o *river.InsertOpts) { o.Queue = queueUrgent }
}

// Patient lets the other jobs of its queue go first.
func Patient() Option {
	return func(o *river.InsertOpts) { o.Priority = 2 }
}

// Network puts the job in the queue of those that wait for other machines.
func Network() Option {
	return func(o *river.InsertOpts) { o.Queue = queueNetwork }
}

// InsertTx queues a job, if and only if tx commits. a carries ids, never text.
func (q *Queue) InsertTx(tx *db.Tx, a river.JobArgs, opts ...Option) error {
	o := &river.InsertOpts{MaxAttempts: attempts, Queue: queueDefault}
	for _, f := range opts {
		f(o)
	}
	insert := q.insertTx
	if _, own := a.(river.JobArgsWithInsertOpts); own || o.UniqueOpts.ByArgs || q.d.OnServer() {
		insert = q.riverTx
	}
	if err := insert(tx, a, o); err != nil {
		return fmt.Errorf("job: insert %s: %w", a.Kind(), err)
	}
	tx.Touch("jobs")
	return nil
}

func (q *Queue) riverTx(tx *db.Tx, a river.JobArgs, o *river.InsertOpts) error {
	_, err := q.inserter.InsertTx(context.Background(), tx.Tx, a, o)
	return err
}

// insertTx writes the row that River would write for a job like any other. River has its statement read and planned
// anew each time, a millisecond of every decision while others wait to write; this one is kept prepared. A test holds
// the two rows against each other.
func (q *Queue) insertTx(tx *db.Tx, a river.JobArgs, o *river.InsertOpts) error {
	args, err := json.Marshal(a)
	if err != nil {
		return err
	}
	now := q.d.Now()
	state, at := rivertype.JobStateAvailable, now
	if !o.ScheduledAt.IsZero() {
		state, at = rivertype.JobStateScheduled, o.ScheduledAt
	}
	_, err = tx.Exec(`INSERT INTO river_job (args, created_at, kind, max_attempts, metadata, priority, queue,
			scheduled_at, state, tags)
		VALUES ($1, $2, $3, $4, json('{}'), $5, $6, $7, $8, json('[]'))`,
		args, riverTime(now), a.Kind(), o.MaxAttempts, cmp.Or(o.Priority, river.PriorityDefault), o.Queue,
		riverTime(at.Round(time.Millisecond)), string(state))
	return err
}
