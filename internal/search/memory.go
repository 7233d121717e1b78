package search

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/gonum"

	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
)

// blas multiplies by processors' own instructions.
var blas gonum.Implementation

// Memory is the Index that keeps the vectors in memory. Everything else, the writes included, is Tables'.
type Memory struct {
	*Tables
	scans  chan struct{} // as many as there are processors: more at once would only wait for each other
	few    int           // fewEntries, but in a test
	common atomic.Pointer[commonWords]

	mu   sync.RWMutex // guards held
	held *held        // nil before the first question
}

// NewMemory returns the index on d. It is read at the first question, or by Warm.
func NewMemory(d *db.DB) *Memory {
	return &Memory{Tables: New(d), scans: make(chan struct{}, runtime.GOMAXPROCS(0)), few: fewEntries}
}

var _ Index = (*Memory)(nil)

// stored is an active entry that has a vector.
type stored struct {
	entry                 int64
	id, kind, agent, task string
}

func (e *stored) passes(f Filter) bool {
	return (f.Kind == "" || f.Kind == e.kind) && (f.Task == "" || f.Task == e.task) &&
		(f.AgentID == AnyAgent || e.agent == "" || e.agent == f.AgentID || f.Pack != "" && e.agent == SharedBy(f.Pack))
}

// held is what stands in memory: the active entries with a vector of the stamp's model, as the tables had them after
// its last change.
type held struct {
	stamp
	rows    []stored      // in no order
	vectors []float32     // of the rows, side by side: scattered, they are read several times slower
	places  map[int64]int // of each entry among the rows
}

func (h *held) vector(row int) []float32 { return h.vectors[row*h.dims : (row+1)*h.dims] }

func (h *held) put(e stored, vector []float32) {
	if n := len(h.vectors); n+h.dims > cap(h.vectors) {
		bigger := make([]float32, n, 2*(n+h.dims))
		copy(bigger, h.vectors)
		clear(h.vectors) // what is left behind tells of texts, too
		h.vectors = bigger
	}
	h.places[e.entry] = len(h.rows)
	h.rows, h.vectors = append(h.rows, e), append(h.vectors, vector...)
}

// drop forgets an entry by putting the last one in its place.
func (h *held) drop(entry int64) {
	at, ok := h.places[entry]
	if !ok {
		return
	}
	last := len(h.rows) - 1
	h.rows[at] = h.rows[last]
	copy(h.vector(at), h.vector(last))
	h.places[h.rows[at].entry] = at
	delete(h.places, entry)
	clear(h.vector(last)) // a vector tells of its text, and what is erased is gone
	h.rows, h.vectors = slices.Delete(h.rows, last, last+1), h.vectors[:last*h.dims]
}

func (h *held) nearest(q []float32, f Filter, n int) []Hit {
	q = scaled(q)
	b := best{n: n}
	for i := range h.rows {
		e := &h.rows[i]
		if !e.passes(f) {
			continue
		}
		b.offer(Hit{e.kind, e.id, float64(blas.Sdot(h.dims, h.vector(i), 1, q, 1))})
	}
	return b.hits
}

// best keeps the n best hits, in order.
type best struct {
	hits []Hit
	n    int
}

func (b *best) offer(h Hit) {
	if len(b.hits) == b.n && h.Score < b.hits[b.n-1].Score {
		return
	}
	at, _ := slices.BinarySearchFunc(b.hits, h, func(x, y Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.ID, y.ID))
	})
	b.hits = slices.Insert(b.hits, at, h)
	b.hits = b.hits[:min(b.n, len(b.hits))]
}

// Nearest implements Index. Whoever finds the memory behind the tables brings it up to date first.
func (m *Memory) Nearest(ctx context.Context, model string, vector []float32, f Filter, n int) ([]Hit, error) {
	if err := checkVector(vector); err != nil {
		return nil, err
	}
	if n <= 0 {
		return nil, nil
	}
	if err := m.Warm(ctx); err != nil {
		return nil, err
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

// Warm brings the memory to what is committed, or later, so that the next question does not have to. Who waits for
// somebody else's reading holds no connection meanwhile.
func (m *Memory) Warm(ctx context.Context) error {
	s, err := db.Read(ctx, m.db, readStamp)
	if err != nil {
		return err
	}
	m.mu.RLock()
	behind := m.held == nil || m.held.seq < s.seq
	m.mu.RUnlock()
	if !behind {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.db.Read(ctx, m.catchUp)
}

// Follow brings the memory up to date now, so that what was deleted is overwritten there, too, and not at the next
// question. It is the seam for an erasure, which calls it after its commit. What was never read holds nothing.
func (m *Memory) Follow(ctx context.Context) error {
	m.mu.RLock()
	empty := m.held == nil
	m.mu.RUnlock()
	if empty {
		return nil
	}
	return m.Warm(ctx)
}

// catchUp reads what changed since the memory was last brought up to date, or everything. m.mu is held.
func (m *Memory) catchUp(tx *db.Tx) error {
	s, err := readStamp(tx)
	if err != nil || m.held != nil && m.held.seq >= s.seq {
		return err
	}
	entries, all, err := m.changed(tx, s)
	if err != nil {
		return err
	}
	if all {
		h := &held{stamp: s, places: map[int64]int{}}
		if err := s.each(tx, func(n int) { h.vectors = make([]float32, 0, n*s.dims) }, h.put); err != nil {
			return err
		}
		m.held = h
		return nil
	}
	for _, batch := range db.Batches(entries) {
		for _, entry := range batch {
			m.held.drop(entry)
		}
		if err := s.each(tx, nil, m.held.put, batch...); err != nil {
			return err
		}
	}
	m.held.seq = s.seq
	return nil
}

// changed lists the entries that changed since the memory was brought up to date, each once; all tells that there are
// too many to say.
func (m *Memory) changed(tx *db.Tx, s stamp) (entries []int64, all bool, err error) {
	if m.held == nil || m.held.model != s.model || m.held.dims != s.dims {
		return nil, true, nil
	}
	expected := m.held.seq
	err = db.Each(tx, "search: read changes", func(row db.Row) error {
		var seq, entry int64
		if err := row.Scan(&seq, &entry); err != nil {
			return err
		}
		if expected++; seq != expected || entry == everything {
			all = true // some are forgotten already
			return db.ErrEnough
		}
		entries = append(entries, entry)
		return nil
	}, `SELECT seq, entry_id FROM search_change WHERE seq > $1 ORDER BY seq`, m.held.seq)
	slices.Sort(entries)
	return slices.Compact(entries), all, err
}

// Check implements Index: what Tables checks, and the memory against the tables, number by number.
func (m *Memory) Check(ctx context.Context) (Report, error) {
	r, err := m.Tables.Check(ctx)
	if err != nil {
		return r, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	err = m.db.Read(ctx, func(tx *db.Tx) error {
		if err := m.catchUp(tx); err != nil {
			return err
		}
		have, unequal := 0, 0
		err := m.held.each(tx, nil, func(e stored, vector []float32) {
			have++
			if at, ok := m.held.places[e.entry]; !ok || m.held.rows[at] != e ||
				!slices.Equal(m.held.vector(at), vector) {
				unequal++
			}
		})
		if unequal > 0 || have != len(m.held.places) {
			r.add("The memory holds %d vectors and should hold %d; %d differ or are absent. Rebuild the index.",
				len(m.held.places), have, unequal)
		}
		return err
	})
	return r, err
}

// everything as the entry of a change stands for all of them.
const everything = 0

// keptChanges is how far behind the memory may be and still read only what changed.
const keptChanges = 8192

// change notes, in the transaction of the change, that an entry's vector is to be read anew.
func change(tx *db.Tx, entry int64) error {
	seq, err := db.Value[int64](tx, "search: note a change", `INSERT INTO search_change (seq, entry_id)
		SELECT coalesce(max(seq), 0) + 1, $1 FROM search_change RETURNING seq`, entry)
	if err == nil && seq%(keptChanges/2) == 0 {
		_, err = tx.Exec(`DELETE FROM search_change WHERE seq <= $1`, seq-keptChanges)
	}
	if err != nil {
		return fmt.Errorf("search: forget old changes: %w", err)
	}
	return nil
}

// stamp says what the tables hold as one transaction sees them; model is "" before the first vector.
type stamp struct {
	model string
	dims  int
	seq   int64
}

func readStamp(tx *db.Tx) (s stamp, err error) {
	err = db.One(tx, "search: read the stamp", `SELECT coalesce((SELECT model FROM search_state WHERE id = 1), ''),
		coalesce((SELECT dims FROM search_state WHERE id = 1), 0),
		coalesce((SELECT max(seq) FROM search_change), 0)`).Scan(&s.model, &s.dims, &s.seq)
	return s, err
}

// each reads the active entries with a vector of the model, all or those named. A damaged vector is left out, and Check
// names it. The two tables are read one after the other: joined, 100,000 vectors are looked up one by one, for seconds.
// room, unless it is nil, is told first how many there may be.
func (s stamp) each(tx *db.Tx, room func(n int), f func(stored, []float32), only ...int64) error {
	entries, vectors := "", ""
	if len(only) > 0 {
		entries, vectors = ` AND id IN (`+db.In(1, len(only))+`)`, ` AND entry_id IN (`+db.In(3, len(only))+`)`
	}
	active := map[int64]stored{}
	same := map[string]string{} // kinds, agents and tasks are few and repeat
	err := db.Each(tx, "search: read entries", func(row db.Row) error {
		var e stored
		err := row.Scan(&e.entry, &e.id, &e.kind, &e.agent, &e.task)
		for _, s := range []*string{&e.kind, &e.agent, &e.task} {
			if _, ok := same[*s]; !ok {
				same[*s] = *s
			}
			*s = same[*s]
		}
		active[e.entry] = e
		return err
	}, `SELECT id, item_id, kind, agent_id, task FROM search_entry WHERE active = 1`+entries, db.Anys(only)...)
	if err != nil {
		return err
	}
	if room != nil {
		room(len(active))
	}
	return db.Each(tx, "search: read vectors", func(row db.Row) error {
		var entry int64
		var blob sql.RawBytes
		err := row.Scan(&entry, &blob)
		if e, ok := active[entry]; ok && err == nil && sound(blob, s.dims) {
			f(e, llm.Vector(blob))
		}
		return err
	}, `SELECT entry_id, vector FROM embedding WHERE coalesce(model, '') = $1 AND coalesce(dims, 0) = $2`+vectors,
		append([]any{s.model, s.dims}, db.Anys(only)...)...)
}
