package main

import (
	"fmt"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/practice"
)

type trainCmd struct {
	config.Base
	Agent     string `required:"" placeholder:"NAME" help:"The agent whose knowledge and advisor to use."`
	Customers int    `default:"200" placeholder:"N" help:"The number of virtual customers."`
	Seed      uint64 `default:"1" help:"The random seed; the same seed gives the same customers."`
	Split     int    `default:"1" placeholder:"N" help:"Which split into training and test customers to use: 1 to 3."`
	Propose   bool   `help:"Start a lesson for each rule that practice taught. Experts decide on them under Learning."`
	Resume    bool   `help:"Continue the training run that was stopped, with the same customers, seed and split."`
	JSON      bool   `name:"json" help:"As JSON."`
}

// Help is what a longer help says.
func (c *trainCmd) Help() string {
	return "Has a copy of what the agent knows, without people and customers, answer virtual customers and learn " +
		"from what its answers missed, " +
		"measures before and after on customers not in the training, and then deletes the copy. Nothing learned " +
		"reaches the base unless you " +
		"use --propose to start lessons, which experts decide on. Real customers are not counted. If a training is " +
		"stopped or killed, " +
		"continue it with --resume while Knowledge is unchanged: no consultation is lost or counted twice."
}

// Run trains in a copy.
func (c *trainCmd) Run(t *terminal.Terminal) error {
	if c.Customers < 1 || c.Customers > 50_000 || c.Split < 1 || c.Split > practice.Splits {
		return fault.New(fault.Invalid, "--customers is 1 to 50,000 and --split is 1 to %d.", practice.Splits)
	}
	return existing(t, c.With, "stop it first", func(a *app.App) error {
		agent, err := practising(t, a, c.Agent)
		if err != nil {
			return err
		}
		run, err := c.begin(t, a, agent)
		if err != nil {
			return err
		}
		bar, done := t.Progress("Practising"), 0
		out, err := a.Train(t.Ctx, run, func(n int) { done += n; bar(done, run.Customers) })
		if err != nil {
			t.Say("The training run stopped after %d of %d customers. Continue it with --resume.", done, run.Customers)
			return err
		}
		if err := printTraining(t, out, c.JSON); err != nil || !c.Propose {
			return err
		}
		taught := out.Rules[:0:0]
		for _, r := range out.Rules {
			if r.Accepted {
				taught = append(taught, r)
			}
		}
		n, err := a.Propose(t.Ctx, run, taught)
		if err != nil {
			return err
		}
		t.Say("%d lessons started. Once the server is running, they wait for an expert under Learning.", n)
		return nil
	})
}

// begin is the training that is asked for: a new one, or the one that was stopped.
func (c *trainCmd) begin(t *terminal.Terminal, a *app.App, agent account.Agent) (practice.Run, error) {
	if c.Resume {
		return a.Practice.Unfinished(t.Ctx, agent.ID)
	}
	return a.Practice.Begin(t.Ctx, practice.Plan{AgentID: agent.ID, Kind: practice.Training, Split: c.Split - 1,
		Seed: c.Seed, Customers: c.Customers}, nil)
}

func printTraining(t *terminal.Terminal, out practice.Trained, asJSON bool) error {
	if asJSON {
		return t.JSON(out)
	}
	w := t.Columns(0)
	fmt.Fprintln(w, "CUSTOMERS\tNEEDS MET\tSUCCESSFUL\t95% INTERVAL\tCASES\tRULES\tSEED 000 EXPECTS")
	for _, p := range out.Curve {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s to %s\t%d\t%d\t%s\n", p.Customers, terminal.Percent(p.NeedsMet.Of),
			terminal.Percent(p.Quality.Of), terminal.Percent(p.Quality.Low), terminal.Percent(p.Quality.High),
			p.Cases, p.Rules, terminal.Percent(knowledge.ExpectedQuality(p.Customers)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range out.Rules {
		said := "taught"
		if !r.Accepted {
			said = "refused: " + r.Why
		}
		fmt.Fprintf(t.Out, "%s\n    %s\n", r.Rule, said)
	}
	t.Say("Test customers: needs met %s before and %s after, %s points; successful %s before and %s after.",
		terminal.Percent(out.Before.NeedsMet.Of), terminal.Percent(out.After.NeedsMet.Of),
		difference(out.Gain), terminal.Percent(out.Before.OverallQuality.Of),
		terminal.Percent(out.After.OverallQuality.Of))
	if why := out.After.Failures(); why != "" {
		t.Say("%s", why)
	}
	return nil
}
