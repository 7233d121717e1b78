package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// The people of the mixed load. Readers look at the queue and at cases; reviewers approve, one case after another;
// agents submit. All of them pause as people and agents do, else the load would be whatever the machine can take.
const (
	readers     = 20
	reviewers   = 5
	readPause   = 500 * time.Millisecond
	reviewPause = 400 * time.Millisecond
	agentPause  = 100 * time.Millisecond
)

// load measures the queue page and approving while nothing else happens, and while twenty people read, five decide, an
// agent submits, and an export and a backup run. The first size of its ratio is 1 browser, the second all of them.
func (b *bencher) load() error {
	return b.serving("load.db", func(d *deskBench) error {
		if err := d.filler.fill(b, d.a.Interactions, d.a.DB, 0, b.many); err != nil {
			return err
		}
		if err := d.quiet(); err != nil {
			return err
		}
		idle := &crowd{d: d}
		if err := d.time("load", "queue page", 1, d.n, d.get(func(int) string { return "/reviews" })); err != nil {
			return err
		}
		if err := idle.one(d.ctx, d.web, d.n/2); err != nil {
			return err
		}
		d.keep("load", "approve", 1, idle.approve, 0)
		busy := &crowd{d: d}
		if err := busy.gather(); err != nil {
			return err
		}
		d.keep("load", "queue page", len(busy.webs), busy.read, 0)
		d.keep("load", "approve", len(busy.webs), busy.approve, 0)
		d.keep("load", "submit", len(busy.webs), busy.submit, 0)
		return nil
	})
}

// crowd is people at work at the same time, and how long each of them waited.
type crowd struct {
	d    *deskBench
	webs []*benchBrowser

	mu                    sync.Mutex
	read, approve, submit []time.Duration
}

func (c *crowd) note(into *[]time.Duration, began time.Time) {
	took := time.Since(began)
	c.mu.Lock()
	defer c.mu.Unlock()
	*into = append(*into, took)
}

// gather has everybody come and work until each reader has read as often as things are timed.
func (c *crowd) gather() error {
	for i := range readers + reviewers {
		_, web, err := c.d.supervisor(fmt.Sprintf("Bench %d", i+1))
		if err != nil {
			return err
		}
		c.webs = append(c.webs, web)
	}
	ctx, stop := context.WithCancel(c.d.ctx)
	defer stop()
	var beside, reading sync.WaitGroup
	errs := make(chan error, len(c.webs)+3)
	until := func(wg *sync.WaitGroup, f func() error) {
		wg.Go(func() {
			if err := f(); err != nil && ctx.Err() == nil {
				errs <- err
			}
		})
	}
	for _, web := range c.webs[readers:] {
		until(&beside, func() error { return c.one(ctx, web, -1) })
	}
	until(&beside, func() error { return c.agent(ctx) })
	until(&beside, func() error { return c.copies(ctx) })
	for i, web := range c.webs[:readers] {
		until(&reading, func() error { return c.reader(ctx, web, i) })
	}
	reading.Wait()
	stop()
	beside.Wait()
	close(errs)
	var all []error
	for err := range errs {
		all = append(all, err)
	}
	return errors.Join(all...)
}

func (c *crowd) reader(ctx context.Context, web *benchBrowser, offset int) error {
	if err := pause(ctx, readPause*time.Duration(offset)/readers); err != nil {
		return err
	}
	for range max(5, c.d.n/10) {
		began := time.Now()
		if _, err := web.page(ctx, "/reviews"); err != nil {
			return err
		}
		c.note(&c.read, began)
		if err := pause(ctx, readPause); err != nil {
			return err
		}
	}
	return nil
}

// one person decides n cases of the queue, or as many as there is time for.
func (c *crowd) one(ctx context.Context, web *benchBrowser, n int) error {
	start := url.Values{"filter": {"task=" + plainTask}}
	to, err := web.send(ctx, "/reviews/next", start)
	for i := 0; err == nil && i != n; i++ {
		var page string
		if page, err = web.page(ctx, to); err != nil {
			break
		}
		fields, ok := form(page, caseOf(to)+"/approve")
		if !ok { // the queue itself: nothing of this kind is left
			break
		}
		fields.Set("seconds", "60")
		began := time.Now()
		to, err = web.send(ctx, caseOf(to)+"/approve", fields)
		if lost(err) {
			to, err = web.send(ctx, "/reviews/next", start)
			continue
		}
		c.note(&c.approve, began)
		if n < 0 && err == nil {
			err = pause(ctx, reviewPause)
		}
	}
	return err
}

func (c *crowd) agent(ctx context.Context) error {
	for i := 0; ; i++ {
		began := time.Now()
		if err := c.d.submit(i); err != nil {
			return err
		}
		c.note(&c.submit, began)
		if err := pause(ctx, agentPause); err != nil {
			return nil
		}
	}
}

// copies makes one backup after another.
func (c *crowd) copies(ctx context.Context) error {
	web := c.webs[len(c.webs)-1]
	for ctx.Err() == nil {
		if _, err := web.download(ctx, http.MethodPost, "/admin/backup"); err != nil {
			return err
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
