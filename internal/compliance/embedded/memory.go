package embedded

import (
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/lexicon"
)

// evidence is what a text showed: the features of its sentences.
type evidence struct {
	vectors [][]Feature // by sentence
	rest    []float64   // what the whole text shows beside its sentences
}

// memory lets the judges of a panel share the evidence on a text: each is asked by itself, and reading is most of the work. It
// holds the last few, so that its size is bounded.
type memory struct {
	mu   sync.Mutex
	next int
	last [8]struct {
		key *lexicon.Reading
		e   *evidence
	}
}

func (m *memory) read(s *compliance.Subject) *evidence {
	key := s.Reading()
	m.mu.Lock()
	for _, one := range m.last {
		if one.key == key {
			m.mu.Unlock()
			return one.e
		}
	}
	m.mu.Unlock()
	e := &evidence{Vectors(s), Rest(s)}
	m.mu.Lock()
	m.last[m.next].key, m.last[m.next].e = key, e
	m.next = (m.next + 1) % len(m.last)
	m.mu.Unlock()
	return e
}
