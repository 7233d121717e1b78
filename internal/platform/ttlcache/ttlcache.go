// Package ttlcache keeps answers for a while. An answer that was read before a change and comes in after it is refused:
// reading takes a generation before it looks, and Drop begins another.
package ttlcache

import (
	"sync"
	"time"
)

// Cache is safe for concurrent use.
type Cache[K comparable, V any] struct {
	ttl time.Duration

	mu         sync.Mutex
	generation int
	kept       map[K]entry[V]
}

type entry[V any] struct {
	value V
	until time.Time
}

// most bounds a cache; a full one is emptied.
const most = 1_000

// New makes one that keeps answers so long; below zero it keeps none.
func New[K comparable, V any](ttl time.Duration) *Cache[K, V] {
	return &Cache[K, V]{ttl: ttl, kept: map[K]entry[V]{}}
}

// Get gives what is kept for k, and the generation under which to put what is read instead.
func (c *Cache[K, V]) Get(k K, now time.Time) (value V, generation int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.kept[k]
	return e.value, c.generation, ok && now.Before(e.until)
}

// Put keeps what was read for k since Get gave the generation, unless Drop was called since.
func (c *Cache[K, V]) Put(k K, generation int, value V, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ttl < 0 || generation != c.generation {
		return
	}
	if len(c.kept) >= most {
		clear(c.kept)
	}
	c.kept[k] = entry[V]{value, now.Add(c.ttl)}
}

// Drop forgets everything.
func (c *Cache[K, V]) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	clear(c.kept)
}
