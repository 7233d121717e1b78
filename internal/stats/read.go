package stats

import (
	"context"
	"runtime"
	"time"

	"preceptor/internal/platform/db"
)

// turns are how many figures may be read at once: one fewer than there are processors. Reading them is work of
// milliseconds to tens of them, and when it has all processors a vote waits for one after each of its writes to the
// disk.
func turns() chan struct{} { return make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)) }

// read runs f in a read transaction, of a replica where there is one, with all counted that is due, when it is its
// turn; who came first is first. A page of several parts waits for each, so that many short pages are not kept waiting
// by a long one. f must not read by itself: it would wait for its own turn.
func (r *Reader) read(ctx context.Context, f func(tx *db.Tx) error) error {
	if err := r.sums.CatchUp(ctx); err != nil {
		return err
	}
	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-ctx.Done():
		return db.Classify(ctx.Err())
	}
	return r.db.ReadBehind(ctx, f)
}

// Behind is how far what is read now is behind what people do.
func (r *Reader) Behind(ctx context.Context) time.Duration { return r.db.Behind(ctx) }
