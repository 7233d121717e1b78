package interaction

import (
	"strconv"
	"strings"

	"preceptor/internal/db"
)

// RevisingTx tells which of a few interactions answer anew one that was sent back.
func RevisingTx(tx *db.Tx, ids []string) (map[string]bool, error) {
	out := map[string]bool{}
	if len(ids) == 0 {
		return out, nil
	}
	marks, args := make([]string, len(ids)), make([]any, len(ids))
	for i, id := range ids {
		marks[i], args[i] = "$"+strconv.Itoa(i+1), id
	}
	err := db.Each(tx, "interaction: which were sent back", db.Keys(out),
		`SELECT id FROM interaction WHERE id IN (`+strings.Join(marks, ", ")+`) AND revises <> ''`, args...)
	return out, err
}
