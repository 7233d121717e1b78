package interaction

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// checkRevises refuses a submission that claims to answer anew what it can't: only the agent's own, once, and only what
// was sent back.
func (s *Store) checkRevises(tx *db.Tx, revises, agentID string) error {
	if revises == "" {
		return nil
	}
	refused := func(msg string) error {
		return fault.Wrong("This can't be the new version of that guidance. "+msg, "/revises", msg)
	}
	earlier, err := s.GetTx(tx, revises)
	if fault.Is(err, fault.NotFound) || err == nil && (earlier.AgentID != agentID || earlier.Planted) {
		return refused("Send the id of your own guidance that was sent back.")
	}
	if err != nil {
		return err
	}
	if earlier.Status != Returned {
		return refused("It is " + earlier.Status + "; only what was sent back (returned) takes a new version.")
	}
	newer, err := revisedBy(tx, revises)
	if err != nil {
		return err
	}
	if newer != "" {
		return refused("It already has a new version: " + newer + ".")
	}
	return nil
}

// RevisedBy is the interaction that answers id anew; "" when there is none.
func (s *Store) RevisedBy(ctx context.Context, id string) (string, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (string, error) { return revisedBy(tx, id) })
}

func revisedBy(tx *db.Tx, id string) (newer string, err error) {
	return db.Maybe[string](tx, "interaction: the new version of "+id, `SELECT id FROM interaction
		WHERE revises = $1 AND revises <> ''`, id)
}

// DraftAnewTx has our own advisor write again what was sent back to it: a new interaction that revises in, with the
// note of whoever sent it back. Again changes nothing once there is one.
func (s *Store) DraftAnewTx(tx *db.Tx, in *Interaction, note string) error {
	newer, err := revisedBy(tx, in.ID)
	if err != nil || newer != "" {
		return err
	}
	_, err = s.ask(tx, Submission{AgentID: in.AgentID, AgentName: in.AgentName, Origin: in.Origin,
		By:           audit.System("Advisor"),
		Consultation: in.Consultation, Revises: in.ID}, note)
	return err
}

// Note is what our own advisor was told when in was asked for: why the version before was sent back. "" for most.
func (s *Store) Note(ctx context.Context, in *Interaction) (note string, err error) {
	if in.Revises == "" {
		return "", nil
	}
	return db.Read(ctx, s.db, func(tx *db.Tx) (string, error) {
		return db.Value[string](tx, "interaction: read a note",
			`SELECT COALESCE((SELECT note FROM interaction_event WHERE interaction_id = $1 AND kind = 'asked'
					ORDER BY seq LIMIT 1), '')`, in.ID)
	})
}
