package embedded

import (
	"slices"
	"strings"
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/phrase"
)

// memory lets the judges of a panel share the evidence on a text: each is asked by itself, and reading is most of the work. It
// holds the last few, so that its size is bounded.
type memory struct {
	mu   sync.Mutex
	next int
	last [8]struct {
		key    *phrase.Reading
		e      *Evidence
		scores Scores
	}
}

// vectorRooms is room for the vectors of one text, used again.
var vectorRooms = sync.Pool{New: func() any { return new([]Feature) }}

func (m *memory) read(s *compliance.Subject, w *Weights) (*Evidence, Scores) {
	key := s.Reading()
	m.mu.Lock()
	for i := range m.last {
		if one := &m.last[i]; one.key == key {
			e, scores := one.e, one.scores
			m.mu.Unlock()
			return e, scores
		}
	}
	m.mu.Unlock()
	room := vectorRooms.Get().(*[]Feature)
	e := gather(s, room)
	scores := w.Read(e)
	list := listOfSources(key.Text)
	for i := range scores.Steers {
		if key.Sentences[i].Start >= list {
			scores.Steers[i] = append([]float64{1}, make([]float64, len(Classes)-1)...)
		}
	}
	kept := make([][]Feature, len(e.Vectors)) // of those that are looked up; the next text's need the room of the others
	for _, i := range steepest(scores.Steers) {
		kept[i] = slices.Clone(e.Vectors[i])
	}
	e.Vectors, *room = kept, (*room)[:0]
	vectorRooms.Put(room)
	m.mu.Lock()
	l := &m.last[m.next]
	l.key, l.e, l.scores = key, e, scores
	m.next = (m.next + 1) % len(m.last)
	m.mu.Unlock()
	return e, scores
}

// listOfSources is where a draft's list of its sources begins: titles, which say nothing to the customer.
func listOfSources(text string) int {
	if i := strings.LastIndex(text, "\nSources:\n["); i >= 0 {
		return i + 1
	}
	return len(text)
}
