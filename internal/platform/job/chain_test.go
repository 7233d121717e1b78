package job_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/job"
)

// link is one job of a chain, which queues the next when Left is above zero.
type link struct {
	Left int `json:"left"`
}

func (link) Kind() string { return "test.link" }

// chain has n jobs run of which each queues the next in a transaction of its own, as the learning path does, and takes
// the time from the commit that queues the first to the end of the last.
func chain(tb testing.TB, d *db.DB, n int) time.Duration {
	tb.Helper()
	q := job.New(d, slog.New(slog.DiscardHandler))
	done := make(chan struct{})
	job.Register(q, func(ctx context.Context, l link) error {
		if l.Left == 0 {
			close(done)
			return nil
		}
		return d.Write(ctx, func(tx *db.Tx) error { return q.InsertTx(tx, link{l.Left - 1}) })
	})
	if err := q.Start(ctx); err != nil {
		tb.Fatal(err)
	}
	defer q.Stop(ctx)
	began := time.Now()
	if err := d.Write(ctx, func(tx *db.Tx) error { return q.InsertTx(tx, link{n - 1}) }); err != nil {
		tb.Fatal(err)
	}
	<-done
	return time.Since(began)
}

func TestAStartedQueueFollowsAChain(t *testing.T) {
	t.Logf("five jobs: %v; the desk promises a second at most", chain(t, dbtest.New(t), 5))
}

// BenchmarkChainOfFive is the latency of the learning path's skeleton.
func BenchmarkChainOfFive(b *testing.B) {
	d := dbtest.New(b)
	var sum time.Duration
	for b.Loop() {
		sum += chain(b, d, 5)
	}
	b.ReportMetric(float64(sum.Milliseconds())/float64(b.N), "ms/chain")
}
