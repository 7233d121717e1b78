package main

import (
	"fmt"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/config"
	"preceptor/internal/fault"
	"preceptor/internal/practice"
	"preceptor/internal/terminal"
)

type trainCmd struct {
	config.Base
	Agent     string `required:"" placeholder:"NAME" help:"Whose knowledge and advisor."`
	Customers int    `default:"200" placeholder:"N" help:"How many virtual customers."`
	Seed      uint64 `default:"1" help:"Of the random numbers; the same seed gives the same customers."`
	Split     int    `default:"1" placeholder:"N" help:"Which customers are for training and which for the test: 1 to 3."`
	Propose   bool   `help:"Begin a lesson of each rule that practice taught. Experts decide on them, under Learning."`
	Resume    bool   `help:"Go on with the training that was stopped; its customers, seed and split stay as they were."`
	JSON      bool   `name:"json" help:"As JSON."`
}

// Help is what a longer help says.
func (c *trainCmd) Help() string {
	return "Has a copy of the base answer virtual customers and learn from what they missed, measures before and after on customers whom the training did not have, and then deletes the copy. Nothing that was learned reaches the base, unless --propose asks for lessons, on which experts decide. No real customer is counted. A training that was stopped, or killed, goes on with --resume: no consultation is lost or counted twice."
}

// Run trains in a copy.
func (c *trainCmd) Run(t *terminal.Terminal) error {
	if c.Customers < 1 || c.Customers > 50_000 || c.Split < 1 || c.Split > practice.Splits {
		return fault.New(fault.Invalid, "The customers are 1 to 50,000 and the split is 1 to %d.", practice.Splits)
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
			t.Say("The training stopped after %d of %d customers. Continue it with --resume.", done, run.Customers)
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
		t.Say("%d lessons begun. Once the server runs, they wait for an expert under Learning.", n)
		return nil
	})
}

// begin is the training that is asked for: a new one, or the one that was stopped.
func (c *trainCmd) begin(t *terminal.Terminal, a *app.App, agent account.Agent) (practice.Run, error) {
	if c.Resume {
		return a.Practice.Unfinished(t.Ctx, agent.ID)
	}
	return a.Practice.Begin(t.Ctx, practice.Plan{AgentID: agent.ID, Kind: practice.Training, Split: c.Split - 1, Seed: c.Seed, Customers: c.Customers}, nil)
}

func printTraining(t *terminal.Terminal, out practice.Trained, asJSON bool) error {
	if asJSON {
		return t.JSON(out)
	}
	w := t.Columns(0)
	fmt.Fprintln(w, "CUSTOMERS\tNEEDS MET\tSUCCESSFUL\t95% INTERVAL\tCASES\tRULES\tSEED 000 EXPECTS")
	for _, p := range out.Curve {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s to %s\t%d\t%d\t%s\n", p.Customers, terminal.Percent(p.NeedsMet.Of), terminal.Percent(p.Quality.Of), terminal.Percent(p.Quality.Low), terminal.Percent(p.Quality.High),
			p.Cases, p.Rules, terminal.Percent(practice.Expected(p.Customers)))
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
	t.Say("Test customers: needs met %s before and %s after, %s points; successful %s before and %s after.", terminal.Percent(out.Before.NeedsMet.Of), terminal.Percent(out.After.NeedsMet.Of),
		difference(out.Gain), terminal.Percent(out.Before.OverallQuality.Of), terminal.Percent(out.After.OverallQuality.Of))
	return nil
}
