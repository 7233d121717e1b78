package feedback

import (
	"fmt"
	"sync"
	"time"

	"preceptor/internal/fault"
)

// Pace is how often something may happen: Burst times at once, and once more after each Every.
type Pace struct {
	Burst int
	Every time.Duration
}

// refill is how long an unused pace takes to be whole again.
func (p Pace) refill() time.Duration { return time.Duration(p.Burst) * p.Every }

// Brake holds up who comes too often, by a key: a link, an address, a person. It forgets with the process, which is well: it
// protects a machine from a flood and counts nothing that anybody relies on.
type Brake struct {
	now  func() time.Time
	most int // keys that are told apart; the rest share one

	mu    sync.Mutex
	until map[string]time.Time // when the key's pace will be whole again
}

// mostKeys bounds what a brake remembers: some megabytes.
const mostKeys = 50_000

// others is the key of all who come when the brake's memory is full of those who came too often already.
const others = "others"

// NewBrake makes a brake on a clock.
func NewBrake(now func() time.Time) *Brake {
	return &Brake{now: now, most: mostKeys, until: map[string]time.Time{}}
}

// Take counts one under key. Limited, with the time to wait, when the pace is used up; what is refused does not count.
func (b *Brake) Take(key string, p Pace) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if _, known := b.until[key]; !known && len(b.until) >= b.most {
		b.sweep(now)
		if len(b.until) >= b.most {
			key = others
		}
	}
	whole := b.until[key]
	if whole.Before(now) {
		whole = now
	}
	whole = whole.Add(p.Every)
	if over := whole.Sub(now) - p.refill(); over > 0 {
		f := fault.New(fault.Limited, "That was too often. Wait %s and try again.", wait(over))
		f.RetryAfter = over
		return f
	}
	b.until[key] = whole
	return nil
}

// sweep forgets whose pace is whole.
func (b *Brake) sweep(now time.Time) {
	for k, t := range b.until {
		if !now.Before(t) {
			delete(b.until, k)
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
