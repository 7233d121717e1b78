package search

import (
	"context"
	"errors"
	"fmt"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Tables is the Index that asks vec0.
type Tables struct{ db *db.DB }

// New returns the index on d.
func New(d *db.DB) *Tables { return &Tables{d} }

var _ Index = (*Tables)(nil)

// row is a stored entry.
type row struct {
	id          int64
	agent, task string
	active      bool
	title, body string
	words       string // of title and body, that the tokenizer would miss
}

func findRow(tx *db.Tx, kind, id string) (row, bool, error) {
	var r row
	found, err := db.One(tx, "search: find entry",
		`SELECT id, agent_id, task, active, title, body, coalesce(words, '') FROM search_entry
			WHERE kind = $1 AND item_id = $2`, kind, id).Find(&r.id, &r.agent, &r.task, &r.active, &r.title, &r.body,
		&r.words)
	if err != nil || !found {
		return row{}, false, err
	}
	return r, true, nil
}

// state is the model in use and the length of its vectors; ok is false before the first vector.
func state(tx *db.Tx) (model string, dims int, ok bool, err error) {
	found, err := db.One(tx, "search: read state", `SELECT model, dims FROM search_state
		WHERE id = 1`).Find(&model, &dims)
	if err != nil || !found {
		return "", 0, false, err
	}
	return model, dims, true, nil
}

// UpsertTx implements Index.
func (t *Tables) UpsertTx(tx *db.Tx, e Entry) error {
	if e.Vector != nil {
		if err := checkVector(e.Vector); err != nil {
			return err
		}
	}
	old, found, err := findRow(tx, e.Kind, e.ID)
	if err != nil {
		return err
	}
	now := row{id: old.id, agent: e.AgentID, task: e.Task, active: e.Active, title: e.Title, body: e.Body,
		words: missed(e.Title, e.Body)}
	if found {
		err = replaceRow(tx, old, now)
	} else {
		now.id, err = insertRow(tx, e, now.words)
	}
	if err != nil {
		return err
	}
	if now.active {
		if err := addText(tx, now); err != nil {
			return err
		}
	}
	if e.Vector != nil {
		if err := putEmbedding(tx, now.id, e.Model, e.Vector); err != nil {
			return err
		}
	}
	return indexVector(tx, e.Kind, now)
}

// EmbeddedTx implements Index.
func (t *Tables) EmbeddedTx(tx *db.Tx, e Entry, model string) (bool, error) {
	return db.Value[bool](tx, "search: look for a vector", `SELECT EXISTS (SELECT 1
		FROM search_entry e JOIN embedding v ON v.entry_id = e.id
		WHERE e.kind = $1 AND e.item_id = $2 AND e.title = $3 AND e.body = $4 AND v.model = $5)`,
		e.Kind, e.ID, e.Title, e.Body, model)
}

func insertRow(tx *db.Tx, e Entry, words string) (id int64, err error) {
	return db.Value[int64](tx, "search: add entry",
		`INSERT INTO search_entry (kind, item_id, agent_id, task, active, title, body, words)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`, e.Kind, e.ID, e.AgentID, e.Task, e.Active, e.Title,
		e.Body, words)
}

// replaceRow writes now over old; vectors of an older text go.
func replaceRow(tx *db.Tx, old, now row) error {
	if old.active {
		if err := removeText(tx, old); err != nil {
			return err
		}
	}
	if err := db.Exec(tx, "search: change entry",
		`UPDATE search_entry SET agent_id = $1, task = $2, active = $3, title = $4, body = $5, words = $6
			WHERE id = $7`,
		now.agent, now.task, now.active, now.title, now.body, now.words, old.id); err != nil {
		return err
	}
	if old.title == now.title && old.body == now.body {
		return nil
	}
	return db.Exec(tx, "search: drop old vectors", `DELETE FROM embedding WHERE entry_id = $1`, old.id)
}

func addText(tx *db.Tx, r row) error {
	if tx.OnServer() {
		return addWords(tx, r)
	}
	return db.Exec(tx, "search: index words",
		`INSERT INTO entry_text (rowid, title, body, words) VALUES ($1, $2, $3, $4)`, r.id, r.title, r.body, r.words)
}

// removeText takes an entry's words out of the index, which wants the very words that went in.
func removeText(tx *db.Tx, r row) error {
	if tx.OnServer() {
		return removeWords(tx, r)
	}
	return db.Exec(tx, "search: unindex words",
		`INSERT INTO entry_text (entry_text, rowid, title, body, words) VALUES ('delete', $1, $2, $3, $4)`, r.id,
		r.title, r.body, r.words)
}

func putEmbedding(tx *db.Tx, entry int64, model string, v []float32) error {
	if model == "" {
		return errors.New("search: a vector without its model's name")
	}
	inUse, dims, ok, err := state(tx)
	if err != nil {
		return err
	}
	if ok && inUse == model && dims != len(v) {
		return fault.New(fault.Invalid, "The embedder %s gave a vector of length %d; its others have %d.", model,
			len(v), dims)
	}
	err = db.Exec(tx, "search: store vector",
		`INSERT INTO embedding (entry_id, model, dims, vector) VALUES ($1, $2, $3, $4)
		ON CONFLICT (entry_id, model) DO UPDATE SET dims = excluded.dims, vector = excluded.vector`, entry, model,
		len(v), encode(v))
	if err != nil {
		return err
	}
	if ok {
		return nil
	}
	return makeVectorIndex(tx, model, len(v)) // the first vector decides the length
}

// makeVectorIndex makes an empty vector index for model, in place of any other.
func makeVectorIndex(tx *db.Tx, model string, dims int) error {
	if !tx.OnServer() {
		if err := db.Exec(tx, "search: drop the vector index", `DROP TABLE IF EXISTS entry_vector`); err != nil {
			return err
		}
		if err := db.Exec(tx, "search: make the vector index", fmt.Sprintf(`CREATE VIRTUAL TABLE entry_vector USING vec0 (
			entry_id INTEGER PRIMARY KEY, kind INTEGER PARTITION KEY, task INTEGER, agent INTEGER,
			vector FLOAT[%d] distance_metric=cosine)`, dims)); err != nil {
			return err
		}
	}
	err := db.Exec(tx, "search: remember the model", `INSERT INTO search_state (id, model, dims) VALUES (1, $1, $2)
		ON CONFLICT (id) DO UPDATE SET model = excluded.model, dims = excluded.dims`, model, dims)
	if err != nil {
		return err
	}
	return change(tx, everything)
}

// indexVector makes the vector index agree with the entry: present when it is active and has a vector of the model in
// use. vec0 has no working REPLACE, so the row is deleted first.
func indexVector(tx *db.Tx, kind string, r row) error {
	model, _, ok, err := state(tx)
	if err != nil || !ok {
		return err
	}
	if err := change(tx, r.id); err != nil || tx.OnServer() {
		return err
	}
	if err := db.Exec(tx, "search: unindex vector", `DELETE FROM entry_vector WHERE entry_id = $1`, r.id); err != nil {
		return err
	}
	if !r.active {
		return nil
	}
	var blob []byte
	found, err := db.One(tx, "search: read vector", `SELECT vector FROM embedding
		WHERE entry_id = $1 AND model = $2`, r.id, model).Find(&blob)
	if err != nil || !found {
		return err
	}
	return insertVector(tx, r.id, kind, r.task, r.agent, blob)
}

func insertVector(tx *db.Tx, id int64, kind, task, agent string, blob []byte) error {
	return db.Exec(tx, "search: index vector",
		`INSERT INTO entry_vector (entry_id, kind, task, agent, vector) VALUES ($1, $2, $3, $4, $5)`,
		id, kindCode(kind), code(task), code(agent), blob)
}

// ActivateTx implements Index.
func (t *Tables) ActivateTx(tx *db.Tx, kind, id string, active bool) error {
	r, found, err := findRow(tx, kind, id)
	if err != nil {
		return err
	}
	if !found {
		return fault.New(fault.NotFound, "This %s is not in the index.", kind)
	}
	if r.active == active {
		return nil
	}
	if r.active {
		err = removeText(tx, r)
	}
	if err != nil {
		return err
	}
	if err := db.Exec(tx, "search: activate entry", `UPDATE search_entry SET active = $1 WHERE id = $2`, active,
		r.id); err != nil {
		return err
	}
	r.active = active
	if active {
		if err := addText(tx, r); err != nil {
			return err
		}
	}
	return indexVector(tx, kind, r)
}

// DeleteTx implements Index.
func (t *Tables) DeleteTx(tx *db.Tx, kind, id string) error {
	r, found, err := findRow(tx, kind, id)
	if err != nil || !found {
		return err
	}
	if r.active {
		if err := removeText(tx, r); err != nil {
			return err
		}
	}
	r.active = false
	if err := indexVector(tx, kind, r); err != nil {
		return err
	}
	if err := db.Exec(tx, "search: delete vectors", `DELETE FROM embedding WHERE entry_id = $1`, r.id); err != nil {
		return err
	}
	return db.Exec(tx, "search: delete entry", `DELETE FROM search_entry WHERE id = $1`, r.id)
}

// SetVectorTx implements Index.
func (t *Tables) SetVectorTx(tx *db.Tx, p Pending, model string, vector []float32) (bool, error) {
	if err := checkVector(vector); err != nil {
		return false, err
	}
	r, found, err := findRow(tx, p.Kind, p.ID)
	if err != nil || !found {
		return false, err
	}
	if (Entry{Title: r.title, Body: r.body}).Text() != p.Text {
		return false, nil // changed meanwhile; the writer brought its own vector, or the entry is pending again
	}
	if err := putEmbedding(tx, r.id, model, vector); err != nil {
		return false, err
	}
	return true, indexVector(tx, p.Kind, r)
}

// Pending implements Index.
func (t *Tables) Pending(ctx context.Context, model string, after int64, n int) (list []Pending, err error) {
	err = t.db.Read(ctx, func(tx *db.Tx) error {
		if after == 0 {
			if all, err := allEmbedded(tx, model); err != nil || all {
				return err
			}
		}
		list, err = pendingOf(tx, "", []any{after, model, n})
		return err
	})
	return list, err
}

// pendingOf lists entries without a vector; its arguments begin with after, model and n.
func pendingOf(tx *db.Tx, cond string, args []any) (list []Pending, err error) {
	return db.List(tx, "search: list pending", func(row db.Row) (p Pending, err error) {
		var e Entry
		err = row.Scan(&p.Row, &p.Kind, &p.ID, &e.Title, &e.Body)
		p.Text = e.Text()
		return p, err
	}, `SELECT e.id, e.kind, e.item_id, e.title, e.body FROM search_entry e
		WHERE e.id > $1 AND NOT EXISTS (SELECT 1 FROM embedding v WHERE v.entry_id = e.id AND v.model = $2)`+cond+`
		ORDER BY e.id LIMIT $3`, args...)
}

// allEmbedded reports whether every entry has a vector of model, without walking through the vectors, which are most of
// the file: an entry has at most one, so they have to be as many.
func allEmbedded(tx *db.Tx, model string) (bool, error) {
	var entries, vectors int
	if err := db.One(tx, "search: count vectors", `SELECT (SELECT count(*) FROM search_entry), (SELECT count(*)
			FROM embedding WHERE model = $1)`, model).Scan(&entries, &vectors); err != nil {
		return false, err
	}
	return entries == vectors, nil
}

// Model implements Index.
func (t *Tables) Model(ctx context.Context) (model string, err error) {
	err = t.db.Read(ctx, func(tx *db.Tx) error {
		model, _, _, err = state(tx)
		return err
	})
	return model, err
}
