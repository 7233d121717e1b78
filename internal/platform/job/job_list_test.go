package job_test

import (
	"context"
	"testing"
	"time"

	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

// What lags: a job that failed and will be tried again, one that is parked, and how long the one that is due has
// waited.
func TestWhatIsBehind(t *testing.T) {
	b := open(t)
	job.Register(b.Queue, func(_ context.Context, n note) error {
		return map[string]error{"later": fault.New(fault.Unavailable, "The server is down."),
			"never": fault.New(fault.Invalid, "It is wrong.")}[n.ID]
	})
	behind := func(failing int, since time.Time) {
		t.Helper()
		if n, at, err := b.Behind(ctx); err != nil || n != failing || !at.Equal(since) {
			t.Errorf("%d failing, due since %s, %v; want %d, %s", n, at, err, failing, since)
		}
	}
	behind(0, time.Time{})
	for _, n := range []string{"later", "never", "done"} {
		b.insert(t, note{n})
	}
	behind(0, dbtest.Start)
	b.drain(t)
	_, due, _ := b.Behind(ctx) // tried again in a second, and so as good as due
	behind(2, due)
	b.insert(t, note{"tomorrow"}, job.At(b.clock.Now().Add(24*time.Hour)))
	behind(2, due)
}
