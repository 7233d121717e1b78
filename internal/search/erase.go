package search

import (
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
)

// HasCaseTx reports whether a case of the desk can be found by its words.
func HasCaseTx(tx *db.Tx, id string) (bool, error) {
	_, _, found, err := findCase(tx, id)
	return found, err
}

// EraseTx is DeleteTx for what must not be found in the file either: vec0 marks the place of a deleted row as free and
// leaves the numbers there, so they are overwritten first. It reports whether there was an entry.
func (t *Tables) EraseTx(tx *db.Tx, kind, id string) (bool, error) {
	r, found, err := findRow(tx, kind, id)
	if err != nil || !found {
		return false, err
	}
	_, dims, ok, err := state(tx)
	if err != nil {
		return false, err
	}
	if ok && !tx.OnServer() {
		nothing := make([]float32, dims)
		nothing[0] = 1
		found, err := db.One(tx, "search: erase a vector", `SELECT entry_id FROM entry_vector
			WHERE entry_id = $1`, r.id).Find(new(int64))
		if err != nil {
			return false, err
		}
		if found {
			if err := db.Exec(tx, "search: erase a vector", `UPDATE entry_vector SET vector = $1 WHERE entry_id = $2`,
				llm.Stored(nothing), r.id); err != nil {
				return false, err
			}
		}
	}
	return true, t.DeleteTx(tx, kind, id)
}
