package knowledge

import (
	"preceptor/internal/platform/db"
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
	return db.Rows(tx, "knowledge: read what was shown", func(s *ShownItem) []any {
		return []any{&s.Kind, &s.ID, &s.Version, &s.Cited}
	},
		`SELECT kind, item_id, version, cited FROM knowledge_usage
			WHERE interaction_id = $1 ORDER BY item_id`, interactionID)
}
