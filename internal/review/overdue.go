package review

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
)

// lateBatch is how many late cases one transaction marks.
const lateBatch = 500

// Overdue is a waiting case that passed its agent's target, and who it is with.
type Overdue struct {
	ID, Task   string
	AssignedTo string // an account or a team's key; "" when it is to nobody
	Holder     string // account that works on it now; "" when nobody does
	CreatedAt  time.Time
}

// Remind finds the cases that passed their target since the last call and hands them to OnLate, in batches, each in the
// transaction that marks them: a case is handed out once. It returns how many there were.
func (q *Queue) Remind(ctx context.Context) (n int, err error) {
	for told := lateBatch; told == lateBatch; n += told {
		if told, err = q.remind(ctx); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (q *Queue) remind(ctx context.Context) (n int, err error) {
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		targets, err := q.targetsTx(tx)
		if err != nil {
			return err
		}
		b := &query{}
		b.Add(`UPDATE review SET reminded_at = ?
			WHERE id IN (SELECT id FROM review WHERE state = 'waiting' AND reminded_at = 0 AND `, tx.NowMs())
		b.where(Filter{Targets: targets}.late(tx.NowMs()))
		b.Add(` ORDER BY created_at, id LIMIT ?)
			RETURNING id, task, assigned_to, CASE WHEN claimed_until > $1 THEN claimed_by ELSE '' END,
				created_at`, lateBatch)
		late, err := db.Rows(tx, "review: mark late cases", func(o *Overdue) []any {
			return []any{&o.ID, &o.Task, &o.AssignedTo, &o.Holder, db.At(&o.CreatedAt)}
		},
			b.SQL, b.Args...)
		if n = len(late); err != nil || n == 0 {
			return err
		}
		tx.Touch("reviews")
		return q.hooks.OnLate(tx, late)
	})
	return n, err
}
