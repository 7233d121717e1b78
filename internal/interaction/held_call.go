package interaction

import (
	"context"

	"preceptor/internal/platform/db"
)

// HeldCall is an answer of a model that waits as guidance while its caller asks for it.
type HeldCall struct {
	Key           string // of the caller and what it sent
	InteractionID string
	Answer        string // but its text; "" once erased
}

// HeldCall finds what waits under a key.
func (s *Store) HeldCall(ctx context.Context, key string) (c HeldCall, found bool, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		found, err = db.One(tx, "interaction: find a held call", `SELECT key, interaction_id, answer FROM held_call
			WHERE key = $1`, key).Find(&c.Key, &c.InteractionID, &c.Answer)
		return err
	})
	return c, found, err
}

// KeepCall keeps one until it is dropped, for two days at most.
func (s *Store) KeepCall(ctx context.Context, c HeldCall) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "interaction: keep a held call", `INSERT INTO held_call (key, interaction_id, answer, created_at)
			VALUES ($1, $2, $3, $4)`, c.Key, c.InteractionID, c.Answer, tx.NowMs())
	})
}

// DropCall forgets one; the same call is a new one from now on.
func (s *Store) DropCall(ctx context.Context, c HeldCall) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "interaction: drop a held call", `DELETE FROM held_call WHERE key = $1
			AND interaction_id = $2`, c.Key, c.InteractionID)
	})
}
