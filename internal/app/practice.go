package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/job"
	"preceptor/internal/knowledge"
	"preceptor/internal/practice"
)

// School is a school for an agent on this program's base, which learns what is practised: for a file of its own.
func (a *App) School(agent account.Agent) (*practice.School, error) {
	p, err := practice.Of(agent.Pack)
	if err != nil {
		return nil, err
	}
	var customer practice.Customer = practice.NewEmbedded(p)
	if model, err := Generator(a.cfg); err != nil {
		return nil, err
	} else if model != nil {
		customer = practice.NewPrompted(model)
	}
	return &practice.School{
		Room:   practice.Room{AgentID: agent.ID, Advise: a.Advisor.Practise, Check: a.Validator.Checks().Check, Customer: customer},
		People: p, DB: a.DB, Knowledge: a.Knowledge, Learning: a.Learning, Drain: func(ctx context.Context) error { return a.Jobs.Drain(ctx) },
	}, nil
}

// Train begins a training, or goes on with one, in a copy of the base that lies beside it until the training is done. What stopped it is
// kept with it. progress hears how many customers were had since.
func (a *App) Train(ctx context.Context, run practice.Run, progress func(int)) (out practice.Trained, err error) {
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return out, err
	}
	copied := a.cfg.DB + ".practice-" + run.ID
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Practice.Fail(context.WithoutCancel(ctx), run.ID, err))
			return
		}
		for _, end := range []string{"", "-wal", "-shm", ".lock", ".half.sha256"} {
			if rerr := os.Remove(copied + end); rerr != nil && !errors.Is(rerr, os.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
		}
	}()
	if _, err := os.Stat(copied); errors.Is(err, os.ErrNotExist) {
		if run.Done > 0 {
			return out, fault.New(fault.Conflict, "The copy of the base in which this training learned is gone. Begin a new one.")
		}
		half := copied + ".half" // a copy that was cut off is made again
		if err = os.Remove(half); err == nil || errors.Is(err, os.ErrNotExist) {
			_, err = a.DB.Backup(ctx, half)
		}
		if err == nil {
			err = os.Rename(half, copied)
		}
		if err != nil {
			return out, err
		}
	}
	if out, err = a.trainIn(ctx, copied, agent, run, progress); err != nil {
		return out, err
	}
	return out, a.Practice.Finish(ctx, run.ID, out)
}

// trainIn trains in a file.
func (a *App) trainIn(ctx context.Context, file string, agent account.Agent, run practice.Run, progress func(int)) (out practice.Trained, err error) {
	cfg := a.cfg
	cfg.DB, cfg.Log.Level = file, "error"
	began := run.StartedAt // one time for all of it, so that it comes out the same whenever it goes on
	twin, err := Open(ctx, cfg, WithTerminal(io.Discard), WithLog(NewLog(cfg.Log, os.Stderr)), WithClock(func() time.Time { return began }))
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, twin.Close()) }()
	if run.Done == 0 {
		if err := twin.Jobs.ForgetAll(ctx); err != nil {
			return out, err
		}
	}
	s, err := twin.School(agent)
	if err != nil {
		return out, err
	}
	s.Progress, s.Runs, s.RunID = progress, a.Practice, run.ID
	return s.Measured(ctx, run.Customers, run.Split, run.Seed)
}

// Evaluate has the test customers of a split answered with what an agent knows now, and keeps the figures with the run.
func (a *App) Evaluate(ctx context.Context, run practice.Run) (m practice.Metrics, took time.Duration, err error) {
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return m, 0, err
	}
	s, err := a.School(agent)
	if err != nil {
		return m, 0, err
	}
	list, took, err := s.Evaluate(ctx, s.People.All(practice.Test, run.Split), knowledge.Withhold{})
	if err != nil {
		return m, took, errors.Join(err, a.Practice.Fail(context.WithoutCancel(ctx), run.ID, err))
	}
	m = practice.Measure(list)
	return m, took, a.Practice.Finish(ctx, run.ID, m)
}

// practiceJob is a run in the server. It takes as long as it has customers.
type practiceJob struct {
	RunID string `json:"run_id"`
}

func (practiceJob) Kind() string { return "practice.run" }
func (practiceJob) Unhurried()   {}

func (a *App) practiceRun(ctx context.Context, j practiceJob) error {
	run, err := a.Practice.Get(ctx, j.RunID)
	switch {
	case err != nil || run.State == practice.Done:
		return err
	case run.Kind == practice.Evaluation:
		_, _, err = a.Evaluate(ctx, run)
	default:
		_, err = a.Train(ctx, run, nil)
	}
	return err
}

// practise begins a run in the server.
func (a *App) practise(ctx context.Context, p practice.Plan) (run practice.Run, err error) {
	err = a.DB.Write(ctx, func(tx *db.Tx) error {
		if run, err = a.Practice.BeginTx(tx, p); err != nil {
			return err
		}
		return a.Jobs.InsertTx(tx, practiceJob{run.ID}, job.Patient(), job.Attempts(1))
	})
	return run, err
}

// practiseOn has a run that stopped go on.
func (a *App) practiseOn(ctx context.Context, runID string) error {
	return a.DB.Write(ctx, func(tx *db.Tx) error {
		if err := a.Practice.GoOnTx(tx, runID); err != nil {
			return err
		}
		return a.Jobs.InsertTx(tx, practiceJob{runID}, job.Patient(), job.Attempts(1))
	})
}

// proposePractised begins a lesson of each of these rules that a training taught, by their places.
func (a *App) proposePractised(ctx context.Context, runID string, rules []int) (int, error) {
	run, err := a.Practice.Get(ctx, runID)
	if err != nil {
		return 0, err
	}
	var out practice.Trained
	if run.Kind != practice.Training || run.State != practice.Done {
		return 0, fault.New(fault.Conflict, "This run has no rules to propose.")
	}
	if err := json.Unmarshal(run.Result, &out); err != nil {
		return 0, err
	}
	var list []practice.Rule
	for _, i := range rules {
		if i < 0 || i >= len(out.Rules) || !out.Rules[i].Accepted {
			return 0, fault.New(fault.Invalid, "Select the rules to propose from the list.")
		}
		list = append(list, out.Rules[i])
	}
	return a.Propose(ctx, run, list)
}

// Propose begins a lesson of each of these rules in the base of real people.
func (a *App) Propose(ctx context.Context, run practice.Run, list []practice.Rule) (int, error) {
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return 0, err
	}
	s, err := a.School(agent)
	if err != nil {
		return 0, err
	}
	return s.Propose(ctx, run.ID, list)
}
