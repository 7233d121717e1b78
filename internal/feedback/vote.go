package feedback

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// MaxVersions is how often one user may change one vote: more is a flood and no change of mind.
const MaxVersions = 100

var channels = []string{ChannelAPI, ChannelWidget, ChannelLink, ChannelChat, ChannelDesk}

// Norm maps a value to 0 to 1. ok is false for a value that the kind does not have, or a kind that there is not.
func Norm(kind string, value float64) (norm float64, ok bool) {
	switch kind {
	case Thumbs:
		return (value + 1) / 2, value == -1 || value == 0 || value == 1
	case Rating:
		return value / 10, value >= 0 && value <= 10 // false for what is no number
	}
	return 0, false
}

// Middle of ten is neither good nor bad: what is above is good, what is below is bad, of a vote's rating as of each
// score of an outcome.
const Middle = 5.0

func (v *Vote) check() error {
	var w wrong
	w.text("interaction_id", &v.SubjectID, MaxName, true)
	w.text("user_id", &v.UserID, MaxName, false)
	w.text("feedback_text", &v.Text, MaxText, false)
	norm, ok := Norm(v.Kind, v.Value)
	switch {
	case v.Kind != Thumbs && v.Kind != Rating:
		w.add("feedback_type", "Send thumbs or rating.")
	case !ok && v.Kind == Thumbs:
		w.add("feedback_value", "Send -1, 0 or 1 for thumbs.")
	case !ok || math.IsNaN(norm):
		w.add("feedback_value", "Send a number from 0 to 10 for a rating.")
	}
	if v.Norm = norm; norm == 0 {
		v.Norm = 0 // and not minus nought
	}
	if !slices.Contains(channels, v.Channel) {
		return fmt.Errorf("feedback: a vote by an unknown channel %q", v.Channel)
	}
	return w.err()
}

// Vote stores a user's opinion, in place of an earlier one of theirs. Invalid names the fields; NotFound for a subject
// that is absent or, where Vote.AgentID is set, another agent's; Conflict while there is nothing to judge; Limited
// after MaxVersions.
func (b *Book) Vote(ctx context.Context, v Vote) (st Stored, err error) {
	if err := v.check(); err != nil {
		return Stored{}, err
	}
	p, err := b.probe(ctx, v)
	if err != nil {
		return Stored{}, err
	}
	st, err = db.Write(ctx, b.db, func(tx *db.Tx) (Stored, error) { return b.voteTx(tx, v, p) })
	if err != nil {
		return Stored{}, err
	}
	return st, nil
}

// VoteTx is Vote in the caller's transaction. Like queries are told by their vectors only where the embedder needs no
// network.
func (b *Book) VoteTx(tx *db.Tx, v Vote) (Stored, error) {
	if err := v.check(); err != nil {
		return Stored{}, err
	}
	var p probe
	if b.embedder != nil && llm.IsLocal(b.embedder) {
		s, err := b.SubjectTx(tx, v.AgentID, v.SubjectID)
		if err != nil {
			return Stored{}, err
		}
		known, err := memberTx(tx, s.ID)
		if err != nil {
			return Stored{}, err
		}
		if known == "" {
			p = b.embed(context.Background(), s, s.Query)
		}
	}
	return b.voteTx(tx, v, p)
}

func (b *Book) voteTx(tx *db.Tx, v Vote, p probe) (Stored, error) {
	s, err := b.SubjectTx(tx, v.AgentID, v.SubjectID)
	if err == nil {
		err = s.judgeable()
	}
	if err != nil {
		return Stored{}, err
	}
	v.SubjectID = s.ID
	if v.UserID = cmp.Or(v.UserID, s.UserID, s.SessionID); v.UserID == "" {
		return Stored{}, fault.Wrong("This vote needs a user.", "/user_id",
			"Send your id for the user: the interaction names no user and no session.")
	}
	if v.At.IsZero() {
		v.At = tx.Now
	}
	old, err := mineTx(tx, v.SubjectID, v.UserID)
	if err != nil {
		return Stored{}, err
	}
	if old != nil && old.Kind == v.Kind && old.Value == v.Value && old.Text == v.Text {
		return b.standing(tx, Stored{Vote: *old, Same: true})
	}
	if err := b.writeVoteTx(tx, &v, old, s); err != nil {
		return Stored{}, err
	}
	if err := b.hooks.OnVote(tx, old, v, s); err != nil {
		return Stored{}, fmt.Errorf("feedback: after a vote on %s: %w", s.ID, err)
	}
	if err := rewardTx(tx, s); err != nil {
		return Stored{}, err
	}
	st := Stored{Vote: v, Replaced: old != nil}
	if st.Promoted, err = b.countTx(tx, s, v, p); err != nil {
		return Stored{}, err
	}
	tx.Touch(Topic)
	return b.standing(tx, st)
}

// mineTx is the present vote of a user; nil when there is none.
func mineTx(tx *db.Tx, subjectID, userID string) (*Vote, error) {
	list, err := votesTx(tx, selectVotes+` WHERE subject_id = $1 AND user_id = $2`, subjectID, userID)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// writeVoteTx stores v as the next version of the user's vote.
func (b *Book) writeVoteTx(tx *db.Tx, v *Vote, old *Vote, s Subject) error {
	v.ID, v.Version = id.New(), 1
	action := "feedback.voted"
	var err error
	if old == nil {
		_, err = tx.Exec(`INSERT INTO vote (id, subject_id, user_id, agent_id, agent_type, topic, kind, value, norm,
				text, channel, version, first_at, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, $12, $13)`,
			v.ID, s.ID, v.UserID, s.AgentID, s.AgentType, s.Topic, v.Kind, v.Value, v.Norm, v.Text, v.Channel,
			db.Ms(v.At), db.Ms(v.At))
	} else {
		if old.Version >= MaxVersions {
			return fault.New(fault.Limited, "This vote has already been changed %d times. It can't be changed again.",
				MaxVersions)
		}
		v.ID, v.Version, action = old.ID, old.Version+1, "feedback.vote_changed"
		_, err = tx.Exec(`UPDATE vote SET kind = $1, value = $2, norm = $3, text = $4, channel = $5, version = $6,
			at = $7
			WHERE id = $8`,
			v.Kind, v.Value, v.Norm, v.Text, v.Channel, v.Version, db.Ms(v.At), v.ID)
	}
	if err != nil {
		return fmt.Errorf("feedback: store a vote: %w", err)
	}
	if err := db.Exec(tx, "feedback: keep a vote's history", `INSERT INTO vote_history (vote_id, version, kind, value,
			norm, text, channel, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		v.ID, v.Version, v.Kind, v.Value, v.Norm, v.Text, v.Channel, db.Ms(v.At)); err != nil {
		return err
	}
	return audit.Note(tx, actorOf(v.Channel, s), action, s.Kind, s.ID,
		map[string]any{"vote": v.ID, "version": v.Version, "kind": v.Kind, "value": v.Value, "channel": v.Channel,
			"text_bytes": len(v.Text)})
}

// actorOf is who brings feedback, as the audit log names them: the agent whose token did, or the door that a user came
// through. Users are no accounts and stay unnamed there.
func actorOf(channel string, s Subject) audit.Actor {
	if channel == ChannelAPI {
		return audit.Actor{Kind: audit.Agent, ID: s.AgentID, Name: s.AgentName}
	}
	return audit.System("feedback " + channel)
}

// VotesOf lists the present votes on a subject, newest first, up to n.
func (b *Book) VotesOf(ctx context.Context, subjectID string, n int) ([]Vote, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Vote, error) {
		return votesTx(tx, selectVotes+` WHERE subject_id = $1 AND `+CastSQL+` ORDER BY at DESC, id DESC LIMIT $2`,
			subjectID, n)
	})
}

const selectVotes = `SELECT id, subject_id, user_id, agent_id, agent_type, topic, kind, value, norm, text, channel,
	version, at
	FROM vote`

// votesTx reads votes by a query with the columns of selectVotes.
func votesTx(tx *db.Tx, query string, args ...any) ([]Vote, error) {
	return db.Rows(tx, "feedback: read votes", func(v *Vote) []any {
		return []any{&v.ID, &v.SubjectID, &v.UserID, &v.AgentID, &v.AgentType, &v.Topic, &v.Kind, &v.Value, &v.Norm,
			&v.Text, &v.Channel, &v.Version, db.At(&v.At)}
	}, query, args...)
}
