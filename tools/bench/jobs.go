package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
)

// chainLength is how many jobs follow one another, as the steps of a lesson do.
const chainLength = 5

// link is one job of the chain.
type link struct {
	Run  int `json:"run"`
	Left int `json:"left"` // how many follow
}

// Kind is the job's name.
func (link) Kind() string { return "bench.link" }

// jobs measures, beside few and many jobs that are scheduled for later, from the commit that queues the first of five
// jobs, each queued by the one before, to the last one's end.
func (b *bencher) jobs() error {
	d, err := db.Open(b.t.Ctx, filepath.Join(b.dir, "jobs.db"), db.Options{Holder: "bench"})
	if err != nil {
		return err
	}
	defer d.Close()
	if err := job.Migrate(b.t.Ctx, d); err != nil {
		return err
	}
	q := job.New(d, slog.New(slog.DiscardHandler))
	ended := make(chan int, 1)
	job.Register(q, func(ctx context.Context, l link) error {
		if l.Left == 0 {
			ended <- l.Run
			return nil
		}
		return d.Write(ctx, func(tx *db.Tx) error { return q.InsertTx(tx, link{Run: l.Run, Left: l.Left - 1}) })
	})
	if err := q.Start(b.t.Ctx); err != nil {
		return err
	}
	defer q.Stop(context.WithoutCancel(b.t.Ctx))
	filled := 0
	for _, rows := range []int{b.few, b.many} {
		if err := b.scheduledJobs(d, q, filled, rows); err != nil {
			return err
		}
		filled = rows
		if err := b.time("jobs", "chain of five", rows, max(1, b.n/10), func(int) error {
			return b.chain(d, q, ended)
		}); err != nil {
			return err
		}
	}
	return nil
}

// chain queues a chain and waits for its end.
func (b *bencher) chain(d *db.DB, q *job.Queue, ended <-chan int) error {
	if err := d.Write(b.t.Ctx, func(tx *db.Tx) error {
		return q.InsertTx(tx, link{Left: chainLength - 1})
	}); err != nil {
		return err
	}
	select {
	case <-ended:
		return nil
	case <-b.t.Ctx.Done():
		return b.t.Ctx.Err()
	}
}

// scheduledJobs brings the number of jobs that wait for a later time to rows.
func (b *bencher) scheduledJobs(d *db.DB, q *job.Queue, filled, rows int) error {
	return b.inBatches("Scheduled jobs", filled, rows, func(ctx context.Context, from, to int) error {
		return d.Write(ctx, func(tx *db.Tx) error {
			for range to - from {
				if err := q.InsertTx(tx, link{}, job.At(tx.Now.Add(24*time.Hour))); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
