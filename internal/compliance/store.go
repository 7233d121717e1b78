package compliance

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
)

// Store keeps verdicts: one row per text that was checked.
type Store struct{ d *db.DB }

// NewStore keeps them in d.
func NewStore(d *db.DB) *Store { return &Store{d: d} }

// Recorded is a verdict as it was stored.
type Recorded struct {
	Verdict
	InteractionID string
	TextHash      string // of the text that was checked, as interaction.TextHash
	At            time.Time
}

// RecordTx stores a verdict on a text of an interaction.
func (st *Store) RecordTx(tx *db.Tx, interactionID, textHash string, v Verdict) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("compliance: encode a verdict: %w", err)
	}
	passed := 0
	if v.Passed {
		passed = 1
	}
	return db.Exec(tx, "compliance: record a verdict", `INSERT INTO verdict (id, interaction_id, text_hash, label,
			passed, confidence, verdict, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, id.New(), interactionID, textHash, string(v.Label), passed,
		v.Confidence, string(body), tx.NowMs())
}

// columns are those of a Recorded, in the order of its fields.
const columns = `SELECT interaction_id, text_hash, verdict, at FROM verdict `

func (r *Recorded) fields() []any {
	return []any{&r.InteractionID, &r.TextHash, db.JSON(&r.Verdict), db.At(&r.At)}
}

// Latest is the newest verdict of an interaction; NotFound when there is none.
func (st *Store) Latest(ctx context.Context, interactionID string) (*Recorded, error) {
	return db.Read(ctx, st.d, func(tx *db.Tx) (*Recorded, error) { return st.LatestTx(tx, interactionID) })
}

// LatestTx is Latest inside a transaction.
func (st *Store) LatestTx(tx *db.Tx, interactionID string) (*Recorded, error) {
	r := &Recorded{}
	if err := db.One(tx, "compliance: read a verdict", columns+`WHERE interaction_id = $1
		ORDER BY at DESC, id DESC LIMIT 1`, interactionID).Scan(r.fields()...); err != nil {
		return nil, db.Classify(err)
	}
	return r, nil
}

// Of lists every verdict on an interaction, oldest first: one per text and reading.
func (st *Store) Of(ctx context.Context, interactionID string) ([]Recorded, error) {
	return db.Read(ctx, st.d, func(tx *db.Tx) ([]Recorded, error) {
		return db.Rows(tx, "compliance: list verdicts", (*Recorded).fields,
			columns+`WHERE interaction_id = $1 ORDER BY at, id`, interactionID)
	})
}

// Recent are the newest verdicts, newest first, one of each interaction: the last that was given. At most n rows are
// read.
func (st *Store) Recent(ctx context.Context, n int) ([]Recorded, error) {
	list, err := db.Read(ctx, st.d, func(tx *db.Tx) ([]Recorded, error) {
		return db.Rows(tx, "compliance: read the newest verdicts", (*Recorded).fields,
			columns+`ORDER BY id DESC LIMIT $1`, n)
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(r Recorded) bool {
		was := seen[r.InteractionID]
		seen[r.InteractionID] = true
		return was
	}), err
}
