package practice

import (
	"context"
	"encoding/json"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// Kinds of runs.
const (
	Training   = "train"
	Evaluation = "evaluate"
	Ablation   = "ablate" // of an agent's pack, kept beside its runs
)

// States of a run.
const (
	Running = "running" // or its program was killed
	Done    = "done"
	Failed  = "failed" // it can go on
)

// Phases of a run: the test customers before, those who are learned from, the test customers after.
const (
	phaseBefore = "before"
	phaseTrain  = "train"
	phaseAfter  = "after"
)

// Plan is what is to be practised.
type Plan struct {
	AgentID   string
	Kind      string
	Split     int
	Seed      uint64
	Customers int
}

// Run is a training or an evaluation, under way or done.
type Run struct {
	ID string
	Plan
	Done      int
	State     string
	Error     string
	Result    json.RawMessage // Trained, Metrics or Ablated
	StartedAt time.Time
	UpdatedAt time.Time
}

// Runs keeps runs and their consultations.
type Runs struct{ db *db.DB }

// NewRuns keeps them in d.
func NewRuns(d *db.DB) *Runs { return &Runs{d} }

const runColumns = `id, agent_id, kind, split, seed, customers, done, state, error, result, started_at, updated_at`

func scanRun(row db.Row) (r Run, err error) {
	var seed, started, updated int64
	var result string
	err = row.Scan(&r.ID, &r.AgentID, &r.Kind, &r.Split, &seed, &r.Customers, &r.Done, &r.State, &r.Error, &result, &started, &updated)
	r.Seed, r.StartedAt, r.UpdatedAt = uint64(seed), time.UnixMilli(started).UTC(), time.UnixMilli(updated).UTC()
	if result != "" {
		r.Result = json.RawMessage(result)
	}
	return r, err
}

// Begin begins a run.
func (s *Runs) Begin(ctx context.Context, p Plan) (r Run, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error { r, err = s.BeginTx(tx, p); return err })
	return r, err
}

// BeginTx is Begin in the caller's transaction.
func (s *Runs) BeginTx(tx *db.Tx, p Plan) (Run, error) {
	r := Run{ID: id.New(), Plan: p, State: Running, StartedAt: tx.Now, UpdatedAt: tx.Now}
	tx.Touch("practice")
	return r, change(tx, "practice: begin a run", `INSERT INTO practice_run (id, agent_id, kind, split, seed, customers, state, started_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, r.ID, p.AgentID, p.Kind, p.Split, int64(p.Seed), p.Customers, Running, tx.NowMs(), tx.NowMs())
}

// GoOnTx says that a run that stopped runs again.
func (s *Runs) GoOnTx(tx *db.Tx, runID string) error {
	tx.Touch("practice")
	n, err := db.Change(tx, "practice: go on with a run", `UPDATE practice_run SET state = $1, error = '', updated_at = $2 WHERE id = $3 AND state = $4`, Running, tx.NowMs(), runID, Failed)
	if err == nil && n == 0 {
		err = fault.New(fault.Conflict, "This run is running, or done.")
	}
	return err
}

// Get is a run.
func (s *Runs) Get(ctx context.Context, runID string) (r Run, err error) {
	return s.one(ctx, "There is no such practice run.", `WHERE id = $1`, runID)
}

// Unfinished is the newest training of an agent that was begun and not ended.
func (s *Runs) Unfinished(ctx context.Context, agentID string) (Run, error) {
	return s.one(ctx, "This agent has no unfinished training.", `WHERE agent_id = $1 AND kind = $2 AND state <> $3 ORDER BY started_at DESC, id DESC`, agentID, Training, Done)
}

func (s *Runs) one(ctx context.Context, none, where string, args ...any) (r Run, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		var found bool
		r, found, err = db.First(tx, "practice: read a run", scanRun, `SELECT `+runColumns+` FROM practice_run `+where, args...)
		if err == nil && !found {
			err = fault.New(fault.NotFound, "%s", none)
		}
		return err
	})
	return r, err
}

// List are the newest runs of an agent, or of all.
func (s *Runs) List(ctx context.Context, agentID string, limit int) (list []Run, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list, err = db.List(tx, "practice: list runs", scanRun, `SELECT `+runColumns+` FROM practice_run WHERE $1 = '' OR agent_id = $2
			ORDER BY started_at DESC, id DESC LIMIT $3`, agentID, agentID, limit)
		return err
	})
	return list, err
}

// Sessions are the consultations of a phase, in order.
func (s *Runs) Sessions(ctx context.Context, runID, phase string) (list []Session, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list, err = db.List(tx, "practice: read consultations", func(row db.Row) (c Session, err error) {
			var text string
			if err = row.Scan(&text); err == nil {
				err = json.Unmarshal([]byte(text), &c)
			}
			return c, err
		}, `SELECT session FROM practice_session WHERE run_id = $1 AND phase = $2 ORDER BY n`, runID, phase)
		return err
	})
	return list, err
}

// store keeps consultations of a phase, all or none.
func (s *Runs) store(ctx context.Context, runID, phase string, list []Session) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		for i := range list {
			text, err := json.Marshal(&list[i])
			if err != nil {
				return err
			}
			if err := change(tx, "practice: keep a consultation", `INSERT INTO practice_session (run_id, phase, n, person, successful, session) VALUES ($1, $2, $3, $4, $5, $6)`,
				runID, phase, list[i].N, list[i].Person, list[i].Successful, string(text)); err != nil {
				return err
			}
		}
		tx.Touch("practice")
		if phase != phaseTrain {
			return nil
		}
		return change(tx, "practice: count consultations", `UPDATE practice_run SET done = done + $1, state = $2, error = '', updated_at = $3 WHERE id = $4`,
			len(list), Running, tx.NowMs(), runID)
	})
}

// Finish ends a run with what came of it.
func (s *Runs) Finish(ctx context.Context, runID string, result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return s.set(ctx, runID, Done, "", string(text))
}

// Fail says why a run stopped. It can go on.
func (s *Runs) Fail(ctx context.Context, runID string, why error) error {
	return s.set(ctx, runID, Failed, fault.Message(why), "")
}

func (s *Runs) set(ctx context.Context, runID, state, wrong, result string) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		tx.Touch("practice")
		return change(tx, "practice: end a run", `UPDATE practice_run SET state = $1, error = $2, result = $3, updated_at = $4 WHERE id = $5`, state, wrong, result, tx.NowMs(), runID)
	})
}

// change runs a statement.
func change(tx *db.Tx, doing, query string, args ...any) error {
	_, err := db.Change(tx, doing, query, args...)
	return err
}

// Curve are the points of a training so far.
func (s *Runs) Curve(ctx context.Context, r Run) (out []Point, err error) {
	list, err := s.Sessions(ctx, r.ID, phaseTrain)
	for from := 0; from < len(list); from += pointEvery {
		part := list[from:min(len(list), from+pointEvery)]
		if len(part) < pointEvery && len(list) < r.Customers {
			break // not whole yet
		}
		m := Measure(part)
		out = append(out, Point{Customers: from + len(part), Quality: m.OverallQuality, NeedsMet: m.NeedsMet})
	}
	return out, err
}

// Tested are the consultations of test customers before and after a training.
func (s *Runs) Tested(ctx context.Context, runID string) (before, after []Session, err error) {
	if before, err = s.Sessions(ctx, runID, phaseBefore); err == nil {
		after, err = s.Sessions(ctx, runID, phaseAfter)
	}
	return before, after, err
}
