package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/dataset"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

// retryJobs has the parked jobs of a kind run again, a thousand at most, and keeps record of who wanted it.
func (a *App) retryJobs(ctx context.Context, by audit.Actor, kind string) (n int, err error) {
	err = a.DB.Write(ctx, func(tx *db.Tx) error {
		if n, err = a.Jobs.RetryKindTx(tx, kind); err != nil {
			return err
		}
		if n == 0 {
			return fault.New(fault.NotFound, "No job of this kind is parked any more.")
		}
		return audit.Note(tx, by, "job.retried", "job_kind", kind, map[string]any{"jobs": n})
	})
	return n, err
}

// exportAudit writes the audit log, or what the filter picks of it. That it left the house is a row of it, written
// before.
func (a *App) exportAudit(ctx context.Context, by audit.Actor, f audit.Filter, format string, w io.Writer) error {
	content := map[string]any{"format": format, "actor": f.Who, "action": f.Action, "object": f.ObjectID,
		"words": f.Words}
	for name, day := range map[string]time.Time{"from": f.From, "to": f.To} {
		if !day.IsZero() {
			content[name] = day
		}
	}
	err := a.DB.Write(ctx, func(tx *db.Tx) error {
		return audit.Note(tx, by, "audit.exported", "audit", "log", content)
	})
	if err != nil {
		return err
	}
	return audit.Export(ctx, a.DB, f, format, w)
}

// objectName is what people call the object of a row of the audit log; "" when it has no name, or is gone. A review's
// name says nothing of the customer: administrators don't read reviews.
func (a *App) objectName(ctx context.Context, kind, id string) (name string, err error) {
	switch kind {
	case "account":
		var p account.Account
		p, err = a.Accounts.Get(ctx, id)
		name = p.Name
	case "agent":
		var g account.Agent
		g, err = a.Accounts.Agent(ctx, id)
		name = g.Name
	case "team":
		var t account.Team
		t, err = db.Read(ctx, a.DB, func(tx *db.Tx) (account.Team, error) { return a.Accounts.TeamTx(tx, id) })
		name = t.Name
	case "interaction":
		var r review.Row
		r, err = db.Read(ctx, a.DB, func(tx *db.Tx) (review.Row, error) { return a.Reviews.RowTx(tx, id) })
		name = pack.Label(r.Task) + " review …" + id[max(0, len(id)-4):]
	case "rule":
		var r *knowledge.Rule
		if r, err = a.Knowledge.Rule(ctx, id); err == nil {
			name = r.Label() + " " + r.Title
		}
	case "case":
		var c *knowledge.Case
		if c, err = a.Knowledge.Case(ctx, id); err == nil {
			name = c.Label()
		}
	case "check":
		var c checklist.Check
		if c, err = a.Checklist.Get(ctx, id); err == nil {
			name = c.Title()
		}
	case "dataset":
		var d *dataset.Dataset
		if d, err = a.Datasets.Get(ctx, id); err == nil {
			name = d.Name
		}
	}
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	return name, err
}

// Restore makes the database file to from the backup in, and writes on record in it that this was done and of which
// copy. Sessions that lived when the copy was made are ended: some of them were signed out since.
func Restore(ctx context.Context, by audit.Actor, in, to string) (c db.Copy, err error) {
	if c, err = db.Restore(ctx, in, to); err != nil {
		return c, err
	}
	d, err := db.Open(ctx, to, db.Options{Holder: "restore"})
	if err != nil {
		return c, fmt.Errorf("app: open what was restored: %w", err)
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	people := account.New(d)
	return c, d.Write(ctx, func(tx *db.Tx) error {
		ended, err := people.EndSessionsOfAllTx(tx)
		if err != nil {
			return err
		}
		return audit.Note(tx, by, "restore.done", "database", "main",
			map[string]any{"file": filepath.Base(in), "sha256": c.Sum, "bytes": c.Bytes, "sessions_ended": ended})
	})
}
