package preference

import (
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
)

// Pair reads one pair with its makers and answers.
func (s *Store) Pair(ctx context.Context, id string) (*Pair, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Pair, error) { return getTx(tx, id) })
}

// Statements are those that pages run on every view, by name; for the test of their plans.
func Statements() map[string]string {
	list, _ := keyset.Order{At: `at`, ID: `id`}.Page(` WHERE 1 = 1`, nil, keyset.Place{Ms: 1, ID: "2"}, 1)
	return map[string]string{
		"next":   `SELECT p.id` + waits + ` ORDER BY p.answers, p.at, p.id LIMIT 1`,
		"counts": countPairs,
		"list":   columns + list,
	}
}
