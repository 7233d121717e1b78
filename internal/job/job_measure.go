package job

import (
	"context"
	"log/slog"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// link is one job of a measured chain, which queues the next when Left is above zero.
type link struct {
	Left int `json:"left"`
}

func (link) Kind() string { return "job.link" }

// MeasureChain times n jobs of which each queues the next in a transaction of its own, as the learning path does, from
// the commit that queues the first to the end of the last. It starts a queue on d, which must have none running.
func MeasureChain(ctx context.Context, d *db.DB, n int) (time.Duration, error) {
	q := New(d, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	Register(q, func(ctx context.Context, l link) error {
		if l.Left == 0 {
			close(done)
			return nil
		}
		return d.Write(ctx, func(tx *db.Tx) error { return q.InsertTx(tx, link{l.Left - 1}) })
	})
	if err := q.Start(ctx); err != nil {
		return 0, err
	}
	defer q.Stop(context.WithoutCancel(ctx))
	start := time.Now()
	if err := d.Write(ctx, func(tx *db.Tx) error { return q.InsertTx(tx, link{n - 1}) }); err != nil {
		return 0, err
	}
	select {
	case <-done:
		return time.Since(start), nil
	case <-ctx.Done():
		return 0, fault.Wrap(fault.Unavailable, ctx.Err(), "The jobs did not finish in time.")
	}
}
