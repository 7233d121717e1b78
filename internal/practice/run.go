package practice

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Kinds of runs.
const (
	Training   = "train"
	Evaluation = "evaluate"
	Ablation   = "ablate"  // on the sample documents of an agent's pack; without Customers of what the agent knows
	Comparison = "compare" // of the base with some of the rules that a training taught, and without
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
	Customers int         // of an ablation: of all its trainings
	Nightly   bool        // begun by the schedule
	Trade     bool        // whoever begins it says that the agent works in the customers' trade
	Given     any         // what a comparison compares: a Trained with its rules
	By        audit.Actor // who begins it; the program where nobody does
}

// Run is a training or an evaluation, under way or done.
type Run struct {
	ID string
	Plan
	Done      int
	State     string
	Error     string
	Result    json.RawMessage // Trained, Metrics or Ablated
	Base      Stand           // as it began
	Judge     string          // who played the customers and judged
	StartedAt time.Time
	UpdatedAt time.Time
}

// Stand is what the base was at a moment.
type Stand struct {
	Seq          int64 // of its newest version
	Rules, Cases int   // in use
}

// Runs keeps runs and their consultations.
type Runs struct {
	db   *db.DB
	base *knowledge.Base
	here sync.Map // the runs under way in this process: an underWay by id
}

// NewRuns keeps them in d, with what the base was.
func NewRuns(d *db.DB, base *knowledge.Base) *Runs { return &Runs{db: d, base: base} }

// errStopped is the cause of a context that Stop ended.
type errStopped struct{ error }

type underWay struct {
	stop  context.CancelCauseFunc
	ended chan struct{}
}

// UnderWay runs do, which Stop can end: with the name of who did, and no error.
func (s *Runs) UnderWay(ctx context.Context, runID string, do func(ctx context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	u := underWay{stop, make(chan struct{})}
	for { // one that was stopped a moment ago has its copy yet
		before, there := s.here.LoadOrStore(runID, u)
		if !there {
			break
		}
		select {
		case <-before.(underWay).ended:
		case <-ctx.Done():
			stop(nil)
			return context.Cause(ctx)
		}
	}
	defer func() {
		stop(nil)
		s.here.Delete(runID)
		close(u.ended)
	}()
	err := do(ctx)
	if stopped(ctx) {
		return nil
	}
	return err
}

// stopped reports whether a run was stopped: it was said with the run then, which may be meant to go on since.
func stopped(ctx context.Context) bool {
	_, ok := context.Cause(ctx).(errStopped)
	return ok
}

// StopAll ends every run under way in this process, says why with each, and waits until they have ended. They can go on
// later.
func (s *Runs) StopAll(ctx context.Context, why string) (err error) {
	s.here.Range(func(runID, v any) bool {
		u := v.(underWay)
		stopped := s.stop(ctx, runID.(string), audit.System("Practice"), fault.New(fault.Conflict, "%s", why))
		if err = stopped; fault.Is(err, fault.Conflict) {
			err = nil // it was stopped a moment ago; its copy may be there yet
			u.stop(errStopped{fault.New(fault.Conflict, "%s", why)})
		}
		select {
		case <-u.ended:
		case <-ctx.Done():
			err = ctx.Err()
		}
		return err == nil
	})
	return err
}

// Stop ends a run, which can go on later.
func (s *Runs) Stop(ctx context.Context, runID string, by audit.Actor) error {
	return s.stop(ctx, runID, by, fault.New(fault.Conflict, "%s stopped this run.", by.Name))
}

func (s *Runs) stop(ctx context.Context, runID string, by audit.Actor, why *fault.Error) error {
	err := s.db.Write(ctx, func(tx *db.Tx) error {
		tx.Touch("practice")
		n, err := db.Change(tx, "practice: stop a run", `UPDATE practice_run SET state = $1, error = $2, updated_at = $3
			WHERE id = $4 AND state = $5`, Failed, why.Msg, tx.NowMs(), runID, Running)
		if err == nil && n == 0 {
			err = fault.New(fault.Conflict, "This run has ended already.")
		}
		if err != nil {
			return err
		}
		return note(tx, by, "stopped", runID)
	})
	if u, ok := s.here.Load(runID); ok && err == nil {
		u.(underWay).stop(errStopped{why})
	}
	return err
}

const runColumns = `id, agent_id, kind, split, seed, customers, done, state, error, result, started_at, updated_at,
	nightly, base_seq, base_rules, base_cases, judge`

func scanRun(row db.Row) (r Run, err error) {
	var seed int64
	var result string
	err = row.Scan(&r.ID, &r.AgentID, &r.Kind, &r.Split, &seed, &r.Customers, &r.Done, &r.State, &r.Error, &result,
		db.At(&r.StartedAt), db.At(&r.UpdatedAt), &r.Nightly,
		&r.Base.Seq, &r.Base.Rules, &r.Base.Cases, &r.Judge)
	r.Seed = uint64(seed)
	if result != "" {
		r.Result = json.RawMessage(result)
	}
	return r, err
}

// Begin begins a run. also, unless it is nil, happens with it or not at all.
func (s *Runs) Begin(ctx context.Context, p Plan, also func(tx *db.Tx, r Run) error) (r Run, err error) {
	seq, sizes, err := s.base.Stand(ctx)
	if err != nil {
		return r, err
	}
	given := []byte(nil)
	if p.Given != nil {
		if given, err = json.Marshal(p.Given); err != nil {
			return r, err
		}
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		r = Run{ID: id.New(), Plan: p, State: Running, Result: given, StartedAt: tx.Now, UpdatedAt: tx.Now,
			Base: Stand{seq, sizes.Rules, sizes.Cases()}}
		tx.Touch("practice")
		err := db.Exec(tx, "practice: begin a run", `INSERT INTO practice_run (id, agent_id, kind, split, seed,
				customers, state, result, started_at, updated_at, nightly, base_seq, base_rules, base_cases)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`, r.ID, p.AgentID, p.Kind, p.Split,
			int64(p.Seed), p.Customers, Running, string(given),
			tx.NowMs(), tx.NowMs(), p.Nightly, r.Base.Seq, r.Base.Rules, r.Base.Cases)
		if err == nil {
			err = note(tx, cmp.Or(p.By, audit.System("Practice")), "started", r.ID)
		}
		if err == nil && p.Trade {
			err = TradeTx(tx, p.AgentID)
		}
		if err == nil && also != nil {
			err = also(tx, r)
		}
		return err
	})
	return r, err
}

// note puts what somebody did with a run on record.
func note(tx *db.Tx, by audit.Actor, what, runID string) error {
	return audit.Note(tx, by, "practice."+what, "practice_run", runID, nil)
}

// GoOnTx says that a run that stopped runs again.
func (s *Runs) GoOnTx(tx *db.Tx, runID string, by audit.Actor) error {
	tx.Touch("practice")
	n, err := db.Change(tx, "practice: go on with a run", `UPDATE practice_run SET state = $1, error = '',
		updated_at = $2
		WHERE id = $3 AND state = $4`, Running, tx.NowMs(), runID, Failed)
	if err == nil && n == 0 {
		err = fault.New(fault.Conflict, "This run is already running or done.")
	}
	if err != nil {
		return err
	}
	return note(tx, by, "continued", runID)
}

// Get is a run.
func (s *Runs) Get(ctx context.Context, runID string) (r Run, err error) {
	return s.one(ctx, "There is no such practice run.", `WHERE id = $1`, runID)
}

// Unfinished is the newest training of an agent that was begun and not ended.
func (s *Runs) Unfinished(ctx context.Context, agentID string) (Run, error) {
	return s.one(ctx, "This agent has no unfinished training run.", `WHERE agent_id = $1 AND kind = $2 AND state <> $3
		ORDER BY started_at DESC, id DESC`, agentID, Training, Done)
}

func (s *Runs) one(ctx context.Context, none, where string, args ...any) (Run, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Run, error) {
		return scanRun(db.One(tx, "practice: read a run", `SELECT `+runColumns+` FROM practice_run `+where,
			args...).Or(fault.New(fault.NotFound, "%s", none)))
	})
}

// List are the newest runs of an agent, or of all.
func (s *Runs) List(ctx context.Context, agentID string, limit int) ([]Run, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Run, error) {
		return db.List(tx, "practice: list runs", scanRun, `SELECT `+runColumns+` FROM practice_run
			WHERE $1 = '' OR agent_id = $1
			ORDER BY started_at DESC, id DESC LIMIT $2`, agentID, limit)
	})
}

// TradeTx keeps that a person said of an agent that it works in the trade of its pack's customers (pack.Practised).
func TradeTx(tx *db.Tx, agentID string) error {
	return db.Exec(tx, "practice: keep an agent's trade", `INSERT INTO practice_trade (agent_id, at) VALUES ($1, $2)
		ON CONFLICT (agent_id) DO NOTHING`, agentID, tx.NowMs())
}

// Fits reports whether the practice customers of an agent's pack are of its trade, as far as anybody knows.
func (s *Runs) Fits(ctx context.Context, agentID, packName string) (bool, error) {
	if pack.Of(packName).Practised == "" {
		return true, nil
	}
	return db.Read(ctx, s.db, func(tx *db.Tx) (bool, error) {
		return db.Value[bool](tx, "practice: look for an agent's trade", `SELECT
			EXISTS (SELECT 1 FROM practice_trade WHERE agent_id = $1)`, agentID)
	})
}

// PractisedAt reports whether a nightly run of an agent began since a time.
func (s *Runs) PractisedAt(ctx context.Context, agentID string, since time.Time) (bool, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (bool, error) {
		return db.Value[bool](tx, "practice: look for a night", `SELECT
			EXISTS (SELECT 1 FROM practice_run WHERE agent_id = $1 AND nightly = 1 AND started_at >= $2)`, agentID,
			since.UnixMilli())
	})
}

// Sessions are the consultations of a phase, in order.
func (s *Runs) Sessions(ctx context.Context, runID, phase string) (list []Session, err error) {
	err = s.each(ctx, runID, phase, false, func(one Session) { list = append(list, one) })
	return list, err
}

// each takes the consultations of a phase one by one, in order: all, or the successful ones.
func (s *Runs) each(ctx context.Context, runID, phase string, successful bool, take func(Session)) error {
	return s.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "practice: read consultations", func(row db.Row) error {
			var one Session
			err := row.Scan(db.JSON(&one))
			take(one)
			return err
		}, `SELECT session FROM practice_session WHERE run_id = $1 AND phase = $2 AND successful >= $3 ORDER BY n`,
			runID, phase, successful)
	})
}

// store keeps consultations of a phase, all or none.
func (s *Runs) store(ctx context.Context, runID, phase string, list []Session) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		for i := range list {
			text, err := json.Marshal(&list[i])
			if err != nil {
				return err
			}
			if err := db.Exec(tx, "practice: keep a consultation", `INSERT INTO practice_session (run_id, phase, n,
					person, successful, session)
				VALUES ($1, $2, $3, $4, $5, $6)`,
				runID, phase, list[i].N, list[i].Person, list[i].Successful, string(text)); err != nil {
				return err
			}
		}
		tx.Touch("practice")
		if phase != phaseTrain {
			return nil
		}
		return db.Exec(tx, "practice: count consultations", `UPDATE practice_run SET done = done + $1, updated_at = $2
			WHERE id = $3`,
			len(list), tx.NowMs(), runID)
	})
}

// Finish ends a run with what came of it, and who judged.
func (s *Runs) Finish(ctx context.Context, runID, judge string, result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return s.set(ctx, "practice: end a run", `UPDATE practice_run SET state = $1, error = '', judge = $2, result = $3,
		updated_at = $4
		WHERE id = $5`, Done, judge, string(text), s.db.Now().UnixMilli(), runID)
}

// Fail says why a run failed, unless it was stopped. It can go on. ctx is the one that it ran with.
func (s *Runs) Fail(ctx context.Context, runID string, why error) error {
	if stopped(ctx) {
		return nil
	}
	return s.set(context.WithoutCancel(ctx), "practice: stop a run", `UPDATE practice_run SET state = $1, error = $2,
		updated_at = $3
		WHERE id = $4`, Failed, fault.Message(why), s.db.Now().UnixMilli(), runID)
}

// Count says how many customers a run has had that keeps no consultations.
func (s *Runs) Count(ctx context.Context, runID string, done int) error {
	return s.set(ctx, "practice: count consultations", `UPDATE practice_run SET done = $1, updated_at = $2
		WHERE id = $3`, done, s.db.Now().UnixMilli(), runID)
}

func (s *Runs) set(ctx context.Context, doing, query string, args ...any) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		tx.Touch("practice")
		return db.Exec(tx, doing, query, args...)
	})
}

// Curve are the points of a training so far.
func (s *Runs) Curve(ctx context.Context, r Run) (out []Point, err error) {
	var part []Session
	n := 0
	add := func() {
		m := Measure(part)
		n += len(part)
		out = append(out, Point{Customers: n, Quality: m.OverallQuality, NeedsMet: m.NeedsMet})
		part = part[:0]
	}
	err = s.each(ctx, r.ID, phaseTrain, false, func(one Session) {
		if part = append(part, one); len(part) == pointEvery {
			add()
		}
	})
	if len(part) > 0 && n+len(part) >= r.Customers {
		add() // the last is whole, too
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
