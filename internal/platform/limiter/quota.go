package limiter

import (
	"context"
	"sync"
	"time"

	"preceptor/internal/platform/fault"
)

// What one key may send, in kilobytes. A call is large beyond largeCall bytes, and large ones have a quarter of a
// door's places.
var bytesPace = Pace{Burst: 64 << 10, Every: 250 * time.Microsecond} // 64 MB at once, then 4 MB a second

const (
	largeCall  = 64 << 10
	placeWait  = 5 * time.Second // for a place to become free
	placeAgain = time.Second     // what who got none is told
)

// Quota bounds what each key takes of the program: calls, bytes, and calls under way.
type Quota struct {
	limits *Limiter
	calls  Pace

	mu      sync.Mutex
	places  map[string]chan struct{}
	refused map[string]Refused
}

// Refused is how often a key was refused since the start, and when and why last.
type Refused struct {
	Times int
	At    time.Time
	Why   string
}

// NewQuota allows each key perSecond calls a second, and ten times as many at once after a pause. It counts on the
// machine's clock, which nobody sets back.
func NewQuota(perSecond int, all Shared) *Quota {
	return &Quota{limits: New(time.Now, all),
		calls:  Pace{Burst: 10 * perSecond, Every: time.Second / time.Duration(perSecond)},
		places: map[string]chan struct{}{}, refused: map[string]Refused{}}
}

// Call counts one call of key.
func (q *Quota) Call(key string) error {
	return q.note(key, "too many requests", q.limits.Take(key, q.calls))
}

// Enter counts bytes that key sends to a door and takes one of the door's places for it, and one of those of large
// calls; it waits a little for them. leave gives them back.
func (q *Quota) Enter(ctx context.Context, key, door string, places int, bytes int64) (leave func(), err error) {
	if err := q.note(key, "too much data", q.limits.spend(key+" bytes", bytesPace, int(bytes>>10))); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, placeWait)
	defer cancel()
	taken := []chan struct{}{q.placesOf(key+" "+door, places)}
	if bytes > largeCall {
		taken = append(taken, q.placesOf(key+" "+door+" large", max(1, places/4)))
	}
	for i, p := range taken {
		select {
		case p <- struct{}{}:
		case <-ctx.Done():
			free(taken[:i])
			f := fault.New(fault.Limited, "Too many requests with this token are still running. Send fewer at a time.")
			f.RetryAfter = placeAgain
			return nil, q.note(key, "too many at a time", f)
		}
	}
	return func() { free(taken) }, nil
}

func free(places []chan struct{}) {
	for _, p := range places {
		<-p
	}
}

func (q *Quota) placesOf(name string, n int) chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.places[name] == nil {
		q.places[name] = make(chan struct{}, n)
	}
	return q.places[name]
}

func (q *Quota) note(key, why string, err error) error {
	if err == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.refused[key] = Refused{q.refused[key].Times + 1, time.Now(), why}
	return err
}

// Refused is what of key was refused.
func (q *Quota) Refused(key string) Refused {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.refused[key]
}
