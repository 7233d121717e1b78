package delivery

import (
	"preceptor/internal/platform/db"
)

// EraseTx forgets what receivers answered about an object and the hashes of what was sent. No text of the object stands
// in the outbox: a message is made when it is sent. That it was sent, when and with what outcome stays; what still
// waits goes out and says that the text was erased.
func (s *Service) EraseTx(tx *db.Tx, objectID string) (int, error) {
	if objectID == "" {
		return 0, nil
	}
	return db.Change(tx, "delivery: erase "+objectID, `UPDATE delivery_attempt SET note = '', body_hash = ''
		WHERE (note <> '' OR body_hash <> '')
		AND delivery_id IN (SELECT id FROM delivery WHERE object_id = $1)`, objectID)
}
