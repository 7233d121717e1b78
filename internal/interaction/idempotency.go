package interaction

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const (
	// KeepKeys is how long a key is honoured: the promise is a day, and a client that retries at its end shall still
	// meet it.
	KeepKeys = 48 * time.Hour
	// pruneEvery is how often old keys are looked for.
	pruneEvery = time.Hour
	maxKey     = 255
)

// Idempotency makes a submission happen once. Nil means that the client sent no key.
type Idempotency struct {
	Owner    string // who sent the key: a token's id, or an account's; others' keys are separate
	Key      string // 1 to 255 printable ASCII characters
	BodyHash string // of what was sent, and to where
}

// Check refuses a key that can't be used for what is sent with it, in a word.
func (k *Idempotency) Check(what string) error {
	if k == nil {
		return nil
	}
	ok := len(k.Key) >= 1 && len(k.Key) <= maxKey
	for i := 0; ok && i < len(k.Key); i++ {
		ok = k.Key[i] >= 0x20 && k.Key[i] < 0x7f
	}
	if !ok {
		return fault.Wrong("The Idempotency-Key can't be used.", "Idempotency-Key",
			"Send 1 to 255 printable ASCII characters, such as a new UUID per "+what+".")
	}
	return nil
}

// Same refuses a key that came before with another body, whose hash is given.
func (k *Idempotency) Same(hash, what string) error {
	if hash == k.BodyHash {
		return nil
	}
	return fault.Wrong("This Idempotency-Key was used for another "+what+".", "Idempotency-Key",
		"It was sent before with a different body. Send the same body to get its answer, or a new key for a new "+
			what+".")
}

// replay finds the receipt that was given for key before.
func (s *Store) replay(tx *db.Tx, key *Idempotency) (rec Receipt, found bool, err error) {
	if key == nil {
		return rec, false, nil
	}
	var hash string
	found, err = db.One(tx, "interaction: look up the idempotency key", `SELECT body_hash, interaction_id, status
		FROM idempotency WHERE owner = $1 AND key = $2`,
		key.Owner, key.Key).Find(&hash, &rec.ID, &rec.Status)
	if err == nil && found {
		err = key.Same(hash, "submission")
	}
	if err != nil || !found {
		return Receipt{}, false, err
	}
	rec.Replayed = true
	return rec, true, nil
}

// remember stores the receipt under key.
func (s *Store) remember(tx *db.Tx, key *Idempotency, rec Receipt) error {
	if key == nil {
		return nil
	}
	return db.Exec(tx, "interaction: store the idempotency key", `INSERT INTO idempotency (owner, key, body_hash,
			interaction_id, status, created_at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		key.Owner, key.Key, key.BodyHash, rec.ID, rec.Status, tx.NowMs())
}

// prune forgets keys and held calls that are older than KeepKeys.
func (s *Store) prune(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		before := db.Ms(tx.Now.Add(-KeepKeys))
		if err := db.Exec(tx, "interaction: prune held calls", `DELETE FROM held_call WHERE created_at < $1`,
			before); err != nil {
			return err
		}
		return db.Exec(tx, "interaction: prune keys", `DELETE FROM idempotency WHERE created_at < $1`, before)
	})
}
