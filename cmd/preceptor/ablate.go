package main

import (
	"cmp"
	"fmt"
	"os"

	"preceptor/internal/app"
	"preceptor/internal/demo"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/practice"
)

type ablateCmd struct {
	config.Base
	Agent     string `placeholder:"NAME" help:"Take apart what this agent knows, in --db; nothing is trained."`
	Pack      string `default:"pension" placeholder:"PACK" help:"The domain: ${packs}."`
	Documents string `placeholder:"DIR" help:"The folder of guidance that every arm gets; by default the demo's."`
	Customers int    `default:"200" placeholder:"N" help:"Customers in each training run."`
	Splits    int    `default:"3" placeholder:"N" help:"Ways to split the customers into training and test."`
	Seeds     int    `default:"5" placeholder:"N" help:"Trainings for each split."`
	JSON      bool   `name:"json" help:"Print JSON, with each training's curve and rules."`
}

// Help is what a longer help says.
func (c *ablateCmd) Help() string {
	return "Trains an advisor with virtual customers in a temporary file and measures each part of its memory: " +
		"documents alone, with cases, with rules, with both, with wrong rules added, with another domain's memory, " +
		"and with the customers' needs shuffled. Each arm answers the same customers, none of them from the " +
		"training. Differences have 95% intervals from a paired bootstrap over situations. It calls no model and " +
		"touches no database. With --agent and --db it measures that agent's own memory instead, as it is, with the " +
		"model that is set. The Practice page starts both in the server."
}

// Run needs no database, but for an agent's own memory.
func (c *ablateCmd) Run(t *terminal.Terminal) error {
	if c.Agent != "" {
		return c.own(t)
	}
	if c.Customers < 1 || c.Customers > 50_000 || c.Splits < 1 || c.Splits > practice.Splits || c.Seeds < 1 ||
		c.Seeds > 20 {
		return fault.New(fault.Invalid, "--customers is 1 to 50,000, --splits 1 to %d and --seeds 1 to 20.",
			practice.Splits)
	}
	people, err := practicePeople(c.Pack)
	if err != nil {
		return err
	}
	documents := demo.Documents(people.Pack)
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
	y, err := app.NewYard(t.Ctx, dir, people.Pack, documents)
	if err != nil {
		return err
	}
	bar := t.Progress("Practising")
	y.Progress = func(done int) { bar(done, c.Splits*c.Seeds*c.Customers) }
	out, err := practice.Ablate(t.Ctx, y.Open, people, c.Customers, c.Splits, c.Seeds)
	if err != nil {
		return err
	}
	if c.JSON {
		return t.JSON(out)
	}
	return printAblation(t, out)
}

// own takes the memory of an agent apart.
func (c *ablateCmd) own(t *terminal.Terminal) error {
	return existing(t, c.With, "start the ablation on the Practice page", func(a *app.App) error {
		agent, err := practising(t, a, c.Agent)
		if err != nil {
			return err
		}
		run, err := a.Practice.Begin(t.Ctx, practice.Plan{AgentID: agent.ID, Kind: practice.Ablation}, nil)
		if err != nil {
			return err
		}
		out, err := a.AblateOwn(t.Ctx, run)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.JSON(out)
		}
		return printAblation(t, out)
	})
}

func printAblation(t *terminal.Terminal, out practice.Ablated) error {
	w := t.Columns(0)
	split := -1
	for _, arm := range out.Arms {
		if arm.Split != split {
			split = arm.Split
			fmt.Fprintf(w, "SPLIT %d\tSUCCESSFUL\tNEEDS MET\tSATISFACTION\tAGAINST\tNEEDS MET, "+
				"DIFFERENCE\tSUCCESSFUL, DIFFERENCE\t\n", split+1)
		}
		m := arm.Metrics
		fmt.Fprintf(w, "%s\t%s\t%s\t%.1f\t%s\t", arm.Name, terminal.Percent(m.OverallQuality.Of),
			terminal.Percent(m.NeedsMet.Of), m.Satisfaction.Of, cmp.Or(arm.Against, "-"))
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
	if out.Own {
		t.Say("The agent's own memory; nothing was trained. %s", out.Verdict())
	} else {
		t.Say("%d training runs of %d customers; of %d lessons, %d were accepted. %s", len(out.Trainings),
			out.Customers, lessons, accepted, out.Verdict())
	}
	t.Say("The judge recognises %s of its own phrases and wrongly counts %s as meeting a need.",
		terminal.Percent(out.Judge.Found), terminal.Percent(out.Judge.False))
	t.Say("Seed 000 expects, from Agent Hospital: baseline 88%%, cases only 90%%, rules only 87%%, full 92%%.")
	return nil
}

func difference(f practice.Figure) string {
	return fmt.Sprintf("%+.1f [%+.1f, %+.1f]", f.Of*100, f.Low*100, f.High*100)
}
