package stats

import (
	"context"
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/db/keyset"
)

// RuleRows reads the votes of a range on answers that were made with a rule since q.Since, newest first: those that Change.With counts.
func (r *Reader) RuleRows(ctx context.Context, f Filter, ruleID string, q RowQuery) (p RowPage, err error) {
	limit := q.Limit
	if limit <= 0 || limit > 200 {
		limit = 50
	}
	at, err := fromPlace(f, q)
	if err != nil {
		return p, err
	}
	topic, _ := f.subject()
	if from := midnight(q.Since, f.zone()); !q.Since.IsZero() && from.After(f.From) {
		f.From = from
	}
	query, args := keyset.Order{At: `at`, ID: `id`}.Page(`SELECT `+voteColumns+` FROM (SELECT interaction_id FROM knowledge_usage WHERE item_id = $1 AND created_at >= $2 ORDER BY created_at DESC LIMIT $3) u
		CROSS JOIN vote ON subject_id = u.interaction_id
		WHERE at >= $4 AND norm <> 0.5 AND ($5 = '' OR agent_type = $5) AND `+isTopic(`topic`, `$6`),
		[]any{ruleID, max(db.Ms(q.Since), 0), maxUses, db.Ms(f.From), f.Agent, topic}, at, limit+1)
	err = r.read(ctx, func(tx *db.Tx) error {
		return each(tx, query, args, func(rows db.Row) error {
			v, err := scanVote(rows)
			p.Rows = append(p.Rows, v)
			return err
		})
	})
	if err != nil {
		return p, fmt.Errorf("stats: votes on a rule: %w", err)
	}
	p.Rows, p.Next = keyset.Cut(p.Rows, limit, func(r *Row) string { return keyset.At(r.At, r.ID).Cursor() })
	return p, nil
}
