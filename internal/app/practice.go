package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/config"
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
	err = a.apart(ctx, run, run.Done > 0, func(s *practice.School) (err error) {
		s.Progress = progress
		out, err = s.Measured(ctx, run.Customers, run.Split, run.Seed)
		return err
	}, &out)
	return out, err
}

// compare measures some of the rules of a training.
func (a *App) compare(ctx context.Context, run practice.Run) error {
	var given, out practice.Trained
	if err := json.Unmarshal(run.Result, &given); err != nil {
		return err
	}
	if err := dropCopy(a.copyOf(run)); err != nil { // of one that stopped, in which some rules are learned already
		return err
	}
	return a.apart(ctx, run, false, func(s *practice.School) (err error) {
		out, err = s.Compare(ctx, run.Split, given.Rules)
		return err
	}, &out)
}

// apart has a run in a copy of the base, deletes the copy when it is done, and keeps result with the run.
func (a *App) apart(ctx context.Context, run practice.Run, begun bool, do func(s *practice.School) error, result any) (err error) {
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return err
	}
	copied := a.copyOf(run)
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Practice.Fail(context.WithoutCancel(ctx), run.ID, err))
			return
		}
		err = dropCopy(copied)
	}()
	if err = a.copyTo(ctx, copied, begun); err != nil {
		return err
	}
	judge := ""
	if judge, err = a.schoolIn(ctx, copied, agent, run, begun, do); err != nil {
		return err
	}
	return a.Practice.Finish(ctx, run.ID, judge, result)
}

func (a *App) copyOf(run practice.Run) string { return a.cfg.DB + ".practice-" + run.ID }

func dropCopy(file string) (err error) {
	for _, end := range []string{"", "-wal", "-shm", ".lock", ".half.sha256"} {
		if rerr := os.Remove(file + end); rerr != nil && !errors.Is(rerr, os.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	return err
}

// copyTo copies the base, unless it was copied for a run that has begun.
func (a *App) copyTo(ctx context.Context, copied string, begun bool) error {
	if _, err := os.Stat(copied); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if begun {
		return fault.New(fault.Conflict, "The copy of the knowledge base used by this training run is gone. Start a new one.")
	}
	half := copied + ".half" // a copy that was cut off is made again
	err := os.Remove(half)
	if err == nil || errors.Is(err, os.ErrNotExist) {
		_, err = a.DB.Backup(ctx, half)
	}
	if err == nil {
		err = os.Rename(half, copied)
	}
	return err
}

// schoolIn opens the school of a run in a file, and says who judges there. A nightly run has the embedded advisor, customers and judge: it
// costs nothing, and only the base can change its score.
func (a *App) schoolIn(ctx context.Context, file string, agent account.Agent, run practice.Run, begun bool, do func(s *practice.School) error) (judge string, err error) {
	cfg := a.cfg
	cfg.DB, cfg.Log.Level = file, "error"
	if run.Nightly {
		cfg.LLM = config.LLM{Provider: "embedded", Timeout: cfg.LLM.Timeout}
	}
	at := run.StartedAt // one time for all of it, so that it comes out the same whenever it goes on
	twin, err := Open(ctx, cfg, WithTerminal(io.Discard), WithLog(NewLog(cfg.Log, os.Stderr)), WithClock(func() time.Time { return at }))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, twin.Close()) }()
	if !begun {
		if err := twin.Jobs.ForgetAll(ctx); err != nil {
			return "", err
		}
	}
	s, err := twin.School(agent)
	if err != nil {
		return "", err
	}
	s.Runs, s.RunID = a.Practice, run.ID
	return s.Customer.Name(), do(s)
}

// Evaluate has the test customers of a split answered with what an agent knows now, and keeps the figures with the run.
func (a *App) Evaluate(ctx context.Context, run practice.Run) (m practice.Metrics, err error) {
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return m, err
	}
	s, err := a.School(agent)
	if err != nil {
		return m, err
	}
	list, err := s.Evaluate(ctx, s.People.All(practice.Test, run.Split), knowledge.Withhold{})
	if err != nil {
		return m, errors.Join(err, a.Practice.Fail(context.WithoutCancel(ctx), run.ID, err))
	}
	m = practice.Measure(list)
	return m, a.Practice.Finish(ctx, run.ID, s.Customer.Name(), m)
}

// practiceJob is a run in the server. It takes as long as it has customers.
type practiceJob struct {
	RunID string `json:"run_id"`
}

func (practiceJob) Kind() string { return "practice.run" }
func (practiceJob) Unhurried()   {}

func (a *App) practiceRun(ctx context.Context, j practiceJob) error {
	run, err := a.Practice.Get(ctx, j.RunID)
	if err != nil || run.State != practice.Running {
		return err // done, or stopped before it began
	}
	return a.Practice.UnderWay(ctx, run.ID, func(ctx context.Context) (err error) {
		switch run.Kind {
		case practice.Evaluation:
			_, err = a.Evaluate(ctx, run)
		case practice.Comparison:
			err = a.compare(ctx, run)
		case practice.Ablation:
			err = a.ablate(ctx, run)
		default:
			if _, err = a.Train(ctx, run, nil); err == nil && run.Nightly {
				err = a.tellWorse(ctx, run)
			}
		}
		return err
	})
}

// practise begins a run in the server.
func (a *App) practise(ctx context.Context, p practice.Plan) (practice.Run, error) {
	return a.Practice.Begin(ctx, p, func(tx *db.Tx, run practice.Run) error {
		return a.Jobs.InsertTx(tx, practiceJob{run.ID}, job.Patient(), job.Attempts(1))
	})
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

// proposePractised begins a lesson of each of these rules that a training taught, or that were compared, by their places.
func (a *App) proposePractised(ctx context.Context, runID string, rules []int) (int, error) {
	run, list, err := a.practised(ctx, runID, rules)
	if err != nil {
		return 0, err
	}
	return a.Propose(ctx, run, list)
}

// comparePractised begins a comparison of some of the rules that a training taught.
func (a *App) comparePractised(ctx context.Context, runID string, rules []int) (practice.Run, error) {
	run, list, err := a.practised(ctx, runID, rules)
	if err != nil {
		return run, err
	}
	return a.practise(ctx, practice.Plan{AgentID: run.AgentID, Kind: practice.Comparison, Split: run.Split, Seed: run.Seed, Given: practice.Trained{Rules: list}})
}

// practised are rules of a run by their places.
func (a *App) practised(ctx context.Context, runID string, rules []int) (run practice.Run, list []practice.Rule, err error) {
	run, err = a.Practice.Get(ctx, runID)
	if err != nil {
		return run, nil, err
	}
	var out practice.Trained
	if run.Kind != practice.Training && run.Kind != practice.Comparison || run.State != practice.Done {
		return run, nil, fault.New(fault.Conflict, "This run has no rules to select.")
	}
	if err := json.Unmarshal(run.Result, &out); err != nil {
		return run, nil, err
	}
	for _, i := range rules {
		if i < 0 || i >= len(out.Rules) || !out.Rules[i].Accepted {
			return run, nil, fault.New(fault.Invalid, "Select the rules from the list.")
		}
		list = append(list, out.Rules[i])
	}
	return run, list, nil
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
