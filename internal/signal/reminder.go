package signal

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/turn"
)

// reminders produce what reactions to them teach.
const reminders = "reminder"

// zoned is where a reaction's context has its time with the zone in which the user lives by it.
const zoned = "at"

// React stores what users did with an agent's reminders: each a signal whose score is the seed's weight.
func (s *Store) React(ctx context.Context, agentID, agent, user string, list []learned.Reaction) error {
	if len(list) == 0 || len(list) > mostSent {
		return fault.Wrong("These reactions can't be stored.", "/reactions", "Send 1 to 1,000 reactions.")
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		for i, r := range list {
			weight := learned.Reactions[r.Kind]
			if !r.Fits(turn.MaxName, tx.Now) {
				return fault.Wrong("These reactions can't be stored.", fmt.Sprintf("/reactions/%d", i),
					"Send a reaction, a trigger of at most 200 bytes, and a time of the past.")
			}
			at := cmp.Or(r.At, tx.Now)
			if err := addTx(tx, Signal{AgentID: agentID, AgentName: agent, User: user, Producer: reminders,
				Kind: Reacted, Category: r.Kind, Action: s.hide(r.Trigger), Score: &weight, CreatedAt: at,
				Context: map[string]any{zoned: at.Format(time.RFC3339)}}); err != nil {
				return err
			}
		}
		tx.Touch(Topic)
		if user == "" {
			return nil // of nobody's reactions there is no habit
		}
		return s.remindedTx(tx, turn.Turn{AgentID: agentID, Agent: agent, User: user})
	})
}

// What reminders have to come to before a person is asked to make it a habit: as many of one part of the day or of one
// trigger, and this share of them done in all likelihood.
const (
	leastReminders = 10
	surelyWork     = 0.6
)

// remindersTalk is the session in which what reminders teach waits for a person.
const remindersTalk = "Reminders"

// remindedTx proposes the times and triggers at which a user's reminders work, with how many did. What waits already
// has its counts renewed, and what a person decided on stays decided.
func (s *Store) remindedTx(tx *db.Tx, of turn.Turn) error {
	list, err := remindersTx(tx, of.AgentID, of.User)
	if err != nil {
		return err
	}
	for _, e := range learned.Effect(list) {
		content := e.Proposal()
		if content == "" || e.N < leastReminders || e.Low < surelyWork {
			continue
		}
		g := Signal{AgentID: of.AgentID, AgentName: of.Agent, User: of.User, Producer: reminders, Kind: Learning,
			Category: learned.Pattern, Scope: "universal", Action: e.By + ":" + e.Name, Content: s.hide(content),
			Confidence: e.Low, Priority: 2, Count: e.N, State: Open,
			Evidence: []string{fmt.Sprintf("%d of %d done", e.Worked, e.N)}}
		had, err := db.Maybe[string](tx, "signal: look for what reminders taught", `SELECT id FROM signal
			WHERE agent_id = $1 AND user_id = $2 AND producer = 'reminder' AND kind = 'learning' AND action = $3
			LIMIT 1`, g.AgentID, g.User, g.Action)
		switch {
		case err != nil:
			return err
		case had != "":
			err = db.Exec(tx, "signal: renew what reminders taught", `UPDATE signal SET evidence = $1, confidence = $2,
				count = $3, updated_at = $4
				WHERE id = $5 AND state = 'open'`, jsonOf(g.Evidence), g.Confidence, g.Count, tx.NowMs(), had)
		default:
			if g.TalkID, err = s.remindersTalkTx(tx, of); err == nil {
				err = addTx(tx, g)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) remindersTalkTx(tx *db.Tx, of turn.Turn) (string, error) {
	had, err := db.Maybe[string](tx, "signal: find the session of reminders", `SELECT id FROM talk
		WHERE agent_id = $1 AND user_id = $2 AND name = $3 LIMIT 1`, of.AgentID, of.User, remindersTalk)
	if err != nil || had != "" {
		return had, err
	}
	return s.fileTalkTx(tx, of, remindersTalk, TalkTold, Told{By: "reactions to reminders"})
}

// Reminders is what works when, by the newest reactions to an agent's reminders; of one user's, where one is named.
func (s *Store) Reminders(ctx context.Context, agentID, user string) ([]learned.Slice, error) {
	list, err := db.Read(ctx, s.d, func(tx *db.Tx) ([]learned.Reaction, error) {
		return remindersTx(tx, agentID, user)
	})
	return learned.Effect(list), err
}

func remindersTx(tx *db.Tx, agentID, user string) ([]learned.Reaction, error) {
	list, err := signalsTx(tx, "read reactions to reminders", `
		WHERE agent_id = $1 AND kind = 'reaction' AND ($2 = '' OR user_id = $2)
		ORDER BY created_at DESC, id DESC LIMIT $3`, agentID, user, mostResults)
	out := make([]learned.Reaction, len(list))
	for i, g := range list {
		text, _ := g.Context[zoned].(string)
		at, wrong := time.Parse(time.RFC3339, text)
		if wrong != nil {
			at = g.CreatedAt // its context was erased
		}
		out[i] = learned.Reaction{Kind: g.Category, Trigger: g.Action, At: at}
	}
	return out, err
}
