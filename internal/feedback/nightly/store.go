package nightly

import (
	"context"
	"encoding/json"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

// writeTx stores a summary, once; reports whether it was new.
func (b *Batch) writeTx(tx *db.Tx, n *Night) (bool, error) {
	n.At = tx.Now
	patterns, err := json.Marshal(n.Patterns)
	if err != nil {
		return false, err
	}
	count, err := db.Change(tx, "nightly: write a night", `INSERT INTO night (id, day, agent_id, agent_name, agent_type,
			interactions, positive, negative, neutral, promoted, demoted, retired, patterns, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
			ON CONFLICT (agent_id, agent_type, day) DO NOTHING`,
		n.ID, n.Day, n.AgentID, n.AgentName, n.AgentType, n.Interactions, n.Positive, n.Negative, n.Neutral, n.Promoted,
		n.Demoted, n.Retired, string(patterns), tx.NowMs())
	return count > 0, err
}

// Nights lists summaries, the latest day first, 25 at a time. next is "" on the last page.
func (b *Batch) Nights(ctx context.Context, cursor string) (list []Night, next string, err error) {
	const limit = keyset.Standard
	where, args := ``, []any{}
	if cursor != "" {
		var day, nightID string
		if err := keyset.Read(cursor, &day, &nightID); err != nil {
			return nil, "", err
		}
		where, args = ` WHERE day < $1 OR day = $1 AND id > $2`, []any{day, nightID}
	}
	list, err = db.Read(ctx, b.db, func(tx *db.Tx) ([]Night, error) {
		return nights(tx, where+` ORDER BY day DESC, id LIMIT `+db.In(len(args)+1, 1), append(args, limit+1)...)
	})
	list, next = keyset.Cut(list, limit, func(n *Night) string { return keyset.Cursor(n.Day, n.ID) })
	return list, next, err
}

// Night finds one; NotFound when there is none.
func (b *Batch) Night(ctx context.Context, nightID string) (n Night, err error) {
	list, err := db.Read(ctx, b.db, func(tx *db.Tx) ([]Night, error) { return nights(tx, ` WHERE id = $1`, nightID) })
	switch {
	case err != nil:
		return n, err
	case len(list) == 0:
		return n, fault.New(fault.NotFound, "There is no such night.")
	}
	return list[0], nil
}

func nights(tx *db.Tx, where string, args ...any) (list []Night, err error) {
	return db.Rows(tx, "nightly: read nights", func(n *Night) []any {
		return []any{&n.ID, &n.Day, &n.AgentID, &n.AgentName, &n.AgentType, &n.Interactions, &n.Positive, &n.Negative,
			&n.Neutral, &n.Promoted, &n.Demoted, &n.Retired,
			db.JSON(&n.Patterns), db.At(&n.At)}
	}, `SELECT id, day, agent_id, agent_name, agent_type, interactions, positive, negative, neutral, promoted, demoted,
		retired, patterns, at
		FROM night`+where, args...)
}
