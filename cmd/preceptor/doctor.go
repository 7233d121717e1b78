package main

import (
	"bufio"
	"fmt"

	"preceptor/internal/app"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/terminal"
)

type doctorCmd struct {
	config.Base
	Rebuild bool `help:"First rebuild the search indexes from their source."`
	JSON    bool `name:"json" help:"As JSON."`
}

// Run looks at the file, the search indexes and the audit record, prints a line for each and fails when one is sick.
func (c *doctorCmd) Run(t *terminal.Terminal) error {
	look := reading
	if c.Rebuild {
		look = existing
	}
	return look(t, c.With, "/readyz shows whether it works, /admin/audit checks the record",
		func(a *app.App) error {
			if c.Rebuild {
				if err := a.Search.Rebuild(t.Ctx, ""); err != nil {
					return err
				}
				t.Say("The search indexes were rebuilt.")
			}
			checks, err := a.Examine(t.Ctx)
			if err != nil {
				return err
			}
			return printChecks(t, checks, c.JSON)
		})
}

func printChecks(t *terminal.Terminal, checks []db.Check, asJSON bool) error {
	sick := 0
	w := bufio.NewWriter(t.Out)
	for _, c := range checks {
		word := "ok  "
		if !c.OK {
			word = "SICK"
			sick++
		}
		if !asJSON {
			fmt.Fprintf(w, "%s %-10s %s\n", word, c.Name, c.Detail)
		}
	}
	if asJSON {
		if err := t.JSON(map[string]any{"ok": sick == 0, "checks": checks}); err != nil {
			return err
		}
	}
	if err := w.Flush(); err == nil && sick > 0 {
		return terminal.Finding(fmt.Sprintf("Checks that failed: %d of %d.", sick, len(checks)))
	}
	return w.Flush()
}
