package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/config"
	"preceptor/internal/demo"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/practice"
	"preceptor/internal/terminal"
)

type ablateCmd struct {
	Pack      string `default:"pension" placeholder:"PACK" help:"The domain: ${packs}."`
	Documents string `placeholder:"DIR" help:"The folder of guidance that every arm has; the demo's when left out."`
	Customers int    `default:"200" placeholder:"N" help:"How many each training has."`
	Splits    int    `default:"3" placeholder:"N" help:"Ways to part the customers into those of the training and those of the test."`
	Seeds     int    `default:"5" placeholder:"N" help:"Trainings of each split."`
	Keep      string `placeholder:"FILE" help:"Keep the result in this database, for its Practice page; needs --agent."`
	Agent     string `placeholder:"NAME" help:"Under which agent of the pack it is kept."`
	JSON      bool   `name:"json" help:"As JSON, with each training's curve and rules."`
}

// Help is what a longer help says.
func (c *ablateCmd) Help() string {
	return "Trains an advisor with virtual customers in a file of its own and takes its memory apart: documents alone, with cases, with rules, with both, with wrong rules planted, with another domain's memory, and with the customers' needs shuffled. Each arm answers the same customers, whom no training had. Differences have 95 % intervals of a paired bootstrap over situations. It asks no model and touches no database, but that of --keep."
}

// practiceDay is the date of the figures that drafts go by, and of all that happens in a school: the same seed gives the same result.
var practiceDay = time.Date(2026, time.September, 1, 9, 0, 0, 0, time.UTC)

// Run needs no database.
func (c *ablateCmd) Run(t *terminal.Terminal) error {
	if c.Customers < 1 || c.Customers > 50_000 || c.Splits < 1 || c.Splits > practice.Splits || c.Seeds < 1 || c.Seeds > 20 {
		return fault.New(fault.Invalid, "The customers are 1 to 50,000, the splits 1 to %d and the seeds 1 to 20.", practice.Splits)
	}
	people, err := practicePeople(c.Pack)
	if err != nil {
		return err
	}
	if c.Keep != "" && c.Agent == "" {
		return fault.New(fault.Invalid, "Say with --agent under which agent the result is kept.")
	}
	var documents fs.FS = demo.Guidance()
	if c.Documents != "" {
		root, err := os.OpenRoot(c.Documents) // no link leads out of it
		if err != nil {
			return fault.Wrap(fault.Invalid, err, "%s is not a folder that can be read.", c.Documents)
		}
		defer root.Close()
		documents = root.FS()
	}
	dir, err := os.MkdirTemp("", "preceptor-practice-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	y := &schoolyard{Terminal: t, dir: dir, pack: people.Pack, bar: t.Progress("Practising")}
	if err := y.begin(documents); err != nil {
		return err
	}
	y.total = c.Splits * c.Seeds * c.Customers
	out, err := practice.Ablate(t.Ctx, y.open, people, c.Customers, c.Splits, c.Seeds)
	if err != nil {
		return err
	}
	if c.Keep != "" {
		err = existing(t, func() (config.Config, error) { return configOf(c.Keep) }, "stop it first", func(a *app.App) error { return keepAblation(t, a, c.Agent, out) })
	}
	if c.JSON {
		return errors.Join(t.JSON(out), err)
	}
	return errors.Join(printAblation(t, out), err)
}

func configOf(file string) (config.Config, error) {
	cfg, err := config.Default()
	cfg.DB = file
	return cfg, err
}

// keepAblation puts an ablation beside the runs of an agent.
func keepAblation(t *terminal.Terminal, a *app.App, name string, out practice.Ablated) error {
	agent, err := practising(t, a, name)
	if err == nil && agent.Pack != out.Pack {
		err = fault.New(fault.Invalid, "%s has the pack %q; the ablation is of %q.", name, agent.Pack, out.Pack)
	}
	if err != nil {
		return err
	}
	run, err := a.Practice.Begin(t.Ctx, practice.Plan{AgentID: agent.ID, Kind: practice.Ablation, Customers: out.Customers})
	if err != nil {
		return err
	}
	return a.Practice.Finish(t.Ctx, run.ID, out)
}

// schoolyard makes schools: copies of one file that has the documents alone.
type schoolyard struct {
	*terminal.Terminal
	dir, pack   string
	made        int
	done, total int
	bar         func(done, total int)
}

const practiceAgent = "Practice"

func (y *schoolyard) config(name string) (config.Config, error) {
	cfg, err := config.Default()
	cfg.LLM = config.LLM{Provider: "embedded", Timeout: cfg.LLM.Timeout}
	cfg.DB, cfg.Log.Level = filepath.Join(y.dir, name), "error"
	return cfg, err
}

func (y *schoolyard) app(ctx context.Context, name string) (*app.App, error) {
	cfg, err := y.config(name)
	if err != nil {
		return nil, err
	}
	return app.Open(ctx, cfg, app.WithTerminal(io.Discard), app.WithLog(app.NewLog(cfg.Log, y.Err)), app.WithClock(func() time.Time { return practiceDay }))
}

// begin makes the file that the others are copies of.
func (y *schoolyard) begin(documents fs.FS) (err error) {
	a, err := y.app(y.Ctx, "documents.db")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	agent, err := a.Accounts.EnsureAgent(y.Ctx, practiceAgent, y.pack)
	if err != nil {
		return err
	}
	report, err := a.Knowledge.Import(y.Ctx, documents, knowledge.ImportOptions{Source: "documents", AgentID: agent.ID, Pack: agent.Pack, By: terminal.Operator})
	if err == nil && report.Imported == 0 {
		err = fault.New(fault.Invalid, "None of the documents could be imported.")
	}
	if err != nil {
		return err
	}
	_, err = a.DB.Backup(y.Ctx, filepath.Join(y.dir, "blank.db"))
	return err
}

// open is an OpenSchool.
func (y *schoolyard) open(ctx context.Context) (*practice.School, func() error, error) {
	y.made++
	name := fmt.Sprintf("school-%d.db", y.made)
	blank, err := os.ReadFile(filepath.Join(y.dir, "blank.db"))
	if err == nil {
		err = os.WriteFile(filepath.Join(y.dir, name), blank, 0o600)
	}
	if err != nil {
		return nil, nil, err
	}
	a, err := y.app(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	agent, err := a.Accounts.EnsureAgent(ctx, practiceAgent, y.pack)
	if err != nil {
		return nil, nil, errors.Join(err, a.Close())
	}
	s, err := a.School(agent)
	if err != nil {
		return nil, nil, errors.Join(err, a.Close())
	}
	s.Progress = func(n int) {
		y.done += n
		if y.bar != nil {
			y.bar(y.done, y.total)
		}
	}
	return s, a.Close, nil
}

func printAblation(t *terminal.Terminal, out practice.Ablated) error {
	w := t.Columns(0)
	split := -1
	for _, arm := range out.Arms {
		if arm.Split != split {
			split = arm.Split
			fmt.Fprintf(w, "SPLIT %d\tSUCCESSFUL\tNEEDS MET\tSATISFACTION\tAGAINST\tNEEDS MET, DIFFERENCE\tSUCCESSFUL, DIFFERENCE\t\n", split+1)
		}
		m := arm.Metrics
		fmt.Fprintf(w, "%s\t%s\t%s\t%.1f\t%s\t", arm.Name, terminal.Percent(m.OverallQuality.Of), terminal.Percent(m.NeedsMet.Of), m.Satisfaction.Of, cmp.Or(arm.Against, "-"))
		if arm.Against != "" {
			fmt.Fprintf(w, "%s\t%s\t", difference(arm.NeedsMet), difference(arm.Quality))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	lessons, accepted := 0, 0
	for _, one := range out.Trainings {
		lessons, accepted = lessons+one.Lessons, accepted+one.Accepted
	}
	t.Say("%d trainings of %d customers; of %d lessons %d were accepted. %s", len(out.Trainings), out.Customers, lessons, accepted, out.Verdict())
	t.Say("The judge knows %s of its own phrases again and takes %s for a need that they don't meet.", terminal.Percent(out.Judge.Found), terminal.Percent(out.Judge.False))
	t.Say("Seed 000 expects of Agent Hospital's: baseline 88 %%, cases only 90 %%, rules only 87 %%, full 92 %%.")
	return nil
}

func difference(f practice.Figure) string {
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f]", f.Of*100, f.Low*100, f.High*100)
}
