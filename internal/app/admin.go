package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
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
		return audit.Record(tx, audit.Entry{Actor: by, Action: "job.retried", ObjectKind: "job_kind", ObjectID: kind, Content: map[string]any{"jobs": n}})
	})
	return n, err
}

// exportAudit writes the audit log, or what the filter picks of it. That it left the house is a row of it, written before.
func (a *App) exportAudit(ctx context.Context, by audit.Actor, f audit.Filter, format string, w io.Writer) error {
	err := a.DB.Write(ctx, func(tx *db.Tx) error {
		return audit.Record(tx, audit.Entry{Actor: by, Action: "audit.exported", ObjectKind: "audit", ObjectID: "log", Content: map[string]any{"format": format,
			"actor": f.Who, "action": f.Action, "object": f.ObjectID, "words": f.Words, "from": f.From, "to": f.To}})
	})
	if err != nil {
		return err
	}
	return audit.Export(ctx, a.DB, f, format, w)
}

// Restore makes the database file to from the backup in, and writes on record in it that this was done and of which copy.
// Sessions that lived when the copy was made are ended: some of them were signed out since.
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
		return audit.Record(tx, audit.Entry{Actor: by, Action: "restore.done", ObjectKind: "database", ObjectID: "main",
			Content: map[string]any{"file": filepath.Base(in), "sha256": c.Sum, "bytes": c.Bytes, "sessions_ended": ended}})
	})
}
