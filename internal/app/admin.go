package app

import (
	"context"
	"io"

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
