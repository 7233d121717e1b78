package app

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/internal/demo"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/practice"
)

const (
	nightEvery     = 15 * time.Minute
	nightFrom      = 1 // o'clock, in the desk's zone
	nightTo        = 5
	nightCustomers = 50 // seed 000, continuous_learning_loop
)

// PractiseNightly begins a training of each agent that has knowledge and a pack with practice customers, once a night.
// An agent whose pack has customers of one trade alone practises once a person said that it works in it.
// It learns in a copy: what it would teach waits on its page. Its test customers are the same each night, so that
// nights can be held against each other.
func (a *App) PractiseNightly(ctx context.Context) error {
	now := a.DB.Now().In(a.Zone)
	if now.Hour() < nightFrom || now.Hour() >= nightTo {
		return nil
	}
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, a.Zone)
	agents, err := a.Accounts.Agents(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, agent := range agents {
		failed = errors.Join(failed, a.nightOf(ctx, agent, midnight))
	}
	return failed
}

func (a *App) nightOf(ctx context.Context, agent account.Agent, midnight time.Time) error {
	if _, err := practice.Of(agent.Pack); err != nil {
		return nil //nolint:nilerr // a pack without practice customers
	}
	if fits, err := a.Practice.Fits(ctx, agent.ID, agent.Pack); err != nil || !fits {
		return err
	}
	done, err := a.Practice.PractisedAt(ctx, agent.ID, midnight)
	if err != nil || done {
		return err
	}
	known, _, err := a.Knowledge.CasesWith(ctx, knowledge.Filter{AgentID: agent.ID, Status: knowledge.Active, Limit: 1})
	if err != nil || len(known) == 0 {
		return err
	}
	_, err = a.practise(ctx, practice.Plan{AgentID: agent.ID, Kind: practice.Training,
		Seed: uint64(midnight.Unix() / 86_400), Customers: nightCustomers, Nightly: true})
	return err
}

// tellWorse tells experts and managers when the base does worse than the night before, by more than the noise of the
// test.
func (a *App) tellWorse(ctx context.Context, run practice.Run) error {
	night, err := a.Practice.Against(ctx, run)
	if err != nil || night == nil || !night.Worse() {
		return err
	}
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return err
	}
	return a.DB.Write(ctx, func(tx *db.Tx) error {
		experts, err := a.everybody(tx, account.Expert)
		if err != nil {
			return err
		}
		managers, err := a.everybody(tx, account.Manager)
		if err != nil {
			return err
		}
		to := slices.Concat(experts, managers)
		slices.Sort(to)
		return a.Comments.NoticeTx(tx, slices.Compact(to),
			comment.Notice{Kind: comment.Practised, ObjectID: run.ID, Task: agent.Name})
	})
}

// ablate takes the memory that practice makes apart, on a pack's sample documents, in folders of its own.
func (a *App) ablate(ctx context.Context, run practice.Run) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Practice.Fail(ctx, run.ID, err))
		}
	}()
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return err
	}
	people, err := practice.Of(agent.Pack)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "preceptor-practice-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	yard, err := NewYard(ctx, dir, people.Pack, demo.Documents(people.Pack))
	if err != nil {
		return err
	}
	var counted error
	yard.Progress = func(done int) { counted = errors.Join(counted, a.Practice.Count(ctx, run.ID, done)) }
	out, err := practice.Ablate(ctx, yard.Open, people, run.Customers/(practice.Splits*practice.Seeds), practice.Splits,
		practice.Seeds)
	if err = errors.Join(err, counted); err != nil {
		return err
	}
	return a.Practice.Finish(ctx, run.ID, practice.NewEmbedded(people).Name(), out)
}

// AblateOwn takes what an agent knows apart, as it is.
func (a *App) AblateOwn(ctx context.Context, run practice.Run) (out practice.Ablated, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Practice.Fail(ctx, run.ID, err))
		}
	}()
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return out, err
	}
	s, err := a.School(agent)
	if err != nil {
		return out, err
	}
	same := func() error { return a.asItWas(ctx, run) }
	if out, err = practice.AblateOwn(ctx, s, same, func(do func(*practice.School) error) error {
		_, err := a.inCopy(ctx, agent, run, do)
		return err
	}); err != nil {
		return out, err
	}
	return out, a.Practice.Finish(ctx, run.ID, s.Customer.Name(), out)
}

// asItWas refuses to go on where the base is not what it was when a run began.
func (a *App) asItWas(ctx context.Context, run practice.Run) error {
	if seq, _, err := a.Knowledge.Stand(ctx); err != nil || seq == run.Base.Seq {
		return err
	}
	return fault.New(fault.Conflict, "Knowledge changed while its parts were measured, so they can't be compared. "+
		"Start a new run.")
}
