package feedback

import (
	"sync"
	"time"
)

// cache keeps answers of Examples for a while. An answer that was read before a change and comes in after it is
// refused: reading takes a generation before it looks, and drop begins another.
type cache struct {
	ttl time.Duration

	mu         sync.Mutex
	generation int
	kept       map[Ask]cached
}

type cached struct {
	list  []Exemplar
	until time.Time
}

// maxCached bounds the cache; a full one is emptied.
const maxCached = 1_000

func newCache(ttl time.Duration) *cache { return &cache{ttl: ttl, kept: map[Ask]cached{}} }

// get gives what is kept for a, and the generation under which to put what is read instead.
func (c *cache) get(a Ask, now time.Time) (list []Exemplar, generation int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kept[a]
	return k.list, c.generation, ok && now.Before(k.until)
}

func (c *cache) put(a Ask, generation int, list []Exemplar, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ttl < 0 || generation != c.generation {
		return
	}
	if len(c.kept) >= maxCached {
		clear(c.kept)
	}
	c.kept[a] = cached{list, now.Add(c.ttl)}
}

// drop forgets everything.
func (c *cache) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	clear(c.kept)
}
