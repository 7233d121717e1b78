package interaction

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

// Event is one line of an interaction's history.
type Event struct {
	At    time.Time
	Kind  string // submitted, asked, drafted, failed, approved, revised, rejected, skipped, undone, released, escalated
	Actor audit.Actor
	Note  string // in words for a person; often empty
}

// NoteTx adds a line to the history, at the transaction's time.
func (s *Store) NoteTx(tx *db.Tx, id, kind string, by audit.Actor, note string) error {
	return db.Exec(tx, fmt.Sprintf("interaction: note %s on %s", kind, id),
		`INSERT INTO interaction_event (interaction_id, seq, at, kind, actor_kind, actor_id, actor_name, note)
		VALUES ($1, (SELECT COALESCE(MAX(seq), 0) + 1 FROM interaction_event
			WHERE interaction_id = $1), $2, $3, $4, $5, $6, $7)`,
		id, tx.NowMs(), kind, by.Kind, by.ID, by.Name, note)
}

// History lists what happened to an interaction, oldest first.
func (s *Store) History(ctx context.Context, id string) ([]Event, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Event, error) { return s.HistoryTx(tx, id) })
}

// HistoryTx is History in the caller's transaction.
func (s *Store) HistoryTx(tx *db.Tx, id string) ([]Event, error) {
	return db.Rows(tx, fmt.Sprintf("interaction: history of %s", id), func(e *Event) []any {
		return []any{db.At(&e.At), &e.Kind, &e.Actor.Kind, &e.Actor.ID, &e.Actor.Name, &e.Note}
	}, `SELECT at, kind, actor_kind, actor_id, actor_name, note FROM interaction_event
		WHERE interaction_id = $1 ORDER BY seq`, id)
}

// recallRead is the event of an agent that asked for guidance and was told that it is recalled.
const recallRead = "recall read"

// RecallRead is when an agent asked and was told of the last recall; zero: it hasn't asked since.
func RecallRead(history []Event) (at time.Time) {
	for _, e := range history {
		switch e.Kind {
		case "recalled":
			at = time.Time{}
		case recallRead:
			at = e.At
		}
	}
	return at
}

// NoteRecallRead notes that the agent of guidance that is recalled asked for it, once for each recall. What the agent
// is answered doesn't depend on it, so that an error goes to the log alone.
func (s *Store) NoteRecallRead(ctx context.Context, in *Interaction) {
	if !in.Recalled() {
		return
	}
	history, err := s.History(ctx, in.ID)
	if err == nil && RecallRead(history).IsZero() {
		err = s.db.Write(ctx, func(tx *db.Tx) error {
			if history, err := s.HistoryTx(tx, in.ID); err != nil || !RecallRead(history).IsZero() {
				return err
			}
			return s.NoteTx(tx, in.ID, recallRead,
				audit.Actor{Kind: audit.Agent, ID: in.AgentID, Name: in.AgentName}, "")
		})
	}
	if err != nil {
		s.log.Warn("that an agent read of a recall isn't noted", "guidance", in.ID, "error", err.Error())
	}
}
