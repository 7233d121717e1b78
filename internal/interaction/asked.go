package interaction

import (
	"context"

	"preceptor/internal/platform/db"
)

// Asked lists what a person asked our own advisor, newest first, up to limit.
func (s *Store) Asked(ctx context.Context, actorID string, limit int) ([]Interaction, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Interaction, error) {
		return db.List(tx, "interaction: list what "+actorID+" asked", scan, `SELECT `+columns+` FROM interaction_event
			JOIN interaction ON id = interaction_id
			WHERE kind = 'asked' AND actor_id = $1 ORDER BY at DESC, interaction_id DESC LIMIT $2`, actorID, limit)
	})
}

// AskedBy reports whether this person asked for this interaction.
func (s *Store) AskedBy(ctx context.Context, id, actorID string) (yes bool, err error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (bool, error) {
		return db.Value[bool](tx, "interaction: who asked", `SELECT
			EXISTS (SELECT 1 FROM interaction_event
			WHERE interaction_id = $1 AND kind = 'asked' AND actor_id = $2)`, id, actorID)
	})
}

// AskerTx is the person who asked our own advisor for this interaction; "" when an agent did, or brought it.
func (s *Store) AskerTx(tx *db.Tx, id string) (person string, err error) {
	return db.Value[string](tx, "interaction: who asked for "+id,
		`SELECT COALESCE((SELECT actor_id FROM interaction_event
				WHERE interaction_id = $1 AND kind = 'asked' AND actor_kind = 'person' LIMIT 1), '')`,
		id)
}
