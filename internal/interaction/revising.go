package interaction

import (
	"fmt"
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
	rows, err := tx.Query(`SELECT id FROM interaction WHERE id IN (`+strings.Join(marks, ", ")+`) AND revises <> ''`, args...)
	if err != nil {
		return nil, fmt.Errorf("interaction: which were sent back: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("interaction: which were sent back: %w", err)
		}
		out[id] = true
	}
	return out, rows.Err()
}
