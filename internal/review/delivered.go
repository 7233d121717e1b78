package review

import (
	"fmt"

	"preceptor/internal/platform/db"
)

// DeliveredTx is the decision whose text the customer has now; "" while there is none.
func (q *Queue) DeliveredTx(tx *db.Tx, id string) (decisionID string, err error) {
	return db.Maybe[string](tx, fmt.Sprintf("review: find what was sent of %s", id),
		`SELECT id FROM decision WHERE review_id = $1 AND state = 'released'
			ORDER BY decided_at DESC, id DESC LIMIT 1`, id)
}
