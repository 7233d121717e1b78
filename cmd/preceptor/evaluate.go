package main

import (
	"fmt"
	"strings"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/practice"
)

type evaluateCmd struct {
	config.Base
	Agent string `required:"" placeholder:"NAME" help:"The agent whose knowledge and advisor to use."`
	Split int    `default:"1" placeholder:"N" help:"Which test customers to use: 1 to 3."`
	JSON  bool   `name:"json" help:"As JSON."`
}

// Help is what a longer help says.
func (c *evaluateCmd) Help() string {
	return "Has the advisor answer the virtual test customers with what it knows now. The figures are stored " +
		"separately from those of real customers. If a model is configured, it writes the drafts."
}

// Run keeps the figures alone.
func (c *evaluateCmd) Run(t *terminal.Terminal) error {
	if c.Split < 1 || c.Split > practice.Splits {
		return fault.New(fault.Invalid, "--split is 1 to %d.", practice.Splits)
	}
	return existing(t, c.With, "stop it first", func(a *app.App) error {
		agent, err := practising(t, a, c.Agent)
		if err != nil {
			return err
		}
		run, err := a.Practice.Begin(t.Ctx,
			practice.Plan{AgentID: agent.ID, Kind: practice.Evaluation, Split: c.Split - 1}, nil)
		if err != nil {
			return err
		}
		began := time.Now()
		m, err := a.Evaluate(t.Ctx, run)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.JSON(m)
		}
		if err := printMetrics(t, m); err != nil {
			return err
		}
		t.Say("%d virtual customers, %.0f a second. These are not real customers; for those, see Overview.",
			m.NeedsMet.N, float64(m.NeedsMet.N)/time.Since(began).Seconds())
		return nil
	})
}

func printMetrics(t *terminal.Terminal, m practice.Metrics) error {
	w := t.Columns(0)
	fmt.Fprintln(w, "MEASURE\tVALUE\t95% INTERVAL\tOF")
	for _, one := range m.Rows() {
		fmt.Fprintf(w, "%s\t%s\t%s to %s\t%d\n", one.Name, one.Text(one.Figure.Of), one.Text(one.Figure.Low),
			one.Text(one.Figure.High), one.Figure.N)
	}
	if why := m.Failures(); why != "" {
		fmt.Fprintln(w, why)
	}
	return w.Flush()
}

// practising is the agent of this name, if its pack has practice customers.
func practising(t *terminal.Terminal, a *app.App, name string) (account.Agent, error) {
	agent, err := a.Accounts.AgentByName(t.Ctx, name)
	if fault.Is(err, fault.NotFound) {
		return agent, fault.New(fault.NotFound, "There is no agent %q.", name)
	}
	if err == nil {
		var people *practice.People
		if people, err = practicePeople(agent.Pack); err == nil {
			t.Say("The practice customers are %d of %s.", len(people.Lives), people.Trade())
		}
	}
	return agent, err
}

// practicePeople are a pack's practice customers.
func practicePeople(packName string) (*practice.People, error) {
	if _, ok := pack.Named(packName); !ok {
		return nil, fault.New(fault.Invalid, "There is no pack %q. Use one of %s.", packName,
			strings.Join(pack.Names(), ", "))
	}
	return practice.Of(packName)
}
