package job

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"preceptor/internal/platform/fault"
)

// Start works jobs until Stop. It first takes back what a killed process left running. ctx bounds the start only.
func (q *Queue) Start(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.client != nil {
		return fault.New(fault.Conflict, "The job queue is already running.")
	}
	if err := q.beat(ctx); err != nil {
		return err
	}
	c, err := q.newClient(pollEvery, 4, q.periodic)
	if err != nil {
		return err
	}
	if err := c.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("job: start: %w", err)
	}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	q.client, q.stopped, q.done = c, cancel, make(chan struct{})
	go q.promoteUntil(run, q.done)
	return nil
}

func (q *Queue) newClient(poll time.Duration, workers int,
	periodic []*river.PeriodicJob) (*river.Client[*sql.Tx], error) {
	w := river.NewWorkers()
	for _, add := range q.kinds {
		add(w)
	}
	river.AddWorker(w, &worker[nothing]{q: q, work: func(context.Context, nothing) error { return nil }})
	c, err := river.NewClient(q.driver, &river.Config{
		ID: q.id, Logger: quiet(q.log),
		Test:    river.TestConfig{Time: clock{q.d}},
		Workers: w,
		Queues: map[string]river.QueueConfig{
			queueDefault: {MaxWorkers: workers}, queueUrgent: {MaxWorkers: max(1, workers/2)},
			queueNetwork: {MaxWorkers: workers * workers}, // 16 of a server; 1 where drained, as of others
		},
		FetchPollInterval: poll, FetchCooldown: poll,
		JobTimeout: jobTimeout, MaxAttempts: attempts,
		// River rescues and removes jobs by the machine's clock. Orphans are reset at start, done jobs removed by
		// sweep.
		RescueStuckJobsAfter:        never,
		CompletedJobRetentionPeriod: -1, CancelledJobRetentionPeriod: -1, DiscardedJobRetentionPeriod: -1,
		ErrorHandler: parker{}, PeriodicJobs: periodic, ReindexerSchedule: river.NeverSchedule(),
		// Only skips River's random delays of up to a second at start: there is no other process to stagger against.
		TestOnly: true,
	})
	if err != nil {
		return nil, fmt.Errorf("job: configure: %w", err)
	}
	return c, nil
}

// nothing is a kind that nobody queues: River refuses to start without one, and a queue without kinds must still start.
type nothing struct{}

func (nothing) Kind() string { return "job.nothing" }

// Stop lets running jobs finish for some seconds, then cancels them; they run again at the next start. It takes at most
// ten seconds and is quiet when the queue does not run.
func (q *Queue) Stop(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.client == nil {
		return nil
	}
	q.stopped()
	<-q.done
	err := stop(ctx, q.client)
	q.client = nil
	if q.d.OnServer() {
		_, lerr := q.d.Queue().ExecContext(context.WithoutCancel(ctx), `DELETE FROM server
			WHERE id = $1 OR seen_at < now() - interval '1 day'`, q.id)
		err = errors.Join(err, lerr)
	}
	return err
}

func stop(ctx context.Context, c *river.Client[*sql.Tx]) error {
	soft, cancel := context.WithTimeout(ctx, softStop)
	defer cancel()
	if err := c.Stop(soft); err == nil {
		return nil
	}
	hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), hardStop)
	defer cancel()
	if err := c.StopAndCancel(hard); err != nil {
		return fault.Wrap(fault.Unavailable, err, "Some jobs did not stop in time. They run again at the next start.")
	}
	return nil
}

// Drain works everything that is due by the database's clock, and what follows from it, until nothing is left; then it
// returns. Jobs scheduled for later and failures waiting for their next attempt stay. It is for tests and commands,
// where the queue need not have been started; periodic tasks don't run.
func (q *Queue) Drain(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.client != nil {
		return q.waitIdle(ctx)
	}
	if err := q.reset(ctx); err != nil {
		return err
	}
	if n, err := q.due(ctx); err != nil || n == 0 {
		return err
	}
	c, err := q.newClient(10*time.Millisecond, 1, nil)
	if err != nil {
		return err
	}
	if err := c.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("job: start: %w", err)
	}
	return errors.Join(q.waitIdle(ctx), stop(ctx, c))
}

func (q *Queue) waitIdle(ctx context.Context) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := q.promote(ctx); err != nil {
			return err
		}
		if n, err := q.due(ctx); err != nil || n == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fault.Wrap(fault.Unavailable, ctx.Err(), "The jobs did not finish in time.")
		case <-tick.C:
		}
	}
}

// riverTime is how the driver writes times; only this form compares rightly with its rows.
func riverTime(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.999") }

// due counts the jobs that are running or should be.
func (q *Queue) due(ctx context.Context) (n int, err error) {
	err = q.d.Reader().QueryRowContext(ctx, `
		SELECT count(*) FROM river_job
		WHERE state = 'running' OR state IN ('available', 'scheduled', 'retryable') AND scheduled_at <= $1`,
		riverTime(q.d.Now())).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("job: count what is due: %w", err)
	}
	return n, nil
}

func (q *Queue) promoteUntil(ctx context.Context, done chan<- struct{}) {
	defer close(done)
	tick := time.NewTicker(promoteEvery)
	defer tick.Stop()
	var swept time.Time
	beaten := q.d.Now()
	for {
		if q.d.OnServer() && q.d.Now().Sub(beaten) > beatEvery {
			if err := q.beat(ctx); err != nil && ctx.Err() == nil {
				q.log.Error("this server's lease was not renewed", "error", err)
			}
			beaten = q.d.Now()
		}
		if now := q.d.Now(); now.Sub(swept) >= sweepEvery {
			if err := q.sweep(ctx); err != nil && ctx.Err() == nil {
				q.log.Error("finished jobs were not removed", "error", err)
			}
			swept = now
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := q.promote(ctx); err != nil && ctx.Err() == nil {
				q.log.Error("scheduled jobs were not promoted", "error", err)
			}
		}
	}
}

// promote makes scheduled jobs available whose time has come. It asks the readers first, so that an idle desk costs the
// writer nothing.
func (q *Queue) promote(ctx context.Context) error {
	now := q.d.Now()
	var any bool
	err := q.d.Reader().QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM river_job WHERE state IN ('scheduled', 'retryable') AND scheduled_at <= $1)`,
		riverTime(now)).Scan(&any)
	if err != nil || !any {
		return err
	}
	_, err = q.driver.GetExecutor().JobSchedule(ctx, &riverdriver.JobScheduleParams{Max: 1000, Now: &now})
	if err != nil {
		return fmt.Errorf("job: promote scheduled jobs: %w", err)
	}
	return nil
}

// sweep removes jobs that were done long enough ago. Parked jobs stay until somebody has dealt with them.
func (q *Queue) sweep(ctx context.Context) error {
	_, err := q.d.Writer().ExecContext(ctx, "DELETE FROM river_job WHERE state = 'completed' AND finalized_at < $1",
		riverTime(q.d.Now().Add(-keepDone)))
	if err != nil {
		return fmt.Errorf("job: sweep: %w", err)
	}
	return nil
}

// beat renews the lease of this server among those of one database, by the database's clock, and takes back what those
// left whose lease is over.
func (q *Queue) beat(ctx context.Context) error {
	if q.d.OnServer() {
		if _, err := q.d.Queue().ExecContext(ctx, `INSERT INTO server (id, seen_at) VALUES ($1, now())
			ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`, q.id); err != nil {
			return fmt.Errorf("job: renew the lease: %w", err)
		}
	}
	return q.reset(ctx)
}

// reset takes back what a killed process left: its jobs run again, unless they have used up their attempts (such a job
// may be what kills the process), and nobody is the leader. The file's lock says that nobody else works these rows; of
// several servers on one database each has a lease (beat).
func (q *Queue) reset(ctx context.Context) error {
	left, err := q.orphans(ctx)
	if err != nil {
		return err
	}
	for _, row := range left {
		if err := q.takeBack(ctx, row); err != nil {
			return err
		}
	}
	if len(left) > 0 {
		q.log.Info("jobs of a killed process were taken back", "count", len(left))
	}
	if _, err := q.d.Writer().ExecContext(ctx, "DELETE FROM river_leader WHERE "+q.left("leader_id")); err != nil {
		return fmt.Errorf("job: reset the leader: %w", err)
	}
	return nil
}

// takeBack is written here and not with River's own rescue, which stores a time in a form that its queries can't
// compare.
func (q *Queue) takeBack(ctx context.Context, row *rivertype.JobRow) error {
	now := riverTime(q.d.Now())
	state, finalized := rivertype.JobStateAvailable, sql.NullString{}
	if row.Attempt >= row.MaxAttempts {
		state, finalized = rivertype.JobStateDiscarded, sql.NullString{String: now, Valid: true}
	}
	failures, err := json.Marshal(append(row.Errors, rivertype.AttemptError{
		At: q.d.Now(), Attempt: row.Attempt, Error: "The program was stopped while this job ran.",
	}))
	if err == nil && q.d.OnServer() { // where the list is an array
		_, err = q.d.Queue().ExecContext(ctx, `
			UPDATE river_job SET state = $1, finalized_at = $2, scheduled_at = $3,
				errors = ARRAY(SELECT jsonb_array_elements($4::jsonb)) WHERE id = $5 AND state = 'running'`,
			string(state), finalized, now, string(failures), row.ID)
	} else if err == nil {
		_, err = q.d.Writer().ExecContext(ctx, `
			UPDATE river_job SET state = $1, finalized_at = $2, scheduled_at = $3, errors = $4
				WHERE id = $5 AND state = 'running'`,
			string(state), finalized, now, failures, row.ID)
	}
	if err != nil {
		return fmt.Errorf("job: take back an orphan: %w", err)
	}
	return nil
}

func (q *Queue) orphans(ctx context.Context) ([]*rivertype.JobRow, error) {
	const by = "attempted_by[array_upper(attempted_by, 1)]"
	where := q.left(by)
	if q.d.OnServer() { // that this process took or ended a job was never said where the connection broke meanwhile
		where += " OR " + by + " = '" + q.id + "' AND attempted_at < '" + riverTime(q.d.Now().Add(-unheard)) + "'"
	}
	rows, err := q.driver.GetExecutor().JobList(ctx, &riverdriver.JobListParams{
		Max: 10_000, OrderByClause: "id", WhereClause: "state = 'running' AND (" + where + ")",
	})
	if err != nil {
		return nil, fmt.Errorf("job: find orphans: %w", err)
	}
	return slices.DeleteFunc(rows, func(row *rivertype.JobRow) bool {
		_, works := q.working.Load(row.ID)
		return works
	}), nil
}

// left is the condition that a process is gone.
func (q *Queue) left(who string) string {
	if !q.d.OnServer() {
		return "1 = 1"
	}
	return "NOT EXISTS (SELECT 1 FROM server s WHERE s.id = " + who +
		" AND s.seen_at > now() - interval '30 seconds')"
}
