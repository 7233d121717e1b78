package link

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// keptKeys is how many keys are known by which links were ended. A link of an older one is said to be none of ours.
const keptKeys = 8

// allKeys are the keys that sign, and those that were given up: they open nothing, and tell an ended link from one that
// was cut short.
func (b *Links) allKeys(ctx context.Context) (now keys, ended []keys, err error) {
	secret, err := db.Read(ctx, b.db, keyTx)
	if err == nil && secret == "" {
		secret, err = b.makeKey(ctx)
	}
	if err != nil {
		return keys{}, nil, err
	}
	all, err := readKeys(secret)
	if err != nil {
		return keys{}, nil, err
	}
	return all[0], all[1:], nil
}

func (b *Links) makeKey(ctx context.Context) (secret string, err error) {
	err = b.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "feedback: make the key of links", `INSERT INTO feedback_key (id, secret, made_at)
			VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING`, id.Secret(32), tx.NowMs()); err != nil {
			return err
		}
		secret, err = keyTx(tx)
		return err
	})
	return secret, err
}

// End takes another key: no link that was made so far opens any more. For when links got into the wrong hands.
func (b *Links) End(ctx context.Context, by audit.Actor) error {
	if by.Kind != audit.Person {
		return fault.New(fault.Denied, "Only a person can end all links.")
	}
	return b.db.Write(ctx, func(tx *db.Tx) error {
		before, err := keyTx(tx)
		if err != nil {
			return err
		}
		all := append([]string{id.Secret(32)}, strings.Fields(before)...)
		if err := db.Exec(tx, "feedback: take another key for links", `INSERT INTO feedback_key (id, secret, made_at)
			VALUES (1, $1, $2)
			ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, made_at = excluded.made_at`,
			strings.Join(all[:min(len(all), 1+keptKeys)], " "), tx.NowMs()); err != nil {
			return err
		}
		return audit.Note(tx, by, "feedback.links_ended", "feedback_key", "1", nil)
	})
}

// keyTx reads the secrets: of the keys that sign, and behind it, with blanks between, of those that were given up; ""
// before the first link.
func keyTx(tx *db.Tx) (secret string, err error) {
	return db.Maybe[string](tx, "feedback: read the key of links", `SELECT secret FROM feedback_key WHERE id = 1`)
}

// readKeys makes the keys of all secrets, the one that signs first.
func readKeys(secrets string) (list []keys, err error) {
	for _, secret := range strings.Fields(secrets) {
		raw, err := base64.RawURLEncoding.DecodeString(secret)
		if err != nil {
			return nil, fmt.Errorf("feedback: the key of links is no base64: %w", err)
		}
		k, err := newKeys(raw)
		if err != nil {
			return nil, err
		}
		list = append(list, k)
	}
	if len(list) == 0 {
		return nil, errors.New("feedback: there is no key of links")
	}
	return list, nil
}

// record keeps that a person made a link: about which subject and until when, and nothing of the user.
func (b *Links) record(ctx context.Context, l Link, by audit.Actor) error {
	return b.db.Write(ctx, func(tx *db.Tx) error {
		return audit.Note(tx, by, "feedback.link_made", "interaction", l.SubjectID,
			map[string]any{"until": db.Ms(l.Until), "bare": l.Bare})
	})
}
