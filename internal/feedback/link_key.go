package feedback

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"sync"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// keyring keeps the keys that were read; there is one process per file. The zero value has none.
type keyring struct {
	mu   sync.Mutex
	keys *linkKeys
}

// keys are those that sign links, made with the first link.
func (b *Book) keys(ctx context.Context) (linkKeys, error) {
	b.ring.mu.Lock()
	defer b.ring.mu.Unlock()
	if b.ring.keys != nil {
		return *b.ring.keys, nil
	}
	var secret string
	err := b.db.Read(ctx, func(tx *db.Tx) (err error) {
		secret, err = keyTx(tx)
		return err
	})
	if err == nil && secret == "" {
		secret, err = b.makeKey(ctx)
	}
	if err != nil {
		return linkKeys{}, err
	}
	k, err := readKeys(secret)
	if err == nil {
		b.ring.keys = &k
	}
	return k, err
}

func (b *Book) makeKey(ctx context.Context) (secret string, err error) {
	err = b.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(`INSERT INTO feedback_key (id, secret, made_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING`, id.Secret(32), tx.NowMs()); err != nil {
			return fmt.Errorf("feedback: make the key of links: %w", err)
		}
		secret, err = keyTx(tx)
		return err
	})
	return secret, err
}

// EndLinks takes another key: no link that was made so far opens any more. For when links got into the wrong hands.
func (b *Book) EndLinks(ctx context.Context, by audit.Actor) error {
	if by.Kind != audit.Person {
		return fault.New(fault.Denied, "Only a person may end all links.")
	}
	b.ring.mu.Lock()
	defer b.ring.mu.Unlock()
	err := b.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(`INSERT INTO feedback_key (id, secret, made_at) VALUES (1, $1, $2)
			ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, made_at = excluded.made_at`, id.Secret(32), tx.NowMs()); err != nil {
			return fmt.Errorf("feedback: take another key for links: %w", err)
		}
		return audit.Record(tx, audit.Entry{Actor: by, Action: "feedback.links_ended", ObjectKind: "feedback_key", ObjectID: "1"})
	})
	if err == nil {
		b.ring.keys = nil
	}
	return err
}

func keyTx(tx *db.Tx) (secret string, err error) {
	err = tx.QueryRow(`SELECT secret FROM feedback_key WHERE id = 1`).Scan(&secret)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("feedback: read the key of links: %w", err)
	}
	return secret, nil
}

func readKeys(secret string) (linkKeys, error) {
	raw, err := base64.RawURLEncoding.DecodeString(secret)
	if err != nil {
		return linkKeys{}, fmt.Errorf("feedback: the key of links is no base64: %w", err)
	}
	return newLinkKeys(raw)
}

// recordLink keeps that a person made a link: about which subject and until when, and nothing of the user.
func (b *Book) recordLink(ctx context.Context, l Link, by audit.Actor) error {
	return b.db.Write(ctx, func(tx *db.Tx) error {
		return audit.Record(tx, audit.Entry{Actor: by, Action: "feedback.link_made", ObjectKind: "interaction", ObjectID: l.SubjectID,
			Content: map[string]any{"until": db.Ms(l.Until), "bare": l.Bare}})
	})
}
