package job

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// State says where a job stands.
type State string

// The states. Waiting covers jobs that are due, scheduled or between two attempts.
const (
	Waiting State = "waiting"
	Running State = "running"
	Done    State = "done"
	Parked  State = "parked" // it failed for good, or a person must mend something first
)

var states = map[State][]rivertype.JobState{
	Waiting: {rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateScheduled,
		rivertype.JobStateRetryable},
	Running: {rivertype.JobStateRunning},
	Done:    {rivertype.JobStateCompleted},
	Parked:  {rivertype.JobStateCancelled, rivertype.JobStateDiscarded},
}

func stateOf(s rivertype.JobState) State {
	for ours, theirs := range states {
		for _, t := range theirs {
			if t == s {
				return ours
			}
		}
	}
	return Waiting
}

// Job is one row of the queue. Arguments are not shown.
type Job struct {
	ID          int64
	Kind        string
	State       State
	Attempt     int
	MaxAttempts int
	Error       string // of the last failed attempt; empty if none failed
	CreatedAt   time.Time
	ScheduledAt time.Time // when it is or was due
	FinishedAt  time.Time // zero unless done or parked
}

// Filter picks jobs; the zero value is the newest of all.
type Filter struct {
	State  State  // "" is all
	Kind   string // "" is all
	Before int64  // jobs older than this id: the last of the page before; 0 is the first page
	Limit  int    // 50 when 0
}

// List returns jobs, newest first.
func (q *Queue) List(ctx context.Context, f Filter) ([]Job, error) {
	where, args := []string{"true"}, map[string]any{}
	if f.State != "" {
		var in []string
		for _, s := range states[f.State] {
			in = append(in, "'"+string(s)+"'")
		}
		if len(in) == 0 {
			return nil, fault.Wrong("Unknown job state.", "state", "Choose waiting, running, done or parked.")
		}
		where = append(where, "state IN ("+strings.Join(in, ",")+")")
	}
	if f.Kind != "" {
		where, args["kind"] = append(where, "kind = @kind"), f.Kind
	}
	if f.Before > 0 {
		where, args["before"] = append(where, "id < @before"), f.Before
	}
	if f.Limit <= 0 {
		f.Limit = 50
	}
	rows, err := q.reads.GetExecutor().JobList(ctx, &riverdriver.JobListParams{
		Max: int32(f.Limit), NamedArgs: args, WhereClause: strings.Join(where, " AND "), OrderByClause: "id DESC",
	})
	if err != nil {
		return nil, fmt.Errorf("job: list: %w", err)
	}
	out := lists.Map(rows, fromRow)
	return out, nil
}

func fromRow(r *rivertype.JobRow) Job {
	j := Job{
		ID: r.ID, Kind: r.Kind, State: stateOf(r.State), Attempt: r.Attempt, MaxAttempts: r.MaxAttempts,
		CreatedAt: r.CreatedAt.UTC(), ScheduledAt: r.ScheduledAt.UTC(),
	}
	if n := len(r.Errors); n > 0 {
		j.Error = r.Errors[n-1].Error
	}
	if r.FinalizedAt != nil {
		j.FinishedAt = r.FinalizedAt.UTC()
	}
	return j
}

// RetryTx is Retry in the caller's transaction. It returns the job's kind, for whoever keeps record of it.
func (q *Queue) RetryTx(tx *db.Tx, id int64) (kind string, err error) {
	row, err := q.inserter.JobRetryTx(context.Background(), tx.Tx, id)
	if errors.Is(err, rivertype.ErrNotFound) {
		return "", fault.Wrap(fault.NotFound, err, "There is no job %d. Finished jobs are removed after a day.", id)
	}
	if err != nil {
		return "", fmt.Errorf("job: retry: %w", err)
	}
	if row.State == rivertype.JobStateRunning {
		return "", fault.New(fault.Conflict, "Job %d is running; wait for it to finish.", id)
	}
	tx.Touch("jobs")
	return row.Kind, nil
}

// Behind says how many jobs failed and are tried again or parked, and since when the oldest that is due waits; the zero
// time for none.
func (q *Queue) Behind(ctx context.Context) (failing int, due time.Time, err error) {
	failing, err = db.Read(ctx, q.d, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "job: count failing",
			`SELECT count(*) FROM river_job
				WHERE state IN ('cancelled', 'discarded', 'retryable') OR state = 'available' AND attempt > 0`)
	})
	if err != nil {
		return 0, due, err
	}
	rows, err := q.reads.GetExecutor().JobList(ctx,
		&riverdriver.JobListParams{Max: 1, WhereClause: "state = 'available'", OrderByClause: "scheduled_at"})
	if err != nil {
		return 0, due, fmt.Errorf("job: list: %w", err)
	}
	if len(rows) > 0 {
		due = rows[0].ScheduledAt.UTC()
	}
	return failing, due, nil
}

// Counts says how many jobs stand in each state.
func (q *Queue) Counts(ctx context.Context) (map[State]int, error) {
	by, err := q.reads.GetExecutor().JobCountByAllStates(ctx, &riverdriver.JobCountByAllStatesParams{})
	if err != nil {
		return nil, fmt.Errorf("job: count: %w", err)
	}
	out := map[State]int{Waiting: 0, Running: 0, Done: 0, Parked: 0}
	for s, n := range by {
		out[stateOf(s)] += n
	}
	return out, nil
}
