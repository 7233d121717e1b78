package job

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"preceptor/internal/platform/fault"
)

// Register says how jobs of A's kind are worked. Call it before Start, once per kind. work must bear running twice.
func Register[A river.JobArgs](q *Queue, work func(ctx context.Context, a A) error) {
	var zero A
	register(q, zero, work)
}

func register[A river.JobArgs](q *Queue, named A, work func(ctx context.Context, a A) error) {
	q.kinds = append(q.kinds, func(w *river.Workers) {
		river.AddWorkerArgs(w, named, &worker[A]{q: q, work: work})
	})
}

// periodicArgs is the job of a periodic task; its kind is the task's name.
type periodicArgs struct{ name string }

func (a periodicArgs) Kind() string { return a.name }

// Periodic has work run once at start and then every so often while the program runs. A run that is still waiting or
// running is not doubled, and one that a person paused does nothing (job_loop.go). name is a job kind, as
// "account.sweep".
func (q *Queue) Periodic(name string, every time.Duration, work func(ctx context.Context) error) {
	periodic(q, periodicArgs{name}, every, work)
}

// PeriodicUnhurried is Periodic for work that takes as long as the file is large.
func (q *Queue) PeriodicUnhurried(name string, every time.Duration, work func(ctx context.Context) error) {
	periodic(q, unhurriedArgs{periodicArgs{name}}, every, work)
}

type unhurriedArgs struct{ periodicArgs }

func (unhurriedArgs) Unhurried() {}

func periodic[A river.JobArgs](q *Queue, args A, every time.Duration, work func(ctx context.Context) error) {
	name := args.Kind()
	register(q, args, func(ctx context.Context, _ A) error { return q.round(ctx, name, work) })
	q.loops = append(q.loops, loop{name, every})
	opts := &river.InsertOpts{MaxAttempts: periodicAttempts, Queue: queueDefault}
	Unique()(opts)
	q.periodic = append(q.periodic, river.NewPeriodicJob(river.PeriodicInterval(every),
		func() (river.JobArgs, *river.InsertOpts) { return args, opts },
		&river.PeriodicJobOpts{ID: name, RunOnStart: true}))
}

type worker[A river.JobArgs] struct {
	river.WorkerDefaults[A]
	q    *Queue
	work func(ctx context.Context, a A) error
}

func (w *worker[A]) Work(ctx context.Context, j *river.Job[A]) error {
	if j.Attempt >= j.MaxAttempts {
		ctx = context.WithValue(ctx, lastAttempt{}, true)
	}
	return w.q.guard(j.JobRow, func() error { return w.work(ctx, j.Args) })
}

// Timeout is the queue's, but for work that takes as long as what it was given is large.
func (w *worker[A]) Timeout(j *river.Job[A]) time.Duration {
	if _, unhurried := any(j.Args).(interface{ Unhurried() }); unhurried {
		return -1 // none
	}
	return 0
}

type lastAttempt struct{}

// LastAttempt tells work whether the job is parked if it fails this time.
func LastAttempt(ctx context.Context) bool { return ctx.Value(lastAttempt{}) != nil }

// NextRetry honours what a fault said about when to come back; otherwise it waits longer each time (1 s, 16 s, 81 s,
// 4 min, 10 min ...), a little spread so that jobs that failed together don't come back together.
func (w *worker[A]) NextRetry(j *river.Job[A]) time.Time {
	if wait, ok := w.q.waits.LoadAndDelete(j.ID); ok {
		return w.q.d.Now().Add(wait.(time.Duration))
	}
	n := time.Duration(j.Attempt)
	wait := n * n * n * n * time.Second
	return w.q.d.Now().Add(wait + time.Duration(rand.Int64N(int64(wait/10)+1)))
}

// failure is what is stored of a failed run: text that may be shown, and whether trying again is of any use.
type failure struct {
	text string
	park bool
}

func (f *failure) Error() string { return f.text }

// guard runs one job, turns a panic into an error and an error into what may be stored.
func (q *Queue) guard(row *rivertype.JobRow, work func() error) (err error) {
	q.working.Store(row.ID, true)
	defer func() {
		q.working.Delete(row.ID)
		if p := recover(); p != nil {
			q.log.Error("job panicked", "job", row.ID, "kind", row.Kind, "stack", string(debug.Stack()))
			err = q.fail(row, fmt.Errorf("panic of type %T", p))
		}
	}()
	if err := work(); err != nil {
		return q.fail(row, err)
	}
	return nil
}

func (q *Queue) fail(row *rivertype.JobRow, err error) error {
	kind := fault.KindOf(err)
	f := &failure{text: fault.Message(err), park: !kind.Retriable()}
	if kind == fault.Internal {
		f.text = fmt.Sprintf("Internal error. The log names it under job %d.", row.ID)
	}
	if wait := fault.RetryAfter(err); wait > 0 && !f.park {
		q.waits.Store(row.ID, wait)
	}
	q.log.Warn("job failed", "job", row.ID, "kind", row.Kind, "attempt", row.Attempt, "of", row.MaxAttempts,
		"parked", f.park || row.Attempt >= row.MaxAttempts, "error", err)
	return f
}

// parker cancels a job at once when its failure says so.
type parker struct{}

func (parker) HandleError(_ context.Context, _ *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	f, ok := errors.AsType[*failure](err)
	_, unknown := errors.AsType[*river.UnknownJobKindError](err)
	return &river.ErrorHandlerResult{SetCancelled: unknown || ok && f.park}
}

func (parker) HandlePanic(context.Context, *rivertype.JobRow, any, string) *river.ErrorHandlerResult {
	return nil // guard leaves none
}
