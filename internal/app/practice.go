package app

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/practice"
)

// School is a school for an agent on this program's base, which learns what is practised: for a file of its own.
func (a *App) School(agent account.Agent) (*practice.School, error) {
	p, err := practice.Of(agent.Pack)
	if err != nil {
		return nil, err
	}
	return &practice.School{
		Room:   practice.Room{AgentID: agent.ID, Advise: a.Advisor.Practise, Check: a.Validator.Checks().Check, Customer: practice.NewEmbedded(p)},
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

// Evaluate has the test customers of a split answered with what an agent knows now, and keeps the figures.
func (a *App) Evaluate(ctx context.Context, agent account.Agent, split int) (m practice.Metrics, took time.Duration, err error) {
	s, err := a.School(agent)
	if err != nil {
		return m, 0, err
	}
	tested := s.People.All(practice.Test, split)
	list, took, err := s.Evaluate(ctx, tested, knowledge.Withhold{})
	if err != nil {
		return m, took, err
	}
	m = practice.Measure(list)
	run, err := a.Practice.Begin(ctx, practice.Plan{AgentID: agent.ID, Kind: practice.Evaluation, Split: split, Customers: len(tested)})
	if err == nil {
		err = a.Practice.Finish(ctx, run.ID, m)
	}
	return m, took, err
}
