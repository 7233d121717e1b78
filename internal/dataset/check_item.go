package dataset

import (
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// SeesChecks tells whether a person may know which items are hidden checks: not who may label here. Without the hook MayLabel
// it is not who has labelled.
func (s *Store) SeesChecks(tx *db.Tx, datasetID string, who Person) (bool, error) {
	if who == Operator {
		return true, nil
	}
	if s.MayLabel != nil {
		err := s.MayLabel(tx, who.ID)
		if err != nil && !fault.Is(err, fault.Denied) {
			return false, err
		}
		return err != nil, nil
	}
	var labels bool
	if err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM dataset_turn WHERE dataset_id = $1 AND person_id = $2 AND state <> 'seen')`, datasetID, who.ID).Scan(&labels); err != nil {
		return false, fmt.Errorf("dataset: read who labels: %w", err)
	}
	return !labels, nil
}

// hideChecks has check items look like others.
func hideChecks(list []Item) {
	for i := range list {
		if list[i].Check {
			list[i].Check, list[i].Known = false, Answer{}
		}
	}
}
