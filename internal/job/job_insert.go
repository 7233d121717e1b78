package job

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"preceptor/internal/db"
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
	if _, err := q.inserter.InsertTx(context.Background(), tx.Tx, a, o); err != nil {
		return fmt.Errorf("job: insert %s: %w", a.Kind(), err)
	}
	tx.Touch("jobs")
	return nil
}
