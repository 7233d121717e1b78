package delivery

import (
	"math/rand/v2"
	"time"
)

// delays are the specification's: attempt n comes delays[n] after attempt n-1 ended.
var delays = [...]time.Duration{
	0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

const maxWait = 24 * time.Hour // what a receiver may ask for

// Attempts is how often an event is tried before it is dead.
const Attempts = len(delays)

// jitter is up to a twentieth on top, so that what failed together does not come back together. It never shortens a
// wait.
func jitter(d time.Duration) time.Duration { return d + rand.N(d/20+1) }

// nextAt is when to try again after failed attempts, the last of which ended now. asked is what the receiver said.
func nextAt(now time.Time, failed int, asked time.Duration) time.Time {
	return now.Add(max(jitter(delays[failed]), asked))
}
