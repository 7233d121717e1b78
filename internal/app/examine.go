package app

import (
	"context"
	"fmt"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/db"
)

// Examine gathers the checks of the file, of the search indexes, of the audit record and of the webhooks.
func (a *App) Examine(ctx context.Context) ([]db.Check, error) {
	checks, err := a.DB.Doctor(ctx)
	if err != nil {
		return nil, err
	}
	found, err := a.Search.Check(ctx)
	if err != nil {
		return nil, err
	}
	search := db.Check{Name: "search", OK: len(found.Problems) == 0,
		Detail: fmt.Sprintf("%d entries, %d active, %d with words, %d with vectors, %d without a vector yet.",
			found.Entries, found.Active, found.Texts, found.Vectors, found.Missing)}
	if !search.OK {
		search.Detail = "Run doctor --rebuild: " + strings.Join(found.Problems, "; ")
	}
	report, err := audit.Verify(ctx, a.DB, nil)
	if err != nil {
		return nil, err
	}
	record := db.Check{Name: "audit", OK: report.Bad == nil,
		Detail: fmt.Sprintf("%d rows, head %d %s.", report.Rows, report.Head.Seq, report.Head.Hash)}
	if !record.OK {
		record.Detail = fmt.Sprintf("Row %d: %s", report.Bad.Seq, report.Bad.Why)
	}
	hooks, err := a.Delivery.Summary(ctx)
	if err != nil {
		return nil, err
	}
	return append(checks, search, record, webhooks(hooks)), nil
}

// webhooks is sick when an agent is not told what became of its guidance and nobody tries any more. Somebody who
// disabled a webhook knows.
func webhooks(s delivery.Summary) db.Check {
	c := db.Check{Name: "webhooks", OK: s.DeadHere == 0 && s.Gone == 0,
		Detail: fmt.Sprintf("%d webhooks, %d failing, %d disabled; %d events waiting, %d failed.", s.Endpoints,
			s.Failing, s.Disabled, s.Waiting, s.Dead)}
	if !c.OK {
		c.Detail += " Look at Administration, Webhooks: fix the receiver, enable it, and send the failed events again."
	}
	return c
}
