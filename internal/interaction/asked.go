package interaction

import (
	"context"
	"fmt"

	"preceptor/internal/db"
)

// Asked lists what a person asked our own advisor, newest first, up to limit.
func (s *Store) Asked(ctx context.Context, actorID string, limit int) (list []Interaction, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		ids, err := askedTx(tx, actorID, limit)
		if err != nil {
			return err
		}
		for _, id := range ids {
			in, err := s.GetTx(tx, id)
			if err != nil {
				return err
			}
			list = append(list, *in)
		}
		return nil
	})
	return list, err
}

// AskedBy tells whether this person asked for this interaction.
func (s *Store) AskedBy(ctx context.Context, id, actorID string) (yes bool, err error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (bool, error) {
		return db.Value[bool](tx, "interaction: who asked", `SELECT EXISTS (SELECT 1 FROM interaction_event WHERE interaction_id = $1 AND kind = 'asked' AND actor_id = $2)`, id, actorID)
	})
}

// AskerTx is the person who asked our own advisor for this interaction; "" when an agent did, or brought it.
func (s *Store) AskerTx(tx *db.Tx, id string) (person string, err error) {
	return db.Value[string](tx, "interaction: who asked for "+id,
		`SELECT COALESCE((SELECT actor_id FROM interaction_event WHERE interaction_id = $1 AND kind = 'asked' AND actor_kind = 'person' LIMIT 1), '')`,
		id)
}

func askedTx(tx *db.Tx, actorID string, limit int) (ids []string, err error) {
	return db.Column[string](tx, fmt.Sprintf("interaction: list what %s asked", actorID), `SELECT interaction_id FROM interaction_event WHERE kind = 'asked' AND actor_id = $1 ORDER BY at DESC, interaction_id DESC LIMIT $2`, actorID, limit)
}
