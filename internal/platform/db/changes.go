package db

import (
	"slices"
	"sync"
	"time"
)

// changes tells who listens which topics were touched by a commit, of this process or of another server (hearing).
// It carries no data: a listener
// reads the database again. A slow listener loses repeats, never the last word.
type changes struct {
	mu     sync.Mutex
	next   int
	subs   map[int]chan string
	last   map[string]time.Time
	closed bool
}

// Subscribe returns a channel of touched topics and a function that ends the subscription. The channel is closed when
// the database closes.
func (d *DB) Subscribe() (<-chan string, func()) {
	d.Hear()
	c := &d.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan string, 64)
	if c.closed {
		close(ch)
		return ch, func() {}
	}
	if c.subs == nil {
		c.subs = map[int]chan string{}
	}
	key := c.next
	c.next++
	c.subs[key] = ch
	return ch, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.subs, key)
	}
}

// Touched is when topic was last touched by a commit of this process; the zero time when it was not.
func (d *DB) Touched(topic string) time.Time {
	c := &d.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last[topic]
}

func (c *changes) publish(topics []string, now time.Time) {
	if len(topics) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil {
		c.last = map[string]time.Time{}
	}
	seen := map[string]bool{}
	for _, t := range topics {
		if seen[t] {
			continue
		}
		seen[t] = true
		c.last[t] = now
		for _, ch := range c.subs {
			select {
			case ch <- t:
			default:
				squeeze(ch, t)
			}
		}
	}
}

// squeeze makes room in a full channel by dropping repeats, so that no topic is lost: there are far fewer topics than
// places.
func squeeze(ch chan string, t string) {
	distinct := []string{t}
	for more := true; more; {
		select {
		case old := <-ch:
			if !slices.Contains(distinct, old) {
				distinct = append(distinct, old)
			}
		default:
			more = false
		}
	}
	for _, t := range distinct {
		select {
		case ch <- t:
		default:
		}
	}
}

func (c *changes) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for k, ch := range c.subs {
		close(ch)
		delete(c.subs, k)
	}
}
