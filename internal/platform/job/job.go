// Package job runs work that follows from a commit: learning steps, releases, drafts, clean-up.
//
// It is River (github.com/riverqueue/river) on the same SQLite file, through the writer connection, so that a job is
// inserted in the transaction of its cause: it exists if and only if the cause does. River's tables (river_*) belong to
// it; nothing else writes them, but for the row of a new job (insertTx). The table periodic (migration 00032) is this
// package's own: how the last run of each task that comes again went, and whether a person paused it.
//
// What it promises. A job runs at least once, so its work must be keyed by what it is about and have one effect when it
// runs twice. Arguments are ids only, never text. A job that was running when the process was killed runs again at the
// next start: the database's lock file makes sure that nobody else is running it. A job whose fault can't be mended by
// trying again (fault.Kind.Retriable) is parked at once with its message; one that keeps failing is parked after its
// last attempt. Parked jobs stay until a person retries them. A new job is picked up within about 100 ms, a scheduled
// one within about half a second of its time (River's own scheduler looks every 5 s, so due rows are promoted here).
//
// One clock. River takes its time from the database's clock, not from the machine: rows and jobs agree, and a test or
// the demo that moves the clock moves the schedule with it.
//
// Errors. What is stored with a failed job, and shown on /admin/jobs, is the fault's message for a person. An
// unclassified error is stored as a reference to the log, because its text may carry anything.
//
// What it decided against: a queue of our own (fetching, attempts and uniqueness are River's and tested), River's web
// page, its rescue of stuck jobs (it waits an hour, and its SQLite driver stores the time in a form that never
// compares), its removal of old jobs and its backoff (they look at the machine's clock), its nightly reindexing (the
// tables are small), and waking the queue from AfterCommit (River has no such call within a transaction; polling costs
// 0.1 ms).
package job

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
)

const (
	pollEvery    = 100 * time.Millisecond // how often a queue looks for new jobs
	promoteEvery = 250 * time.Millisecond // how often due scheduled jobs are made available
	jobTimeout   = 5 * time.Minute        // a model may be slow; nothing else comes near
	keepDone     = 24 * time.Hour         // how long a completed job stays visible
	sweepEvery   = time.Hour
	beatEvery    = 10 * time.Second
	unheard      = 30 * time.Second // longer than River tries to say how a job went
	never        = 100 * 365 * 24 * time.Hour
	attempts     = 8 // about two and a half hours with backoff
	// A periodic task comes again anyway; these are for being interrupted by a stop.
	periodicAttempts = 5
	softStop         = 8 * time.Second // running jobs may finish for so long, then they are cancelled
	hardStop         = 2 * time.Second
)

// The queues. Urgent work has workers of its own, so that slow model calls can't hold up a release; so has what waits
// for other machines, and many of them, because they do nothing but wait.
const (
	queueDefault = river.QueueDefault
	queueUrgent  = "urgent"
	queueNetwork = "network"
)

// Queue is the program's one queue of jobs. Until Start it only takes jobs in.
type Queue struct {
	d        *db.DB
	id       string // of this process, among the servers of a database
	log      *slog.Logger
	driver   riverdriver.Driver[*sql.Tx]
	reads    riverdriver.Driver[*sql.Tx] // on the readers, for lists
	inserter *river.Client[*sql.Tx]
	kinds    []func(*river.Workers)
	periodic []*river.PeriodicJob
	loops    []loop   // the same, as people see them
	waits    sync.Map // job id -> how long its last fault asked to wait
	working  sync.Map // ids of the jobs that this process works

	mu      sync.Mutex
	client  *river.Client[*sql.Tx] // nil unless started
	stopped context.CancelFunc
	done    chan struct{}
}

// Migrate makes or updates River's tables. It is safe to run at every start.
func Migrate(ctx context.Context, d *db.DB) error {
	migrator := func(pool *sql.DB) (*rivermigrate.Migrator[*sql.Tx], error) {
		m, err := rivermigrate.New(driverOf(d, pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return nil, fmt.Errorf("job: read migrations: %w", err)
		}
		return m, nil
	}
	m, err := migrator(d.Queue())
	if err != nil {
		return err
	}
	if have, err := m.Validate(ctx); err == nil && have.OK {
		return nil // as at most starts
	}
	return d.Schema(ctx, func(ctx context.Context, w *sql.DB) error {
		m, err := migrator(w)
		if err != nil {
			return err
		}
		if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("job: migrate: %w", err)
		}
		return nil
	})
}

// driverOf is River's driver of d's engine on one of its pools.
func driverOf(d *db.DB, pool *sql.DB) riverdriver.Driver[*sql.Tx] {
	if d.OnServer() {
		return riverdatabasesql.New(pool)
	}
	return riversqlite.New(pool)
}

// New makes the queue of d, whose tables Migrate made. log hears of failures, by job id and kind, never of arguments.
func New(d *db.DB, log *slog.Logger) *Queue {
	q := &Queue{d: d, id: id.New(), log: log, driver: driverOf(d, d.Queue())}
	if q.reads = q.driver; !d.OnServer() {
		q.reads = driverOf(d, d.Reader())
	}
	c, err := river.NewClient(q.driver, &river.Config{Logger: quiet(log), Test: river.TestConfig{Time: clock{d}}})
	if err != nil {
		panic(err) // the configuration is a constant: a test fails, not a start
	}
	q.inserter = c
	return q
}

// clock gives River the database's time.
type clock struct{ d *db.DB }

func (c clock) NowUTC() time.Time { return c.d.Now() }

func (c clock) NowUTCOrNil() *time.Time {
	now := c.d.Now()
	return &now
}

// quiet lets River's own errors through and drops its reports on single jobs, which guard makes with more care.
func quiet(log *slog.Logger) *slog.Logger { return slog.New(errorsOnly{log.Handler()}) }

type errorsOnly struct{ slog.Handler }

func (h errorsOnly) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelError && h.Handler.Enabled(ctx, l)
}

// Handle drops one line more: River forgets a queue that reported nothing for a day of the machine's time, as after the
// demo's clock or a laptop's sleep, and complains until it reports again; nothing is lost meanwhile.
func (h errorsOnly) Handle(ctx context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "Error fetching queue settings") {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

func (h errorsOnly) WithAttrs(a []slog.Attr) slog.Handler { return errorsOnly{h.Handler.WithAttrs(a)} }
func (h errorsOnly) WithGroup(name string) slog.Handler   { return errorsOnly{h.Handler.WithGroup(name)} }
