package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/config"
	"preceptor/internal/db"
	"preceptor/internal/delivery"
	"preceptor/internal/terminal"
)

type doctorCmd struct {
	config.Base
	Rebuild bool `help:"Make the search indexes anew from their source first."`
	JSON    bool `name:"json" help:"As JSON."`
}

// Run looks at the file, the search indexes and the audit record, prints a line for each and fails when one is sick.
func (c *doctorCmd) Run(t *terminal.Terminal) error {
	return existing(t, c.With, "/readyz tells whether it works, /admin/audit checks the record", func(a *app.App) error {
		if c.Rebuild {
			if err := a.Search.Rebuild(t.Ctx, ""); err != nil {
				return err
			}
			t.Say("The search indexes were made anew.")
		}
		checks, err := examine(t.Ctx, a)
		if err != nil {
			return err
		}
		return printChecks(t, checks, c.JSON)
	})
}

// examine gathers the checks of the file, of the search indexes, of the audit record and of the webhooks.
func examine(ctx context.Context, a *app.App) ([]db.Check, error) {
	checks, err := a.DB.Doctor(ctx)
	if err != nil {
		return nil, err
	}
	found, err := a.Search.Check(ctx)
	if err != nil {
		return nil, err
	}
	search := db.Check{Name: "search", OK: len(found.Problems) == 0,
		Detail: fmt.Sprintf("%d entries, %d active, %d with words, %d with vectors, %d without a vector yet.", found.Entries, found.Active, found.Texts, found.Vectors, found.Missing)}
	if !search.OK {
		search.Detail = "Run doctor --rebuild: " + strings.Join(found.Problems, "; ")
	}
	report, err := audit.Verify(ctx, a.DB, nil)
	if err != nil {
		return nil, err
	}
	record := db.Check{Name: "audit", OK: report.Bad == nil, Detail: fmt.Sprintf("%d rows, head %d %s.", report.Rows, report.Head.Seq, report.Head.Hash)}
	if !record.OK {
		record.Detail = fmt.Sprintf("Row %d: %s", report.Bad.Seq, report.Bad.Why)
	}
	hooks, err := a.Delivery.Summary(ctx)
	if err != nil {
		return nil, err
	}
	return append(checks, search, record, webhooks(hooks)), nil
}

// webhooks is sick when an agent is not told what became of its guidance and nobody tries any more. Somebody who disabled
// a webhook knows.
func webhooks(s delivery.Summary) db.Check {
	c := db.Check{Name: "webhooks", OK: s.DeadHere == 0 && s.Gone == 0,
		Detail: fmt.Sprintf("%d webhooks, %d failing, %d disabled; %d events waiting, %d given up.", s.Endpoints, s.Failing, s.Disabled, s.Waiting, s.Dead)}
	if !c.OK {
		c.Detail += " Look at Administration, Webhooks: mend the receiver, enable it, and send again what was given up."
	}
	return c
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
