package job_test

import (
	"context"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

func TestParkedJobsOfAKindRunAgainTogether(t *testing.T) {
	b := open(t)
	broken := true
	job.Register(b.Queue, func(context.Context, note) error {
		if broken {
			return fault.New(fault.Invalid, "The model's address is wrong.")
		}
		return nil
	})
	for _, n := range []string{"a", "b", "c"} {
		b.insert(t, note{n})
	}
	b.drain(t)
	list, err := b.Parked(ctx)
	if err != nil || len(list) != 1 || list[0] != (job.KindCount{Kind: "test.note", N: 3}) {
		t.Fatalf("%v, %v", list, err)
	}
	broken = false
	var other, n int
	if err := b.d.Write(ctx, func(tx *db.Tx) (err error) {
		if other, err = b.RetryKindTx(tx, "test.other"); err != nil {
			return err
		}
		n, err = b.RetryKindTx(tx, "test.note")
		return err
	}); err != nil || n != 3 || other != 0 {
		t.Fatal(n, other, err)
	}
	b.drain(t)
	if done := b.list(t, job.Filter{State: job.Done}); len(done) != 3 {
		t.Errorf("%d done", len(done))
	}
}
