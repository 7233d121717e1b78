package signal

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/learned"
)

// zoned is where a reaction's context has its time with the zone in which the user lives by it.
const zoned = "at"

// React stores what users did with an agent's reminders: each a signal whose score is the seed's weight.
func (s *Store) React(ctx context.Context, agentID, agent, user string, list []learned.Reaction) error {
	if len(list) == 0 || len(list) > mostSent {
		return fault.Wrong("These reactions can't be stored.", "/reactions", "Send 1 to 1,000 reactions.")
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		for i, r := range list {
			weight, known := learned.Reactions[r.Kind]
			if !known || len(r.Trigger) > MaxName || r.At.After(tx.Now.Add(24*time.Hour)) {
				return fault.Wrong("These reactions can't be stored.", fmt.Sprintf("/reactions/%d", i),
					"Send a reaction, a trigger of at most 200 bytes, and a time of the past.")
			}
			at := on(r.At, tx.Now)
			if err := addTx(tx, Signal{AgentID: agentID, AgentName: agent, User: user, Producer: "reminder",
				Kind: Reacted, Category: r.Kind, Action: s.hide(r.Trigger), Score: &weight, CreatedAt: at,
				Context: map[string]any{zoned: at.Format(time.RFC3339)}}); err != nil {
				return err
			}
		}
		tx.Touch(Topic)
		return nil
	})
}

// Reminders is what works when, by the newest reactions to an agent's reminders; of one user's, where one is named.
func (s *Store) Reminders(ctx context.Context, agentID, user string) ([]learned.Slice, error) {
	list, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]Signal, error) {
		return db.List(tx, "signal: read reactions to reminders", scanSignal, `SELECT `+columns+` FROM signal
			WHERE agent_id = $1 AND kind = 'reaction' AND ($2 = '' OR user_id = $2)
			ORDER BY created_at DESC, id DESC LIMIT $3`, agentID, user, mostResults)
	})
	out := make([]learned.Reaction, len(list))
	for i, g := range list {
		text, _ := g.Context[zoned].(string)
		at, wrong := time.Parse(time.RFC3339, text)
		if wrong != nil {
			at = g.CreatedAt // its context was erased
		}
		out[i] = learned.Reaction{Kind: g.Category, Trigger: g.Action, At: at}
	}
	return learned.Effect(out), err
}
