package main

import (
	"fmt"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/terminal"
)

// statsCmd is about the managers' numbers.
type statsCmd struct {
	Rebuild statsRebuildCmd `cmd:"" help:"Recount everything; the result should be the same as before."`
}

type statsRebuildCmd struct {
	config.File
	JSON bool `name:"json" help:"As JSON."`
}

// rebuiltStats is what stats rebuild prints.
type rebuiltStats struct {
	Zone    string  `json:"zone"`
	Rows    int     `json:"rows"` // raw rows counted: cases, votes, outcomes and observed interactions
	Seconds float64 `json:"seconds"`
}

// Run counts.
func (c *statsRebuildCmd) Run(t *terminal.Terminal) error {
	return existing(t, c.With, "the sums are updated with every change, and need no rebuild", func(a *app.App) error {
		began, out := time.Now(), rebuiltStats{Zone: a.Zone.String()}
		if err := a.Counter.Rebuild(t.Ctx, func(done int) { out.Rows = done }); err != nil {
			return err
		}
		out.Seconds = time.Since(began).Seconds()
		if c.JSON {
			return t.JSON(out)
		}
		_, err := fmt.Fprintf(t.Out, "%d rows counted by the days of %s in %.1f s\n", out.Rows, out.Zone, out.Seconds)
		return err
	})
}
