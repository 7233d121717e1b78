package signal

import (
	"context"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

const (
	pruneEvery = time.Hour
	pruneBatch = 500
)

// old are the rows of an agent that its retention takes: ids after $3 of what is older than $2, at most $4. Turns of a
// session that wasn't looked through yet stay, and so does what a person decides or decided on.
var old = []struct{ table, query string }{
	{"turn", `SELECT t.id, t.user_id, t.ref FROM turn t JOIN talk k ON k.id = t.talk_id
		WHERE t.agent_id = $1 AND t.created_at < $2 AND k.state = 'told' AND t.id > $3 ORDER BY t.id LIMIT $4`},
	{"signal", `SELECT g.id, g.user_id, coalesce(t.ref, '') FROM signal g LEFT JOIN turn t ON t.id = g.turn_id
		WHERE g.agent_id = $1 AND g.created_at < $2 AND g.id > $3
			AND g.kind IN ('observation', 'issue', 'right', 'abstained', 'reaction')
			AND NOT EXISTS (SELECT 1 FROM talk k WHERE k.id = g.talk_id AND k.state <> 'told')
		ORDER BY g.id LIMIT $4`},
}

// Prune takes away what is older than agents' settings keep, and with it the lines of the files that are written of it,
// but for what is under a legal hold. A periodic task.
func (s *Store) Prune(ctx context.Context) error {
	type kept struct {
		agentID string
		set     Settings
	}
	agents, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]kept, error) {
		return db.Rows(tx, "signal: list retentions", func(k *kept) []any {
			return []any{&k.agentID, db.JSON(&k.set)}
		}, `SELECT agent_id, settings FROM agent_signal ORDER BY agent_id`)
	})
	for _, k := range agents {
		if k.set.KeepDays > 0 && err == nil {
			err = s.prune(ctx, k.agentID, s.d.Now().AddDate(0, 0, -k.set.KeepDays))
		}
	}
	return err
}

func (s *Store) prune(ctx context.Context, agentID string, before time.Time) error {
	gone := map[string]any{"before": db.Ms(before)}
	// signals first: whose they are, their turns say
	for i := len(old) - 1; i >= 0; i-- {
		n, after := 0, ""
		for {
			b, err := s.dead(ctx, old[i].query, agentID, before, after)
			if err != nil {
				return err
			}
			if b.last == after {
				break
			}
			if len(b.dead) == 0 {
				after = b.last
				continue
			}
			if err := s.d.Write(ctx, func(tx *db.Tx) error {
				holds, err := s.hooks.Held(tx)
				if err != nil || holds.Last != b.holds.Last {
					return err // one was set meanwhile: the batch is read again
				}
				after, n = b.last, n+len(b.dead)
				tx.Touch(Topic)
				return db.Exec(tx, "signal: prune", `DELETE FROM `+old[i].table+` WHERE id IN (`+db.In(1, len(b.dead))+`)`,
					db.Anys(b.dead)...)
			}); err != nil {
				return err
			}
		}
		gone[old[i].table+"s"] = n
	}
	if gone["turns"] == 0 && gone["signals"] == 0 {
		return nil
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "signal: prune empty sessions", `DELETE FROM talk
			WHERE agent_id = $1 AND state = 'told' AND last_at < $2
				AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.talk_id = talk.id)
				AND NOT EXISTS (SELECT 1 FROM signal g WHERE g.talk_id = talk.id)`, agentID, db.Ms(before)); err != nil {
			return err
		}
		return audit.Note(tx, audit.System("signal"), "signal.pruned", "agent", agentID, gone)
	})
}

// batch are old rows on which no hold stood, and the last id that was looked at.
type batch struct {
	dead  []string
	last  string
	holds Holds
}

func (s *Store) dead(ctx context.Context, query, agentID string, before time.Time, after string) (batch, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (batch, error) {
		b := batch{last: after}
		holds, err := s.hooks.Held(tx)
		if err != nil {
			return b, err
		}
		b.holds = holds
		type row struct{ id, user, ref string }
		rows, err := db.Rows(tx, "signal: list what is old", func(r *row) []any {
			return []any{&r.id, &r.user, &r.ref}
		}, query, agentID, db.Ms(before), after, pruneBatch)
		held := map[row]bool{}
		for _, r := range rows {
			b.last = r.id
			whose := row{"", r.user, r.ref}
			if _, known := held[whose]; !known && holds.On != nil && err == nil {
				held[whose], err = holds.On(tx, r.user, r.ref)
			}
			if !held[whose] {
				b.dead = append(b.dead, r.id)
			}
		}
		return b, err
	})
}
