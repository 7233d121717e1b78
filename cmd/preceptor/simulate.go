package main

import (
	"fmt"
	"text/tabwriter"

	"preceptor/internal/fault"
	"preceptor/internal/learning"
)

// simulateCmd plants what is known and looks whether it is found. Each simulation runs through the code of the program itself.
type simulateCmd struct {
	Gate       simulateGateCmd       `cmd:"" help:"How often a gate lets in rules that are no good."`
	Credit     simulateCreditCmd     `cmd:"" help:"How soon credit finds the rules that do harm."`
	Experiment simulateExperimentCmd `cmd:"" help:"How often an experiment finds a difference, when there is none and when there is one."`
}

type simulateGateCmd struct {
	Seed       uint64 `default:"1" help:"Of the random numbers; the same seed gives the same figures."`
	Principles int    `default:"1000" placeholder:"N" help:"Planted principles of each kind."`
	Cases      int    `default:"30" placeholder:"N" help:"Telling cases that our gate has."`
	JSON       bool   `name:"json" help:"As JSON."`
}

// Run needs no database.
func (c *simulateGateCmd) Run(t *terminal) error {
	if c.Principles < 1 || c.Principles > 1_000_000 || c.Cases < 0 || c.Cases > 1000 {
		return fault.New(fault.Invalid, "The principles are 1 to 1,000,000 and the cases 0 to 1,000.")
	}
	s := learning.SimulateGate(c.Seed, c.Principles, c.Cases)
	if c.JSON {
		return t.printJSON(s)
	}
	w := tabwriter.NewWriter(t.out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "TRUE HELPFULNESS\tSEED'S GATE\tOURS, %d CASES\tWAITS\tREJECTED\t", s.Cases)
	for _, by := range s.ByCases {
		fmt.Fprintf(w, "OURS, %d\t", by.Cases)
	}
	fmt.Fprintln(w)
	for _, kind := range learning.PlantedPrinciples {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t", kind, percent(s.SeedGate[kind]), percent(s.Ours[kind]), percent(s.Waits[kind]), percent(s.Rejected[kind]))
		for _, by := range s.ByCases {
			fmt.Fprintf(w, "%s\t", percent(by.Accepted[kind]))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	t.say("Accepted, of %d planted principles each; seed %d. What waits is provisional: marked, and a person decides.", s.Principles, s.Seed)
	return nil
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", share*100) }
