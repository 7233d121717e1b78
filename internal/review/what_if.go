package review

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/policy"
)

// WhatIfMost bounds how many cases WhatIf looks at: the newest.
const WhatIfMost = 1000

// WhatIf tells what another policy for an agent would have meant for the drafts that arrived since from, by the same
// rules and the same draw that a new draft meets. agentID "" asks for all agents that have no policy of their own. It
// looks at the newest WhatIfMost.
func (q *Queue) WhatIf(ctx context.Context, agentID string, next policy.Policy,
	from time.Time) (e policy.Effect, err error) {
	var cases []pastCase
	now := map[string]policy.Policy{}
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		if next.Follows {
			if next, err = q.policyTx(tx, ""); err != nil {
				return err
			}
		}
		if cases, err = q.newestCases(ctx, tx, agentID, from); err != nil {
			return err
		}
		for _, c := range cases {
			if _, ok := now[c.in.AgentID]; !ok {
				if now[c.in.AgentID], err = q.policyTx(tx, c.in.AgentID); err != nil {
					return err
				}
			}
		}
		return nil
	})
	next.Version = max(next.Version, 1)
	for _, c := range cases {
		if p := now[c.in.AgentID]; agentID != "" || p.AgentID == "" {
			weigh(&e, c, p, next)
		}
	}
	return e, err
}

type pastCase struct {
	in interaction.Interaction
	a  Assessment
}

func weigh(e *policy.Effect, c pastCase, now, next policy.Policy) {
	f := c.a.facts()
	under := func(p policy.Policy) (unread, second bool) {
		unread = mayGoUnread(&c.in, c.a, p, f)
		return unread, !unread && len(p.NeedsSecond(f)) > 0
	}
	unreadNow, secondNow := under(now)
	unreadNext, secondNext := under(next)
	e.Count(unreadNow, secondNow, unreadNext, secondNext)
}

// newestCases reads what facts needs of the cases, and nothing more.
func (q *Queue) newestCases(ctx context.Context, tx *db.Tx, agentID string,
	from time.Time) (list []pastCase, err error) {
	where, args := `i.created_at >= $1`, []any{db.Ms(from)}
	if agentID != "" {
		where, args = where+` AND i.agent_id = $2`, append(args, agentID)
	}
	return db.List(tx, "review: read the newest cases", func(row db.Row) (c pastCase, err error) {
		var actions bool
		err = row.Scan(&c.in.ID, &c.in.AgentID, &c.in.Revises,
			&c.a.Label, &c.a.Passed, &c.a.Blocked, &c.a.Borderline, &c.a.Confidence, db.JSON(&c.a.Flags),
			db.JSON(&c.a.Facts), &actions)
		if actions {
			c.in.Actions = make(interaction.Actions, 1)
		}
		return c, err
	}, `SELECT i.id, i.agent_id, i.revises, r.label, r.passed, r.blocked, r.borderline, r.confidence, r.flags, r.facts,
			i.actions <> ''
		FROM interaction i JOIN review r ON r.id = i.id WHERE i.planted = 0 AND `+where+fmt.Sprintf(`
			ORDER BY i.created_at DESC, i.id DESC LIMIT %d`, WhatIfMost), args...)
}
