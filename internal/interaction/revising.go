package interaction

import (
	"preceptor/internal/platform/db"
)

// RevisingTx tells which of a few interactions answer anew one that was sent back.
func RevisingTx(tx *db.Tx, ids []string) (map[string]bool, error) {
	out := map[string]bool{}
	if len(ids) == 0 {
		return out, nil
	}
	err := db.Each(tx, "interaction: which were sent back", db.Keys(out),
		`SELECT id FROM interaction WHERE id IN (`+db.In(1, len(ids))+`) AND revises <> ''`, db.Anys(ids)...)
	return out, err
}
