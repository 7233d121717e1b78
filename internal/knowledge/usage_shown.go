package knowledge

import (
	"fmt"

	"preceptor/internal/db"
)

// ShownItem is an item of the ledger without its text.
type ShownItem struct {
	Kind    string // search.KindCase or search.KindRule
	ID      string
	Version int
	Cited   bool
}

// ShownTx lists what an interaction was shown, in no telling order: for whoever reckons up what became of it.
func (b *Base) ShownTx(tx *db.Tx, interactionID string) (list []ShownItem, err error) {
	rows, err := tx.Query(`SELECT kind, item_id, version, cited FROM knowledge_usage WHERE interaction_id = $1 ORDER BY item_id`, interactionID)
	if err != nil {
		return nil, fmt.Errorf("knowledge: read what was shown: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s ShownItem
		if err := rows.Scan(&s.Kind, &s.ID, &s.Version, &s.Cited); err != nil {
			return nil, fmt.Errorf("knowledge: read what was shown: %w", err)
		}
		list = append(list, s)
	}
	return list, rows.Err()
}
