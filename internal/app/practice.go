package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/internal/practice"
	"preceptor/internal/search"
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
	var one sync.Mutex
	var known map[string]bool
	covered := func(ctx context.Context) (_ map[string]bool, err error) {
		one.Lock()
		defer one.Unlock()
		if known == nil {
			known, err = p.Covered(ctx, a.Knowledge, agent.ID)
		}
		return known, err
	}
	return &practice.School{
		Room: practice.Room{AgentID: agent.ID, Advise: a.Advisor.Practise, Check: a.Validator.Checks().Check,
			Customer: customer, Covered: covered},
		People: p, DB: a.DB, Knowledge: a.Knowledge, Learning: a.Learning, Drain: func(ctx context.Context) error {
			return a.Jobs.Drain(ctx)
		},
	}, nil
}

// Train begins a training, or goes on with one, in a copy of the knowledge base that is deleted however the training
// ends: one that goes on learns again from the consultations that it kept. What stopped it is kept with it. progress
// hears how many customers were had since.
func (a *App) Train(ctx context.Context, run practice.Run, progress func(int)) (out practice.Trained, err error) {
	if run.State == practice.Failed {
		if err = a.DB.Write(ctx, func(tx *db.Tx) error {
			return a.Practice.GoOnTx(tx, run.ID, audit.System("Practice"))
		}); err != nil {
			return out, err
		}
	}
	if err = a.mayGoOn(ctx, run); err != nil {
		return out, errors.Join(err, a.Practice.Fail(ctx, run.ID, err))
	}
	err = a.apart(ctx, run, func(s *practice.School) (err error) {
		s.Progress = progress
		out, err = s.Measured(ctx, run.Customers, run.Split, run.Seed)
		return err
	}, &out)
	return out, err
}

// mayGoOn refuses a training that has had customers where the base is not what it was when it began.
func (a *App) mayGoOn(ctx context.Context, run practice.Run) error {
	if run.Kind != practice.Training || run.Done == 0 {
		return nil
	}
	seq, _, err := a.Knowledge.Stand(ctx)
	if err == nil && seq != run.Base.Seq {
		err = fault.New(fault.Conflict, "Knowledge has changed since this training run began, so its first customers "+
			"and its last would be measured against different knowledge. Start a new run.")
	}
	return err
}

// compare measures some of the rules of a training.
func (a *App) compare(ctx context.Context, run practice.Run) error {
	var given, out practice.Trained
	if err := json.Unmarshal(run.Result, &given); err != nil {
		return err
	}
	return a.apart(ctx, run, func(s *practice.School) (err error) {
		out, err = s.Compare(ctx, run.Split, given.Rules)
		return err
	}, &out)
}

// apart has a run in a copy of the knowledge base, deletes the copy, and keeps result with the run.
func (a *App) apart(ctx context.Context, run practice.Run, do func(s *practice.School) error, result any) (err error) {
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Practice.Fail(ctx, run.ID, err))
		}
	}()
	judge, err := a.inCopy(ctx, agent, run, do)
	if err != nil {
		return err
	}
	return a.Practice.Finish(ctx, run.ID, judge, result)
}

// inCopy opens a school in a copy of the knowledge base, and deletes the copy.
func (a *App) inCopy(ctx context.Context, agent account.Agent, run practice.Run,
	do func(s *practice.School) error) (judge string, err error) {
	copied := copyBase(a.DB.Path()) + run.ID
	defer func() { err = errors.Join(err, db.Remove(copied)) }()
	if err = errors.Join(db.Remove(copied), a.copyTo(ctx, copied)); err != nil {
		return "", err
	}
	return a.schoolIn(ctx, copied, agent, run, do)
}

// practiceCopies stands in the name of each copy, between the file's name and the run's id.
const practiceCopies = ".practice-"

// copyBase is how the names of copies begin that are made of a file, or of a server's database.
func copyBase(file string) string {
	return cmp.Or(file, filepath.Join(os.TempDir(), "preceptor")) + practiceCopies
}

// dropCopies deletes the copies of runs whose program was killed. Only the process that has the file's lock may call
// it, and while no run is under way.
func dropCopies(file string) (err error) {
	if file == "" { // of servers, which may live beside this one
		for _, end := range []string{"", ".rows"} {
			left, _ := filepath.Glob(copyBase("") + strings.Repeat("?", 36) + end)
			for _, f := range left {
				_ = db.Remove(f) // nothing that somebody holds
			}
		}
		return nil
	}
	left, err := filepath.Glob(escaped.Replace(file) + practiceCopies + "*")
	for _, f := range left {
		err = errors.Join(err, os.Remove(f))
	}
	return err
}

// dropErased deletes the copies in which a customer's texts may still be: an erasure reaches the base alone.
func (a *App) dropErased(ctx context.Context) error {
	return a.Practice.StopAll(ctx,
		"This run stopped because a customer's texts were erased, and its copy of the knowledge base went "+
			"with them. Continue it, or start a new one.")
}

// escaped takes their meaning from the characters of a pattern.
var escaped = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`)

// practiceParts are what a copy holds: what the agent knows from documents, rules and earlier practice, and what checks
// it. Everything that names or quotes people and customers stays where it is: accounts, tokens, interactions,
// decisions, prompts, feedback, the audit log, and cases that a customer's consultation became.
var practiceParts = []db.Part{
	{Table: "agent"}, {Table: "knowledge_case", Where: `source IN ('document', 'practice')`},
	{Table: "knowledge_case_version", Where: `case_id IN (SELECT id FROM main.knowledge_case)`},
	{Table: "knowledge_duplicate",
		Where: `case_id IN (SELECT id FROM main.knowledge_case) AND other_id IN (SELECT id FROM main.knowledge_case)`},
	{Table: "knowledge_rule"}, {Table: "knowledge_rule_version"}, {Table: "knowledge_seq"},
	{Table: "search_entry", Where: `kind <> 'case' OR item_id IN (SELECT id FROM main.knowledge_case)`},
	{Table: "embedding", Where: `entry_id IN (SELECT id FROM main.search_entry)`}, {Table: "search_state"},
	{Table: "check_version"},
	{Table: "approval", Where: `kind IN ('check', 'rubric', 'taxonomy') AND state IN ('agreed', 'made')`},
	{Table: "judge_threshold"},
	{Table: "credit_sum", Where: `what = 'shown'`},
}

// copyTo copies what the base knows, and makes its indexes.
func (a *App) copyTo(ctx context.Context, copied string) error {
	if err := a.DB.Excerpt(ctx, copied, practiceParts); err != nil {
		return err
	}
	d, err := db.Open(ctx, copied, db.Options{})
	if err == nil {
		err = errors.Join(search.New(d).Rebuild(ctx, ""), d.Close())
	}
	return err
}

// schoolIn opens the school of a run in a file, and says who judges there. A nightly run has the embedded advisor,
// customers and judge: it costs nothing, and only the base can change its score.
func (a *App) schoolIn(ctx context.Context, file string, agent account.Agent, run practice.Run,
	do func(s *practice.School) error,
) (judge string, err error) {
	cfg := a.cfg
	cfg.DB, cfg.Log.Level = file, "error"
	if run.Nightly {
		cfg.LLM = config.LLM{Provider: "embedded", Timeout: cfg.LLM.Timeout}
	}
	at := run.StartedAt // one time for all of it, so that it comes out the same whenever it goes on
	twin, err := Open(ctx, cfg, WithTerminal(io.Discard), WithLog(NewLog(cfg.Log, os.Stderr)),
		WithClock(func() time.Time { return at }))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, twin.Close()) }()
	s, err := twin.School(agent)
	if err != nil {
		return "", err
	}
	s.Runs, s.RunID = a.Practice, run.ID
	return s.Customer.Name(), do(s)
}

// Evaluate has the test customers of a split answered with what an agent knows now, and keeps the figures with the run.
func (a *App) Evaluate(ctx context.Context, run practice.Run) (m practice.Metrics, err error) {
	s, err := a.schoolOf(ctx, run)
	if err != nil {
		return m, err
	}
	list, err := s.Evaluate(ctx, s.People.All(practice.Test, run.Split), knowledge.Withhold{})
	if err != nil {
		return m, errors.Join(err, a.Practice.Fail(ctx, run.ID, err))
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
	return a.Practice.UnderWay(ctx, j.RunID, func(ctx context.Context) error {
		run, err := a.Practice.Get(ctx, j.RunID)
		if err != nil || run.State != practice.Running {
			return err // done, or stopped before it began
		}
		switch run.Kind {
		case practice.Evaluation:
			_, err = a.Evaluate(ctx, run)
		case practice.Ablation:
			if run.Customers == 0 {
				_, err = a.AblateOwn(ctx, run)
			} else {
				err = a.ablate(ctx, run)
			}
		case practice.Comparison:
			err = a.compare(ctx, run)
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
func (a *App) practiseOn(ctx context.Context, runID string, by audit.Actor) error {
	run, err := a.Practice.Get(ctx, runID)
	switch {
	case err != nil || run.State != practice.Failed: // GoOnTx says why not
	case run.Kind == practice.Ablation && run.Customers == 0:
		err = a.asItWas(ctx, run)
	default:
		err = a.mayGoOn(ctx, run)
	}
	if err != nil {
		return err
	}
	return a.DB.Write(ctx, func(tx *db.Tx) error {
		if err := a.Practice.GoOnTx(tx, runID, by); err != nil {
			return err
		}
		return a.Jobs.InsertTx(tx, practiceJob{runID}, job.Patient(), job.Attempts(1))
	})
}

// proposePractised begins a lesson of each of these rules that a training taught, or that were compared, by their
// places.
func (a *App) proposePractised(ctx context.Context, runID string, rules []int) (int, error) {
	run, list, err := a.practised(ctx, runID, rules)
	if err != nil {
		return 0, err
	}
	return a.Propose(ctx, run, list)
}

// comparePractised begins a comparison of some of the rules that a training taught.
func (a *App) comparePractised(ctx context.Context, runID string, rules []int,
	by audit.Actor) (practice.Run, error) {
	run, list, err := a.practised(ctx, runID, rules)
	if err != nil {
		return run, err
	}
	return a.practise(ctx, practice.Plan{AgentID: run.AgentID, Kind: practice.Comparison, Split: run.Split,
		Seed: run.Seed, Given: practice.Trained{Rules: list}, By: by})
}

// practised are rules of a run by their places.
func (a *App) practised(ctx context.Context, runID string,
	rules []int) (run practice.Run, list []practice.Rule, err error) {
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

// practisedWell are the good consultations of a training, as cases to adopt.
func (a *App) practisedWell(ctx context.Context, run practice.Run) ([]practice.Example, error) {
	if run.Kind != practice.Training || run.State != practice.Done {
		return nil, nil
	}
	s, err := a.schoolOf(ctx, run)
	if err != nil {
		return nil, err
	}
	return a.Practice.Good(ctx, run, s.People)
}

// adoptPractised makes cases of some of them.
func (a *App) adoptPractised(ctx context.Context, runID string, persons []string, by knowledge.Person) (int, error) {
	run, err := a.Practice.Get(ctx, runID)
	if err != nil {
		return 0, err
	}
	list, err := a.practisedWell(ctx, run)
	if err != nil {
		return 0, err
	}
	s, err := a.schoolOf(ctx, run)
	if err != nil {
		return 0, err
	}
	return s.Adopt(ctx, list, persons, by)
}

// schoolOf is the school of a run's agent, on the base of real people.
func (a *App) schoolOf(ctx context.Context, run practice.Run) (*practice.School, error) {
	agent, err := a.Accounts.Agent(ctx, run.AgentID)
	if err != nil {
		return nil, err
	}
	return a.School(agent)
}

// Propose begins a lesson of each of these rules in the base of real people.
func (a *App) Propose(ctx context.Context, run practice.Run, list []practice.Rule) (int, error) {
	s, err := a.schoolOf(ctx, run)
	if err != nil {
		return 0, err
	}
	return s.Propose(ctx, run.ID, list)
}
