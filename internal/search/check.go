package search

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Rebuild implements Index: one transaction, so that a crash leaves the old indexes.
func (t *Tables) Rebuild(ctx context.Context, model string) error {
	if err := t.Refold(ctx); err != nil {
		return err
	}
	return t.db.Write(ctx, func(tx *db.Tx) error {
		if err := rebuildText(tx); err != nil {
			return err
		}
		inUse, dims, ok, err := state(tx)
		if err != nil {
			return err
		}
		if model != "" && (!ok || model != inUse) {
			if dims, err = dimsOf(tx, model); err != nil {
				return err
			}
			inUse, ok = model, true
		}
		if !ok {
			return nil
		}
		if err := makeVectorIndex(tx, inUse, dims); err != nil {
			return err
		}
		if !tx.OnServer() {
			err = fillVectors(tx, inUse, dims)
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(`DELETE FROM embedding WHERE model NOT IN ($1)`, inUse)
		return err
	})
}

func rebuildText(tx *db.Tx) error {
	if tx.OnServer() {
		return rebuildWords(tx)
	}
	if err := db.Exec(tx, "search: rebuild words",
		`INSERT INTO entry_text (entry_text) VALUES ('rebuild')`); err != nil {
		return err
	}
	return db.Exec(tx, "search: rebuild the words of cases", `INSERT INTO case_text (case_text) VALUES ('rebuild')`)
}

func dimsOf(tx *db.Tx, model string) (dims int, err error) {
	dims, err = db.Value[int](tx, "search: read the size of vectors", `SELECT dims FROM embedding
		WHERE model = $1 LIMIT 1`, model)
	if err != nil {
		return 0, fault.Wrap(fault.Conflict, err, "There are no vectors of %s yet.", model)
	}
	return dims, nil
}

// fillVectors copies the vectors of active entries into the index, in one walk over the source.
func fillVectors(tx *db.Tx, model string, dims int) error {
	type source struct {
		id                int64
		kind, task, agent string
		blob              []byte
	}
	after := int64(0)
	for {
		batch, err := db.Rows(tx, "search: read vectors", func(s *source) []any {
			return []any{&s.id, &s.kind, &s.task, &s.agent, &s.blob}
		},
			`SELECT e.id, e.kind, e.task, e.agent_id, v.vector FROM search_entry e
			JOIN embedding v ON v.entry_id = e.id AND v.model = $1 AND v.dims = $2
			WHERE e.active = 1 AND e.id > $3 ORDER BY e.id LIMIT 500`, model, dims, after)
		if err != nil || len(batch) == 0 {
			return err
		}
		for _, s := range batch {
			if err := insertVector(tx, s.id, s.kind, s.task, s.agent, s.blob); err != nil {
				return err
			}
			after = s.id
		}
	}
}

// Check implements Index. It reads every vector; the full-text index is compared by FTS5 itself, word by word.
func (t *Tables) Check(ctx context.Context) (r Report, err error) {
	if t.db.OnServer() {
		return r, t.db.Read(ctx, r.readServer)
	}
	if err := t.db.Read(ctx, func(tx *db.Tx) error { return r.read(tx) }); err != nil {
		return r, err
	}
	if err := t.checkText(ctx, `INSERT INTO entry_text (entry_text, rank) VALUES ('integrity-check', 1)`); err != nil {
		r.add("The full-text index does not agree with the texts. Rebuild it.")
	}
	if err := t.checkText(ctx, `INSERT INTO case_text (case_text, rank) VALUES ('integrity-check', 1)`); err != nil {
		r.add("The full-text index of the desk's cases does not agree with their words. Rebuild it.")
	}
	return r, nil
}

func (t *Tables) checkText(ctx context.Context, command string) error {
	return t.db.Write(ctx, func(tx *db.Tx) error { // a command of FTS5, which changes nothing
		_, err := tx.Exec(command)
		return err
	})
}

func (r *Report) add(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

func (r *Report) read(tx *db.Tx) error {
	if err := db.One(tx, "search: count entries", `SELECT count(*), coalesce(sum(active), 0)
		FROM search_entry`).Scan(&r.Entries, &r.Active); err != nil {
		return err
	}
	if err := db.One(tx, "search: count words", `SELECT count(*) FROM entry_text_docsize`).Scan(&r.Texts); err != nil {
		return err
	}
	if r.Texts != r.Active {
		r.add("The full-text index has %d entries and should have %d. Rebuild it.", r.Texts, r.Active)
	}
	model, dims, ok, err := state(tx)
	if err != nil {
		return err
	}
	r.Model = model
	if !ok {
		r.Missing = r.Active
		return nil
	}
	return r.readVectors(tx, model, dims)
}

func (r *Report) readVectors(tx *db.Tx, model string, dims int) error {
	if err := db.One(tx, "search: count vectors", `SELECT count(*) FROM entry_vector`).Scan(&r.Vectors); err != nil {
		return err
	}
	have, bad, unequal := 0, 0, 0
	err := db.Each(tx, "search: read vectors", func(row db.Row) error {
		var id int64
		var d *int
		var blob, indexed []byte
		if err := row.Scan(&id, &d, &blob, &indexed); err != nil {
			return err
		}
		if d == nil {
			r.Missing++
			return nil
		}
		have++
		if *d != dims || !sound(blob, dims) {
			bad++
		} else if !bytes.Equal(blob, indexed) {
			unequal++
		}
		return nil
	}, `SELECT e.id, v.dims, v.vector, i.vector FROM search_entry e
		LEFT JOIN embedding v ON v.entry_id = e.id AND v.model = $1
		LEFT JOIN entry_vector i ON i.entry_id = e.id WHERE e.active = 1 ORDER BY e.id`, model)
	if bad > 0 {
		r.add("%d vectors are of the wrong length or hold numbers that are none. Re-embed them.", bad)
	}
	if unequal > 0 || r.Vectors != have {
		r.add("The vector index has %d vectors and should have %d; %d differ or are absent. Rebuild it.", r.Vectors,
			have, unequal)
	}
	if err != nil {
		return err
	}
	return r.selfHits(tx, model)
}

func sound(blob []byte, dims int) bool {
	if len(blob) != 4*dims {
		return false
	}
	var sum float64
	for ; len(blob) >= 4; blob = blob[4:] {
		x := float64(math.Float32frombits(binary.LittleEndian.Uint32(blob)))
		sum += x * x
	}
	return math.Abs(math.Sqrt(sum)-1) < 1e-3 // false for what is no number
}

// selfHits asks the index for the neighbours of a sample of its own vectors: each must find itself, or one as near.
func (r *Report) selfHits(tx *db.Tx, model string) error {
	type probe struct {
		kind, agent string
		blob        []byte
	}
	probes, err := db.Rows(tx, "search: sample vectors", func(p *probe) []any {
		return []any{&p.kind, &p.agent, &p.blob}
	},
		`SELECT e.kind, e.agent_id, v.vector FROM search_entry e JOIN embedding v ON v.entry_id = e.id
		WHERE e.active = 1 AND v.model = $1 AND e.id % $2 = 0 ORDER BY e.id LIMIT 50`, model, max(1, r.Active/50))
	if err != nil {
		return err
	}
	lost := 0
	for _, p := range probes {
		hits, err := nearest(tx, p.blob, Filter{Kind: p.kind, AgentID: p.agent}, 1)
		if err != nil {
			return err
		}
		if len(hits) == 0 || hits[0].Score < 0.999 {
			lost++
		}
	}
	if lost > 0 {
		r.add("%d of %d sampled entries are not found by their own vector. Rebuild the vector index.", lost,
			len(probes))
	}
	return nil
}
