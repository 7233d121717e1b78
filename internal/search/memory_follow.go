package search

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"preceptor/internal/db"
)

// everything as the entry of a change stands for all of them.
const everything = 0

// keptChanges is how far behind the memory may be and still read only what changed.
const keptChanges = 8192

// change notes, in the transaction of the change, that an entry's vector is to be read anew.
func change(tx *db.Tx, entry int64) error {
	r, err := tx.Exec(`INSERT INTO search_change (entry_id) VALUES ($1)`, entry)
	if err != nil {
		return fmt.Errorf("search: note a change: %w", err)
	}
	seq, err := r.LastInsertId()
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
	err = db.One(tx, "search: read the stamp", `SELECT coalesce((SELECT model FROM search_state WHERE id = 1), ''), coalesce((SELECT dims FROM search_state WHERE id = 1), 0),
		coalesce((SELECT max(seq) FROM search_change), 0)`).Scan(&s.model, &s.dims, &s.seq)
	return s, err
}

// behind tells whether h has not seen what the transaction sees. What is ahead of it is newer, not wrong.
func (h *held) behind(s stamp) bool { return h == nil || h.seq < s.seq }

// far tells whether catching up with s means to read everything again.
func (h *held) far(s stamp) bool {
	return h == nil || h.model != s.model || h.dims != s.dims || s.seq-h.seq > keptChanges/2
}

// current brings the memory to what is committed, or later. It is false when somebody else is reading everything and wait is not
// set: the tables answer meanwhile, because who waits here holds a connection that others need.
func (m *Memory) current(ctx context.Context, wait bool) (ready bool, err error) {
	err = m.db.Read(ctx, func(tx *db.Tx) error {
		s, err := readStamp(tx)
		if err != nil {
			return err
		}
		m.mu.RLock()
		far, behind := m.held.far(s), m.held.behind(s)
		m.mu.RUnlock()
		if ready = true; !behind {
			return nil
		}
		if !wait && far {
			if ready = m.follow.TryLock(); !ready {
				return nil
			}
		} else {
			m.follow.Lock()
		}
		defer m.follow.Unlock()
		return m.catchUp(tx, s)
	})
	return ready, err
}

// catchUp reads what changed since the memory was last brought up to date, or everything. follow is held, so that nobody else
// changes m.held.
func (m *Memory) catchUp(tx *db.Tx, s stamp) error {
	if !m.held.behind(s) {
		return nil
	}
	entries, all, err := m.changed(tx, s)
	if err != nil {
		return err
	}
	if all {
		h := newHeld(s)
		if err := h.load(tx); err != nil {
			return err
		}
		m.mu.Lock()
		m.held = h
		m.mu.Unlock()
		return nil
	}
	now, err := readEntries(tx, s, entries)
	if err != nil {
		return err
	}
	c := newCoder(m.held.turn)
	groups := make([]byte, c.groups)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, entry := range entries {
		e, ok := now[entry]
		if !ok {
			m.held.drop(entry)
			continue
		}
		t := c.encode(e.vector, groups)
		m.held.put(e, groups, t)
	}
	m.held.seq = s.seq
	return nil
}

// changed lists the entries that changed since the memory was brought up to date, each once; all tells that there are too many to say.
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
	if err != nil || all {
		return nil, all, err
	}
	slices.Sort(entries)
	return slices.Compact(entries), false, nil
}

// stored is an active entry with its vector.
type stored struct {
	entry  int64
	id     string
	key    shelfKey
	vector []float32
}

const storedFrom = `SELECT e.id, e.item_id, e.kind, e.agent_id, e.task, v.vector FROM search_entry e
	JOIN embedding v ON v.entry_id = e.id AND v.model = $1 AND v.dims = $2 WHERE e.active = 1`

// scanStored reads a row; ok is false for a damaged vector, which is not found, and which Check names.
func scanStored(row db.Row, dims int) (e stored, ok bool, err error) {
	var blob []byte
	if err := row.Scan(&e.entry, &e.id, &e.key.kind, &e.key.agent, &e.key.task, &blob); err != nil {
		return e, false, fmt.Errorf("search: read a vector: %w", err)
	}
	if !sound(blob, dims) {
		return e, false, nil
	}
	e.vector = decode(blob)
	return e, true, nil
}

func readEntries(tx *db.Tx, s stamp, entries []int64) (map[int64]stored, error) {
	out := make(map[int64]stored, len(entries))
	for _, batch := range db.Batches(entries) {
		args := append([]any{s.model, s.dims}, db.Anys(batch)...)
		err := db.Each(tx, "search: read changed vectors", func(row db.Row) error {
			e, ok, err := scanStored(row, s.dims)
			if ok {
				out[e.entry] = e
			}
			return err
		}, storedFrom+` AND e.id IN (`+db.In(3, len(batch))+`)`, args...)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// load reads every vector. One goroutine reads rows and the others make their codes.
func (h *held) load(tx *db.Tx) error {
	if h.model == "" {
		return nil
	}
	type coded struct {
		list   []stored
		groups []byte
		trust  []trust
	}
	work, done := make(chan []stored, 4), make(chan coded, 4)
	var makers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		makers.Go(func() {
			c := newCoder(h.turn)
			for list := range work {
				out := coded{list, make([]byte, len(list)*c.groups), make([]trust, len(list))}
				for i, e := range list {
					out.trust[i] = c.encode(e.vector, out.groups[i*c.groups:(i+1)*c.groups])
				}
				done <- out
			}
		})
	}
	var keeper sync.WaitGroup
	keeper.Go(func() {
		n := groupsOf(h.dims)
		for out := range done {
			for i, e := range out.list {
				h.put(e, out.groups[i*n:(i+1)*n], out.trust[i])
			}
		}
	})
	err := readAll(tx, h.model, h.dims, func(list []stored) { work <- list })
	close(work)
	makers.Wait()
	close(done)
	keeper.Wait()
	return err
}

// readAll gives every active entry with a sound vector, some at a time. Both tables are read in their own order, one beside the
// other: joined, each vector would have to be looked up and all of them sorted.
func readAll(tx *db.Tx, model string, dims int, give func([]stored)) (err error) {
	active, err := readActive(tx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, active.rows.Close()) }()
	rows, err := tx.Query(`SELECT entry_id, vector FROM embedding WHERE +model = $1 AND +dims = $2 ORDER BY entry_id`, model, dims)
	if err != nil {
		return fmt.Errorf("search: read vectors: %w", err)
	}
	defer rows.Close()
	list := make([]stored, 0, loadBatch)
	var entry int64
	var blob sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&entry, &blob); err != nil {
			return fmt.Errorf("search: read vectors: %w", err)
		}
		e, ok, err := active.upTo(entry)
		if err != nil {
			return err
		}
		if !ok || !sound(blob, dims) {
			continue
		}
		e.vector = decode(blob)
		if list = append(list, e); len(list) == loadBatch {
			give(list)
			list = make([]stored, 0, loadBatch)
		}
	}
	give(list)
	return rows.Err()
}

const loadBatch = 256

// activeRows walks the active entries in order, without their vectors.
type activeRows struct {
	rows *sql.Rows
	at   stored // the last that was read
	same map[string]string
}

func readActive(tx *db.Tx) (*activeRows, error) {
	rows, err := tx.Query(`SELECT id, item_id, kind, agent_id, task FROM search_entry WHERE active = 1 ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("search: read entries: %w", err)
	}
	return &activeRows{rows: rows, same: map[string]string{}}, nil
}

// upTo reads on until the entry; ok is false when it is not active.
func (a *activeRows) upTo(entry int64) (e stored, ok bool, err error) {
	for a.at.entry < entry && a.rows.Next() {
		if err := a.rows.Scan(&a.at.entry, &a.at.id, &a.at.key.kind, &a.at.key.agent, &a.at.key.task); err != nil {
			return e, false, fmt.Errorf("search: read entries: %w", err)
		}
		a.at.key = shelfKey{a.one(a.at.key.kind), a.one(a.at.key.agent), a.one(a.at.key.task)}
	}
	return a.at, a.at.entry == entry, a.rows.Err()
}

// one is s as it was first seen: kinds, agents and tasks are few and repeat.
func (a *activeRows) one(s string) string {
	if old, ok := a.same[s]; ok {
		return old
	}
	a.same[s] = s
	return s
}

// Check implements Index: what Tables checks, and the memory against the tables, number by number.
func (m *Memory) Check(ctx context.Context) (Report, error) {
	r, err := m.Tables.Check(ctx)
	if err != nil {
		return r, err
	}
	err = m.db.Read(ctx, func(tx *db.Tx) error {
		s, err := readStamp(tx)
		if err != nil {
			return err
		}
		m.follow.Lock()
		defer m.follow.Unlock()
		if err := m.catchUp(tx, s); err != nil || m.held.seq != s.seq {
			return err // what is newer than this transaction can't be compared with it
		}
		have, unequal := 0, 0
		err = readAll(tx, s.model, s.dims, func(list []stored) {
			for _, e := range list {
				have++
				if v := m.held.vector(e.entry); m.held.places[e.entry].key != e.key || v == nil || !bytes.Equal(raw(v), raw(e.vector)) {
					unequal++
				}
			}
		})
		if unequal > 0 || have != len(m.held.places) {
			r.add("The memory holds %d vectors and should hold %d; %d differ or are absent. Rebuild the index.", len(m.held.places), have, unequal)
		}
		return err
	})
	return r, err
}
