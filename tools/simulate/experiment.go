package main

import (
	"fmt"

	"preceptor/internal/feedback/experiment"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

type simulateExperimentCmd struct {
	Seed     uint64  `default:"1" help:"Of the random numbers; the same seed gives the same figures."`
	Runs     int     `default:"2000" placeholder:"N" help:"Experiments of each kind, with a look after every outcome."`
	Baseline float64 `default:"75" placeholder:"PERCENT" help:"Good outcomes without the treatment."`
	Effect   float64 `default:"10" placeholder:"POINTS" help:"Rise that the plan looks for, and that the A/B runs have."`
	JSON     bool    `name:"json" help:"As JSON."`
}

// Run needs no database.
func (c *simulateExperimentCmd) Run(t *terminal.Terminal) error {
	if c.Runs < 1 || c.Runs > 1_000_000 {
		return fault.New(fault.Invalid, "The runs are 1 to 1,000,000.")
	}
	aim := experiment.DefaultAim
	aim.Baseline, aim.Effect = c.Baseline/100, c.Effect/100
	plan, err := experiment.NewPlan(aim)
	if err != nil {
		return err
	}
	s := simulate(c.Seed, c.Runs, plan)
	if c.JSON {
		return t.JSON(s)
	}
	w := t.Columns(0)
	fmt.Fprintln(w, "TRUTH\tDIFFERENCE SHOWN\tBETTER\tWORSE\tFUTILE\tFULL SIZE\tMEAN OUTCOMES\tMEDIAN\tINTERVAL "+
		"HELD\tNAIVE PEEKING\tONE LOOK")
	for _, k := range s.Scenarios {
		fmt.Fprintf(w, "%s (%+.1f points)\t%s\t%s\t%s\t%s\t%s\t%.0f\t%d\t%s\t%s\t%s\n", k.Name, k.Truth*100,
			terminal.Percent(k.Shown), terminal.Percent(k.Better), terminal.Percent(k.Worse),
			terminal.Percent(k.Futile),
			terminal.Percent(k.Full), k.MeanSize, k.Median, terminal.Percent(k.Covered), terminal.Percent(k.Naive),
			terminal.Percent(k.OneLook))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	t.Say("%d experiments of each kind; seed %d. From %.0f %%, looking for %+.0f points at 5 %% and 80 %%: one look "+
		"needs %d outcomes per arm, a look after every outcome %d (× %.2f).",
		s.Runs, s.Seed, c.Baseline, c.Effect, s.Fixed, s.Size, s.Price)
	return nil
}
