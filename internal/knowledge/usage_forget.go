package knowledge

import (
	"preceptor/internal/platform/db"
)

// ForgetUsageTx takes an interaction out of the ledger, with the record of its prompt. It is for planted checks alone,
// once they are closed: until then they have to look like any other case, and afterwards they must count for nothing.
func (b *Base) ForgetUsageTx(tx *db.Tx, interactionID string) error {
	if err := db.Exec(tx, "knowledge: forget usage", `DELETE FROM knowledge_usage WHERE interaction_id = $1`,
		interactionID); err != nil {
		return err
	}
	return db.Exec(tx, "knowledge: forget a prompt", `DELETE FROM knowledge_prompt
		WHERE interaction_id = $1`, interactionID)
}
