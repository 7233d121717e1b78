package guest

import "sync"

// streams counts who follows their conversations, by where they come from and what they follow.
type streams struct {
	mu    sync.Mutex
	all   int
	taken map[string]int
}

// take makes room for one more under each of the keys, until leave is called; not ok where there is none.
func (s *streams) take(keys ...string) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range keys {
		if s.taken[k] >= mostOfOne {
			return nil, false
		}
	}
	if s.all >= mostStreams {
		return nil, false
	}
	if s.taken == nil {
		s.taken = map[string]int{}
	}
	s.all++
	for _, k := range keys {
		s.taken[k]++
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all--
		for _, k := range keys {
			if s.taken[k]--; s.taken[k] == 0 {
				delete(s.taken, k)
			}
		}
	}, true
}
