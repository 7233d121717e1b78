package export

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"sync"
)

// The bounds of a batch: one read transaction, and one piece in memory.
const (
	batchRows  = 1000
	batchBytes = 4 << 20 // of text; a single row may be more
)

// piece is a batch on its way from the reader to the writer.
type piece[R any] struct {
	rows  []R
	ready chan []byte
}

// pump reads batches, turns them into bytes beside that, and writes them in order. next gives the next batch, and nothing at
// the end; encode may run for several batches at once. A few batches are in memory at a time, however slow w is.
func pump[R any](ctx context.Context, w io.Writer, wrote func() error, next func(ctx context.Context) ([]R, error), encode func(*bytes.Buffer, []R)) (written int, err error) {
	asked := ctx
	ctx, stop := context.WithCancel(ctx)
	workers := min(2, runtime.GOMAXPROCS(0))
	work, order := make(chan *piece[R]), make(chan *piece[R], workers)
	var failed error // of the reader, read after order is closed
	var running sync.WaitGroup
	running.Go(func() {
		defer close(order)
		defer close(work)
		for {
			rows, err := next(ctx)
			if err != nil || len(rows) == 0 {
				failed = err
				return
			}
			p := &piece[R]{rows: rows, ready: make(chan []byte, 1)}
			select {
			case order <- p:
			case <-ctx.Done():
				failed = ctx.Err()
				return
			}
			select {
			case work <- p:
			case <-ctx.Done():
				failed = ctx.Err()
				p.ready <- nil
				return
			}
		}
	})
	for range workers {
		running.Go(func() {
			for p := range work {
				var b bytes.Buffer
				encode(&b, p.rows)
				p.ready <- b.Bytes()
			}
		})
	}
	defer running.Wait()
	defer stop()
	for p := range order {
		b := <-p.ready
		if err := ctx.Err(); err != nil {
			return written, err
		}
		if _, err := w.Write(b); err != nil {
			return written, err
		}
		if wrote != nil {
			if err := wrote(); err != nil {
				return written, err
			}
		}
		written += len(p.rows)
	}
	if err := asked.Err(); err != nil {
		return written, err // what a cancelled statement says of it differs
	}
	return written, failed
}
