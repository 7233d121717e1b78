package compliance

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/id"
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
	return db.Exec(tx, "compliance: record a verdict", `INSERT INTO verdict (id, interaction_id, text_hash, label, passed, confidence, verdict, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, id.New(), interactionID, textHash, string(v.Label), passed, v.Confidence, string(body), tx.NowMs())
}

// Latest is the newest verdict of an interaction; NotFound when there is none.
func (st *Store) Latest(ctx context.Context, interactionID string) (*Recorded, error) {
	var out *Recorded
	err := st.d.Read(ctx, func(tx *db.Tx) error {
		var err error
		out, err = st.LatestTx(tx, interactionID)
		return err
	})
	return out, err
}

// LatestTx is Latest inside a transaction.
func (st *Store) LatestTx(tx *db.Tx, interactionID string) (*Recorded, error) {
	r := &Recorded{InteractionID: interactionID}
	err := db.One(tx, "compliance: read a verdict", `SELECT text_hash, verdict, at FROM verdict WHERE interaction_id = $1 ORDER BY at DESC, id DESC LIMIT 1`,
		interactionID).Scan(&r.TextHash, db.JSON(&r.Verdict), db.At(&r.At))
	if err != nil {
		return nil, db.Classify(err)
	}
	return r, nil
}
