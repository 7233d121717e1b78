package sentence

import (
	"hash/maphash"
	"slices"
	"sync"
)

// memory keeps what the network made of the pieces that it read last: 4 MB at most. A draft that is edited is read again only where it
// changed, and a question that is asked of several parts of the program is read once.
type memory struct {
	mu   sync.Mutex
	seed maphash.Seed
	kept map[uint64]read
	ring [2048]uint64
	next int
}

type read struct {
	meaning []float32
	weight  float64
}

var lately = memory{seed: maphash.MakeSeed(), kept: map[uint64]read{}}

// of is what the network, ask, makes of these pieces; the caller may change it.
func (m *memory) of(ids []int32, ask func([]int32) ([]float32, float64)) ([]float32, float64) {
	var h maphash.Hash
	h.SetSeed(m.seed)
	for _, id := range ids {
		maphash.WriteComparable(&h, id)
	}
	key := h.Sum64()
	m.mu.Lock()
	r, known := m.kept[key]
	m.mu.Unlock()
	if !known {
		r.meaning, r.weight = ask(ids)
		m.keep(key, r)
	}
	return slices.Clone(r.meaning), r.weight
}

func (m *memory) keep(key uint64, r read) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.kept[key]; known { // by another, meanwhile
		return
	}
	delete(m.kept, m.ring[m.next])
	m.ring[m.next], m.kept[key] = key, r
	m.next = (m.next + 1) % len(m.ring)
}
