// Package background runs what a request began and a browser need not wait for: imports, which go on when it leaves.
//
// The server ends them when it stops, and waits for their end. How far one is stands in memory, for the pages that show it;
// how it went is for the domain to keep.
package background

import (
	"context"
	"sync"

	"github.com/labstack/echo/v4"
)

// Work is everything that runs beside requests.
type Work struct {
	stopping <-chan struct{}
	running  sync.WaitGroup
}

// New gives work that is told to end when stopping is closed.
func New(stopping <-chan struct{}) *Work { return &Work{stopping: stopping} }

// Go runs f beside the request.
func (w *Work) Go(c echo.Context, f func(ctx context.Context)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.Request().Context()))
	go func() {
		select {
		case <-w.stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	w.running.Go(func() {
		defer cancel()
		f(ctx)
	})
}

// Wait returns when nothing runs any more; the server calls it after it stopped.
func (w *Work) Wait() { w.running.Wait() }

// Run is the one run of its kind: how far it is, or how far it came.
type Run[T any] struct {
	mu  sync.Mutex
	run *T
}

// Begin takes the place of the run before, unless busy says why not.
func (r *Run[T]) Begin(run T, busy func(before T) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run != nil {
		if err := busy(*r.run); err != nil {
			return err
		}
	}
	r.run = &run
	return nil
}

// Update notes how far it is.
func (r *Run[T]) Update(f func(run *T)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(r.run)
}

// End forgets the run.
func (r *Run[T]) End() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run = nil
}

// Last is a copy of the run; nil when there is none.
func (r *Run[T]) Last() *T {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil {
		return nil
	}
	run := *r.run
	return &run
}
