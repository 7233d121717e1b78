package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"preceptor/internal/db"
)

// Ahead is the case that ClaimNext would hand out now. It takes nothing: it is for loading a page before it is needed,
// and whether that page may be decided on is settled when the case is claimed, by its version and the hash of its text.
func (q *Queue) Ahead(ctx context.Context, by Person, f Filter) (id string, ok bool, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		b := aheadQuery(f, by, tx.NowMs())
		err := tx.QueryRow(b.sql.String(), b.args...).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("review: look ahead: %w", err)
		}
		ok = true
		return nil
	})
	return id, ok && err == nil, err
}

func aheadQuery(f Filter, by Person, now int64) *query {
	b := &query{args: []any{now, by.ID}}
	b.nextFree(f, "$2", "$1")
	return b
}
