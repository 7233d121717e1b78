package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/search"
)

type simulateCreditCmd struct {
	Seed uint64 `default:"1" help:"Of the first run; the next takes the next. The same seeds give the same figures."`
	Runs int    `default:"20" placeholder:"N" help:"Streams of 1,000 decisions for each way of ticking; each takes some seconds."`
	JSON bool   `name:"json" help:"As JSON."`
}

// creditArm is one way of ticking.
type creditArm struct {
	Name  string  `json:"name"`
	Hits  float64 `json:"hits"`
	False float64 `json:"false"`

	Raw         []float64 `json:"auroc_raw"` // by failures of drafts shown, at each mark
	AUROC       []float64 `json:"auroc"`     // by the ledger's effect
	Low         []float64 `json:"auroc_low"` // 95 % interval of the mean over runs
	High        []float64 `json:"auroc_high"`
	Quarantined float64   `json:"quarantined"`     // harmful rules, of 6, mean
	AllFound    float64   `json:"all_quarantined"` // share of runs in which all were
	Clean       float64   `json:"no_good_rule"`    // share of runs in which no good rule ever was
	Median      int       `json:"median_decisions_to_quarantine"`
}

type creditSimulation struct {
	Seed      uint64      `json:"seed"`
	Runs      int         `json:"runs"`
	Rules     int         `json:"rules"`
	Harmful   int         `json:"harmful"`
	Decisions []int       `json:"decisions"`
	Arms      []creditArm `json:"arms"`
}

// Run replays streams through a ledger on a database in a temporary folder, one database a run.
func (c *simulateCreditCmd) Run(t *terminal.Terminal) (err error) {
	if c.Runs < 1 || c.Runs > 10_000 {
		return fault.New(fault.Invalid, "The runs are 1 to 10,000.")
	}
	dir, err := os.MkdirTemp("", "preceptor-simulate-")
	if err != nil {
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	template := filepath.Join(dir, "template.db")
	if err := within(t.Ctx, template, func(*db.DB) error { return nil }); err != nil {
		return err
	}
	out := creditSimulation{Seed: c.Seed, Runs: c.Runs, Rules: simRules, Harmful: simHarmful, Decisions: simMarks}
	for _, arm := range []creditArm{
		{Name: "residuals", Hits: noTicks.Hits, False: noTicks.False},
		{Name: "residuals and good ticks", Hits: goodTicks.Hits, False: goodTicks.False},
		{Name: "residuals and sloppy ticks", Hits: sloppyTicks.Hits, False: sloppyTicks.False},
	} {
		var runs []creditRun
		for i := range c.Runs {
			t.Say("%s: run %d of %d", arm.Name, i+1, c.Runs)
			r, err := c.one(t.Ctx, template, filepath.Join(dir, "run.db"), c.Seed+uint64(i),
				ticking{Hits: arm.Hits, False: arm.False})
			if err != nil {
				return err
			}
			runs = append(runs, r)
		}
		arm.sum(runs)
		out.Arms = append(out.Arms, arm)
	}
	if c.JSON {
		return t.JSON(out)
	}
	return printCredit(t, out)
}

// one replays a stream on a copy of an empty database.
func (c *simulateCreditCmd) one(ctx context.Context, template, path string, seed uint64,
	how ticking) (run creditRun, err error) {
	empty, err := os.ReadFile(template)
	if err != nil {
		return run, err
	}
	if err := os.WriteFile(path, empty, 0o600); err != nil {
		return run, err
	}
	defer func() {
		for _, end := range []string{"", "-wal", "-shm", ".lock"} {
			if rerr := os.Remove(path + end); rerr != nil && !errors.Is(rerr, os.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
		}
	}()
	err = within(ctx, path, func(d *db.DB) error {
		run, err = replay(ctx, d, knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{}), seed, how)
		return err
	})
	return run, err
}

// within opens a database, has f work with it, and closes it.
func within(ctx context.Context, path string, f func(d *db.DB) error) error {
	d, err := db.Open(ctx, path, db.Options{Holder: "simulation"})
	if err != nil {
		return err
	}
	return errors.Join(f(d), d.Close())
}

// sum fills in what the runs found.
func (a *creditArm) sum(runs []creditRun) {
	n := float64(len(runs))
	var at []int
	for mark := range simMarks {
		var raw, found []float64
		for _, r := range runs {
			raw, found = append(raw, r.Raw[mark]), append(found, r.Found[mark])
		}
		a.Raw = append(a.Raw, mean(raw))
		low, high := meanInterval(found)
		a.AUROC, a.Low, a.High = append(a.AUROC, mean(found)), append(a.Low, low), append(a.High, high)
	}
	for _, r := range runs {
		a.Quarantined += float64(r.Quarantined) / n
		if r.Quarantined == simHarmful {
			a.AllFound += 1 / n
		}
		if r.Wrongly == 0 {
			a.Clean += 1 / n
		}
		at = append(at, r.FoundAt...)
	}
	if slices.Sort(at); len(at) > 0 {
		a.Median = at[len(at)/2]
	}
}

func printCredit(t *terminal.Terminal, s creditSimulation) error {
	w := t.Columns(0)
	fmt.Fprint(w, "AUROC AFTER DECISIONS\t")
	for _, n := range s.Decisions {
		fmt.Fprintf(w, "%d\t", n)
	}
	fmt.Fprintln(w, "ALL SIX QUARANTINED\tNO GOOD RULE WAS\tMEDIAN DECISIONS")
	row := func(name string, values, low, high []float64) {
		fmt.Fprintf(w, "%s\t", name)
		for i := range values {
			if low == nil {
				fmt.Fprintf(w, "%.3f\t", values[i])
				continue
			}
			fmt.Fprintf(w, "%.3f (%.3f to %.3f)\t", values[i], low[i], high[i])
		}
	}
	row("raw counters", s.Arms[0].Raw, nil, nil)
	fmt.Fprintln(w, "-\t-\t-")
	for _, a := range s.Arms {
		row(a.Name, a.AUROC, a.Low, a.High)
		fmt.Fprintf(w, "%.0f %% of runs (%.1f of %d)\t%.0f %% of runs\t%d\n", a.AllFound*100, a.Quarantined, s.Harmful,
			a.Clean*100, a.Median)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	t.Say("%d rules of which %d do harm, %d runs each, seeds from %d. Ticks are weighed by planted checks, one for "+
		"twenty decisions.", s.Rules, s.Harmful, s.Runs, s.Seed)
	return nil
}
