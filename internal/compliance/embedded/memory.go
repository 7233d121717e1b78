package embedded

import (
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/lexicon"
)

// memory lets the judges of a panel share the evidence on a text: each is asked by itself, and reading is most of the work. It
// holds the last few, so that its size is bounded.
type memory struct {
	mu   sync.Mutex
	next int
	last [8]struct {
		key    *lexicon.Reading
		e      *Evidence
		scores Scores
	}
}

func (m *memory) read(s *compliance.Subject, w *Weights) (*Evidence, Scores) {
	key := s.Reading()
	m.mu.Lock()
	for _, one := range m.last {
		if one.key == key {
			m.mu.Unlock()
			return one.e, one.scores
		}
	}
	m.mu.Unlock()
	e := Gather(s)
	scores := w.Read(e)
	m.mu.Lock()
	l := &m.last[m.next]
	l.key, l.e, l.scores = key, e, scores
	m.next = (m.next + 1) % len(m.last)
	m.mu.Unlock()
	return e, scores
}
