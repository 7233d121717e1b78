// Command simulate plants what is known and looks whether it is found: how often the gate lets in rules that are no
// good, how soon credit finds the rules that do harm, how often an experiment finds a difference. Each simulation runs
// through the code of the program itself.
//
//	go run ./tools/simulate gate|credit|experiment [--json]
package main

import (
	"fmt"
	"text/tabwriter"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

var program = terminal.Program{
	Name:     "simulate",
	About:    "Plants what is known and looks whether it is found, through the code of the program itself.",
	Commands: func() any { return new(commands) },
}

func main() { program.Main() }

type commands struct {
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
func (c *simulateGateCmd) Run(t *terminal.Terminal) error {
	if c.Principles < 1 || c.Principles > 1_000_000 || c.Cases < 0 || c.Cases > 1000 {
		return fault.New(fault.Invalid, "The principles are 1 to 1,000,000 and the cases 0 to 1,000.")
	}
	s := simulateGate(c.Seed, c.Principles, c.Cases)
	if c.JSON {
		return t.JSON(s)
	}
	w := t.Columns(tabwriter.AlignRight)
	fmt.Fprintf(w, "TRUE HELPFULNESS\tSEED'S GATE\tOURS, %d CASES\tWAITS\tREJECTED\t", s.Cases)
	for _, by := range s.ByCases {
		fmt.Fprintf(w, "OURS, %d\t", by.Cases)
	}
	fmt.Fprintln(w)
	for _, kind := range planted {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t", kind, terminal.Percent(s.SeedGate[kind]), terminal.Percent(s.Ours[kind]),
			terminal.Percent(s.Waits[kind]), terminal.Percent(s.Rejected[kind]))
		for _, by := range s.ByCases {
			fmt.Fprintf(w, "%s\t", terminal.Percent(by.Accepted[kind]))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	t.Say("Accepted, of %d planted principles each; seed %d. What waits is provisional: marked, and a person decides.",
		s.Principles, s.Seed)
	return nil
}
