// Package limiter holds up who comes too often, by a key: a link, an address, a person. It forgets with the process,
// which is well: it protects a machine from a flood and counts nothing that anybody relies on. Where several servers
// work one database, a pace is that of all of them; what may be under way at a time is each one's, whose memory it
// bounds.
package limiter

import (
	"fmt"
	"sync"
	"time"

	"preceptor/internal/platform/fault"
)

// Pace is how often something may happen: Burst times at once, and once more after each Every.
type Pace struct {
	Burst int
	Every time.Duration
}

// refill is how long an unused pace takes to be whole again.
func (p Pace) refill() time.Duration { return time.Duration(p.Burst) * p.Every }

// Shared counts what costs so much of the most that a key may have spent, for all servers; over is how long it asks to
// wait. Not ok where this process is alone, or the others can't be asked.
type Shared func(key string, now time.Time, cost, most time.Duration) (over time.Duration, ok bool)

// Limiter counts by key.
type Limiter struct {
	now  func() time.Time
	all  Shared
	most int // keys that are told apart; the rest share one

	mu    sync.Mutex
	until map[string]time.Time // when the key's pace will be whole again
}

// mostKeys bounds what a limiter remembers: some megabytes.
const mostKeys = 50_000

// others is the key of all who come when the limiter's memory is full of those who came too often already.
const others = "others"

// New makes one on a clock.
func New(now func() time.Time, all Shared) *Limiter {
	return &Limiter{now: now, all: all, most: mostKeys, until: map[string]time.Time{}}
}

// Take counts one under key. Limited, with the time to wait, when the pace is used up; what is refused does not count.
func (l *Limiter) Take(key string, p Pace) error { return l.spend(key, p, 1) }

// spend counts n. A clock that was set back makes nobody wait longer than a whole pace takes.
func (l *Limiter) spend(key string, p Pace, n int) error {
	now, cost := l.now(), time.Duration(n)*p.Every
	var over time.Duration
	ok := false
	if l.all != nil {
		over, ok = l.all(key, now, cost, p.refill())
	}
	if !ok {
		over = l.alone(key, now, cost, p)
	}
	if over <= 0 {
		return nil
	}
	f := fault.New(fault.Limited, "Too many requests. Wait %s and try again.", wait(over))
	f.RetryAfter = over
	return f
}

// alone is spend for a process that is alone: how long to wait, and then nothing is counted.
func (l *Limiter) alone(key string, now time.Time, cost time.Duration, p Pace) (over time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.until[key]; !known && len(l.until) >= l.most {
		l.sweep(now)
		if len(l.until) >= l.most {
			key = others
		}
	}
	whole := l.until[key]
	if whole.Before(now) {
		whole = now
	}
	if latest := now.Add(p.refill()); whole.After(latest) {
		whole, l.until[key] = latest, latest
	}
	whole = whole.Add(cost)
	if over := whole.Sub(now) - p.refill(); over > 0 {
		return over
	}
	l.until[key] = whole
	return 0
}

// sweep forgets whose pace is whole.
func (l *Limiter) sweep(now time.Time) {
	for k, t := range l.until {
		if !now.Before(t) {
			delete(l.until, k)
		}
	}
}

// wait is a time to wait, rounded up, as one says it.
func wait(d time.Duration) string {
	n, unit := int((d+time.Second-1)/time.Second), "second"
	if d > 90*time.Second {
		n, unit = int((d+time.Minute-1)/time.Minute), "minute"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
