package review

import (
	"database/sql"
	"errors"
	"fmt"

	"preceptor/internal/db"
)

// DeliveredTx is the decision whose text the customer has now; "" while there is none.
func (q *Queue) DeliveredTx(tx *db.Tx, id string) (decisionID string, err error) {
	err = tx.QueryRow(`SELECT id FROM decision WHERE review_id = $1 AND state = 'released' ORDER BY decided_at DESC, id DESC LIMIT 1`, id).Scan(&decisionID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("review: find what was delivered of %s: %w", id, err)
	}
	return decisionID, nil
}
