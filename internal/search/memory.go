package search

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"preceptor/internal/db"
)

// Memory is the Index that keeps the vectors in memory. Everything else, the writes included, is Tables'.
type Memory struct {
	*Tables
	scans  chan struct{} // as many as there are processors: more at once would only wait for each other
	few    int           // fewEntries, but in a test
	common commonWords

	follow sync.Mutex   // held by whoever brings held up to date
	mu     sync.RWMutex // guards held
	held   *held        // nil before the first question
}

// NewMemory returns the index on d. It is read at the first question, or by Warm.
func NewMemory(d *db.DB) *Memory {
	return &Memory{Tables: New(d), scans: make(chan struct{}, runtime.GOMAXPROCS(0)), few: fewEntries}
}

var _ Index = (*Memory)(nil)

// shelfKey says what a shelf is of.
type shelfKey struct{ kind, agent, task string }

// place is where an entry stands.
type place struct {
	key shelfKey
	row int
}

// held is what stands in memory: the active entries with a vector of model, as the tables had them after change seq.
type held struct {
	model   string
	dims    int
	seq     int64
	turn    *rotation
	shelves map[shelfKey]*shelf
	places  map[int64]place // by entry
}

func newHeld(s stamp) *held {
	return &held{model: s.model, dims: s.dims, seq: s.seq, turn: newRotation(s.dims), shelves: map[shelfKey]*shelf{}, places: map[int64]place{}}
}

// put adds an entry, or puts it where it belongs now.
func (h *held) put(e stored, groups []byte, t trust) {
	h.drop(e.entry)
	s := h.shelves[e.key]
	if s == nil {
		s = newShelf(h.dims)
		h.shelves[e.key] = s
	}
	h.places[e.entry] = place{e.key, s.add(e.entry, e.id, e.vector, groups, t)}
}

func (h *held) drop(entry int64) {
	p, ok := h.places[entry]
	if !ok {
		return
	}
	s := h.shelves[p.key]
	if moved := s.remove(p.row); moved != 0 {
		h.places[moved] = p
	}
	delete(h.places, entry)
	if s.rows == 0 {
		delete(h.shelves, p.key)
	}
}

// vector is the entry's, nil when it is not held.
func (h *held) vector(entry int64) []float32 {
	p, ok := h.places[entry]
	if !ok {
		return nil
	}
	return h.shelves[p.key].vector(p.row)
}

func (k shelfKey) passes(f Filter) bool {
	return (f.Kind == "" || f.Kind == k.kind) && (f.Task == "" || f.Task == k.task) && (f.AgentID == AnyAgent || k.agent == "" || k.agent == f.AgentID)
}

// nearest asks the shelves that the filter lets through, the longest first, so that the limit is soon a high one.
func (h *held) nearest(q []float32, f Filter, n int) []Hit {
	type named struct {
		*shelf
		kind string
	}
	var asked []named
	for key, s := range h.shelves {
		if key.passes(f) {
			asked = append(asked, named{s, key.kind})
		}
	}
	slices.SortFunc(asked, func(a, b named) int { return cmp.Compare(b.rows, a.rows) })
	a := newCoder(h.turn).ready(scaled(q))
	kinds := map[string]*best{}
	for _, s := range asked {
		b := kinds[s.kind]
		if b == nil {
			b = &best{n: n}
			kinds[s.kind] = b
		}
		s.scan(a, b)
	}
	var hits []Hit
	for kind, b := range kinds {
		for _, x := range b.list {
			hits = append(hits, Hit{Kind: kind, ID: x.id, Score: float64(x.cosine)})
		}
	}
	slices.SortFunc(hits, func(x, y Hit) int { return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.ID, y.ID)) })
	return hits[:min(n, len(hits))]
}

// Nearest implements Index. Whoever finds the memory behind the tables brings it up to date first; while it is being read for the
// first time, the others are answered by the vector table.
func (m *Memory) Nearest(ctx context.Context, model string, vector []float32, f Filter, n int) ([]Hit, error) {
	if err := checkVector(vector); err != nil {
		return nil, err
	}
	if n <= 0 {
		return nil, nil
	}
	ready, err := m.current(ctx, false)
	if err != nil {
		return nil, err
	}
	if !ready {
		return m.Tables.Nearest(ctx, model, vector, f, n)
	}
	select {
	case m.scans <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-m.scans }()
	m.mu.RLock()
	defer m.mu.RUnlock()
	if h := m.held; h.model == model && h.dims == len(vector) {
		return h.nearest(vector, f, min(n, maxNeighbours)), nil
	}
	return nil, nil
}

// Warm reads the vectors, so that the first question does not have to.
func (m *Memory) Warm(ctx context.Context) error {
	_, err := m.current(ctx, true)
	return err
}
