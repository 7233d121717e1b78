package review

import (
	"context"
	"time"

	"preceptor/internal/db"
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
	targets, err := q.lateTargets(ctx)
	if err != nil || len(targets) == 0 {
		return 0, err
	}
	var at place
	for {
		due, next, err := q.due(ctx, targets, at)
		if err != nil {
			return n, err
		}
		if len(due) > 0 {
			told, err := q.remind(ctx, due)
			if err != nil {
				return n, err
			}
			n += told
		}
		if next.id == "" {
			return n, nil
		}
		at = next
	}
}

// lateTargets is how old a case of each agent that has any waiting may become. One step along an index per agent.
func (q *Queue) lateTargets(ctx context.Context) (targets map[string]time.Duration, err error) {
	targets = map[string]time.Duration{}
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		agent := ""
		for {
			if err := db.One(tx, "review: find late cases", `SELECT COALESCE(MIN(agent_id), '') FROM review WHERE state = 'waiting' AND agent_id > $1`, agent).Scan(&agent); err != nil {
				return err
			}
			if agent == "" {
				return nil
			}
			p, err := q.policyTx(tx, agent)
			if err != nil {
				return err
			}
			targets[agent] = p.TargetLate
		}
	})
	return targets, err
}

// due is one batch of the walk along what nobody was told of, oldest first: the late ones of it, and where to go on; next
// is empty when all that follow are younger than every target.
func (q *Queue) due(ctx context.Context, targets map[string]time.Duration, at place) (ids []any, next place, err error) {
	shortest := time.Duration(1<<63 - 1)
	for _, t := range targets {
		shortest = min(shortest, t)
	}
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		seen := 0
		err := db.Each(tx, "review: find late cases", func(row db.Row) error {
			var id, agent string
			var created int64
			if err := row.Scan(&id, &agent, &created); err != nil {
				return err
			}
			seen++
			next = place{ms: created, id: id}
			if target, ok := targets[agent]; ok && tx.Now.Sub(db.Time(created)) >= target {
				ids = append(ids, id)
			}
			return nil
		}, `SELECT id, agent_id, created_at FROM review WHERE state = 'waiting' AND reminded_at = 0
			AND (created_at, id) > ($1, $2) AND created_at <= $3 ORDER BY created_at, id LIMIT $4`, at.ms, at.id, db.Ms(tx.Now.Add(-shortest)), lateBatch)
		if err != nil {
			return err
		}
		if seen < lateBatch {
			next = place{}
		}
		return nil
	})
	return ids, next, err
}

// remind marks those of ids that still wait and hands them on.
func (q *Queue) remind(ctx context.Context, ids []any) (n int, err error) {
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		late, err := db.Rows(tx, "review: mark late cases", func(o *Overdue) []any { return []any{&o.ID, &o.Task, &o.AssignedTo, &o.Holder, db.At(&o.CreatedAt)} },
			`UPDATE review SET reminded_at = $1 WHERE state = 'waiting' AND reminded_at = 0 AND id IN (`+db.In(2, len(ids))+`)
			RETURNING id, task, assigned_to, CASE WHEN claimed_until > $1 THEN claimed_by ELSE '' END, created_at`, append([]any{tx.NowMs()}, ids...)...)
		if err != nil {
			return err
		}
		if n = len(late); n == 0 {
			return nil
		}
		tx.Touch("reviews")
		return q.hooks.OnLate(tx, late)
	})
	return n, err
}
