package judging

import (
	"fmt"

	"preceptor/internal/platform/db"
)

// EraseTx ends the asking about an interaction whose texts are erased, and forgets what judges said of why they could
// not answer.
func (s *Desk) EraseTx(tx *db.Tx, interactionID string) error {
	if _, err := s.endTx(tx, interactionID, Failed, ""); err != nil {
		return err
	}
	return db.Exec(tx, fmt.Sprintf("judging: erase %s", interactionID), `UPDATE judging SET text_hash = '', why = ''
		WHERE interaction_id = $1`, interactionID)
}
