package stats

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// RuleRows reads the votes of a range on answers that were made with a rule since q.Since, newest first: those that Change.With counts.
func (r *Reader) RuleRows(ctx context.Context, f Filter, ruleID string, q RowQuery) (p RowPage, err error) {
	limit := q.Limit
	if limit <= 0 || limit > 200 {
		limit = 50
	}
	at, after, err := ruleCursor(q.After)
	if err != nil {
		return p, err
	}
	if at == 0 {
		at = db.Ms(f.To)
	}
	topic, _ := f.subject()
	if from := midnight(q.Since, f.zone()); !q.Since.IsZero() && from.After(f.From) {
		f.From = from
	}
	err = r.read(ctx, func(tx *db.Tx) error {
		return each(tx, `SELECT `+voteColumns+` FROM (SELECT interaction_id FROM knowledge_usage WHERE item_id = $1 AND created_at >= $2 ORDER BY created_at DESC LIMIT $3) u
			CROSS JOIN vote ON subject_id = u.interaction_id
			WHERE at >= $4 AND (at < $5 OR at = $5 AND id < $6) AND norm <> 0.5 AND ($7 = '' OR agent_type = $7) AND `+isTopic(`topic`, `$8`)+`
			ORDER BY at DESC, id DESC LIMIT $9`,
			[]any{ruleID, max(db.Ms(q.Since), 0), maxUses, db.Ms(f.From), at, after, f.Agent, topic, limit + 1}, func(rows *sql.Rows) error {
				v, err := scanVote(rows)
				p.Rows = append(p.Rows, v)
				return err
			})
	})
	if err != nil {
		return p, fmt.Errorf("stats: votes on a rule: %w", err)
	}
	if len(p.Rows) > limit {
		p.Rows = p.Rows[:limit]
		last := p.Rows[limit-1]
		p.Next = strconv.FormatInt(db.Ms(last.At), 10) + "." + last.ID
	}
	return p, nil
}

func ruleCursor(s string) (at int64, id string, err error) {
	if s == "" {
		return 0, "", nil
	}
	ms, id, ok := strings.Cut(s, ".")
	at, err = strconv.ParseInt(ms, 10, 64)
	if !ok || err != nil || at <= 0 || id == "" {
		return 0, "", fault.New(fault.Invalid, "This is no place in the list. Open the list again.")
	}
	return at, id, nil
}
