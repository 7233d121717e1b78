package review

import (
	"context"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
)

// Told is another draft of a conversation, and what became of it.
type Told struct {
	ID      string
	Turn    int // which of the customer's messages it answers
	Opening string
	At      time.Time // of its decision; of its arrival while it waits
	State   string    // waiting or decided
	Kind    string    // of the decision that stands; "" for none
	By      string
	Sent    string              // the text that the customer has; "" for none
	Actions interaction.Actions // as they were decided
	Handed  bool                // the agent was given those that were approved, or will be after the hold
	Taken   interaction.Actions // as they were decided in what was recalled: the agent was given those approved
	Ended   string              // as Row.Ended
	Open    bool                // the customer waits for a person, who is With; nobody yet: zero
	With    Person
}

// mostTold is how many drafts of a conversation a page shows.
const mostTold = 50

// Thread lists the other drafts of a review's conversation, newest first.
func (q *Queue) Thread(ctx context.Context, r *Row) ([]Told, error) {
	if r.Thread == "" {
		return nil, nil
	}
	return db.Read(ctx, q.db, func(tx *db.Tx) ([]Told, error) {
		return db.Rows(tx, "review: the conversation of "+r.ID, func(t *Told) []any {
			return []any{&t.ID, &t.Turn, &t.Opening, db.At(&t.At), &t.State, &t.Kind, &t.By, &t.Sent,
				db.JSON(&t.Actions), db.JSON(&t.Taken), &t.Handed, &t.Ended, &t.Open, &t.With.ID, &t.With.Name}
		}, `SELECT r.id, r.turn, r.opening, COALESCE(d.decided_at, r.created_at), r.state, COALESCE(`+didSQL+`, ''),
			COALESCE(d.by_name, ''), CASE WHEN i.no_text = 1 THEN '' ELSE i.final_text END, COALESCE(d.actions, ''),
			COALESCE((SELECT x.actions FROM decision x WHERE x.review_id = r.id AND x.state = 'recalled'
				ORDER BY x.decided_at DESC, x.id DESC LIMIT 1), ''),
			COALESCE(d.state, '') IN ('held', 'released'), r.ended, e.interaction_id IS NOT NULL,
			COALESCE(e.taken_by, ''), COALESCE(e.taken_name, '')
			FROM review r JOIN interaction i ON i.id = r.id
				LEFT JOIN decision d ON d.id = r.decision_id AND r.decision_id <> ''
				LEFT JOIN escalation e ON e.interaction_id = r.id AND e.closed_at = 0
			WHERE r.agent_id = $1 AND r.thread = $2 AND r.thread <> '' AND r.id <> $3
			ORDER BY r.turn DESC, r.created_at DESC, r.id DESC LIMIT $4`, r.AgentID, r.Thread, r.ID, mostTold)
	})
}

// WroteSince reports whether a draft of a review's conversation came after at that answers a later message.
func (q *Queue) WroteSince(ctx context.Context, id string, at time.Time) (bool, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (bool, error) {
		return db.Value[bool](tx, "review: did the customer of "+id+" write again", `SELECT EXISTS (SELECT 1
			FROM review r JOIN review n ON n.agent_id = r.agent_id AND n.thread = r.thread AND n.turn > r.turn
			WHERE r.id = $1 AND r.thread <> '' AND n.created_at > $2)`, id, db.Ms(at))
	})
}

// turnTx is which of the customer's messages in its conversation a draft answers, as the version before it, or the
// newest draft, tells.
func (q *Queue) turnTx(tx *db.Tx, in *interaction.Interaction) (turn int, err error) {
	c, last := in.Consultation, ""
	if c.Thread == "" {
		return c.Turn(), nil
	}
	_, err = db.One(tx, "review: find the newest of the conversation of "+in.ID, `SELECT id, turn FROM review
		WHERE agent_id = $1 AND thread = $2
		ORDER BY CASE WHEN id = $3 THEN 0 ELSE 1 END, turn DESC, id DESC LIMIT 1`, in.AgentID, c.Thread,
		in.Revises).Find(&last, &turn)
	if err != nil || last == "" {
		return c.Turn(), err
	}
	newest, err := q.interactions.GetTx(tx, last)
	if err != nil {
		return 0, err
	}
	return c.After(newest.Consultation, turn), nil
}

// LastTurn is which of the customer's messages is the last that a draft of the conversation answers.
func (r *Row) LastTurn(others []Told) int {
	last := r.Turn
	for _, t := range others {
		last = max(last, t.Turn)
	}
	return last
}

// shareClaimTx puts the drafts of a review's conversation under the claim that the review has: one supervisor answers
// a customer. What somebody else works on or has reserved, and what this person signed first or skipped, stays.
func (q *Queue) shareClaimTx(tx *db.Tx, id string) error {
	r, err := getRow(tx, id)
	if err != nil || r.Thread == "" {
		return err
	}
	by := r.Claim.By
	teams, err := q.teamsOf(tx, by.ID)
	if err != nil {
		return err
	}
	b := &query{}
	b.Add(`UPDATE review SET claimed_by = ?, claimed_name = ?, claimed_at = ?, claimed_until = ?`, by.ID, by.Name,
		db.Ms(r.Claim.Since), db.Ms(r.Claim.Until))
	b.Add(` WHERE agent_id = ? AND thread = ? AND thread <> '' AND state = 'waiting' AND first_by <> $1
		AND (claimed_by = $1 OR claimed_until <= ?) AND `, r.AgentID, r.Thread, tx.NowMs())
	b.where(Filter{Viewer: by.ID, teams: teams}.handOut(tx.NowMs())...)
	return db.Exec(tx, "review: claim the conversation of "+id, b.SQL, b.Args...)
}

// keepTalkTx extends what else somebody holds of a review's conversation. It takes nothing.
func (q *Queue) keepTalkTx(tx *db.Tx, id string, by Person) error {
	return db.Exec(tx, "review: renew the conversation of "+id, `UPDATE review SET claimed_until = $1
		WHERE state = 'waiting' AND claimed_by = $2 AND claimed_until > $3 AND EXISTS (SELECT 1 FROM review o
			WHERE o.id = $4 AND o.thread <> '' AND o.thread = review.thread AND o.agent_id = review.agent_id)`,
		q.claimEnd(tx), by.ID, tx.NowMs(), id)
}

// joinClaimTx gives a draft that arrives the claim under which the others of its conversation are.
func joinClaimTx(tx *db.Tx, id, agentID, thread string) error {
	if thread == "" {
		return nil
	}
	other, err := db.Maybe[string](tx, "review: who works on the conversation of "+id, `SELECT id FROM review
		WHERE agent_id = $1 AND thread = $2 AND thread <> '' AND state = 'waiting' AND claimed_until > $3
		ORDER BY claimed_until DESC, id DESC LIMIT 1`, agentID, thread, tx.NowMs())
	if err != nil || other == "" {
		return err
	}
	r, err := getRow(tx, other)
	if err != nil {
		return err
	}
	return db.Exec(tx, "review: claim "+id, `UPDATE review SET claimed_by = $1, claimed_name = $2, claimed_at = $3,
		claimed_until = $4 WHERE id = $5`, r.Claim.By.ID, r.Claim.By.Name, db.Ms(r.Claim.Since), db.Ms(r.Claim.Until),
		id)
}

// talkTx is the conversation that a draft is of, by its first review: it tells nothing of the customer, so an erasure
// leaves it.
func talkTx(tx *db.Tx, in *interaction.Interaction) (talk string, err error) {
	if in.Consultation.Thread == "" {
		return "", nil
	}
	talk, err = db.Value[string](tx, "review: find a conversation", `SELECT COALESCE(min(talk), $1) FROM review
		WHERE agent_id = $2 AND thread = $3 AND thread <> ''`, in.ID, in.AgentID, in.Consultation.Thread)
	return talk, err
}
