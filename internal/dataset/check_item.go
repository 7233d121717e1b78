package dataset

import (
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// SeesChecks reports whether a person may know which items are hidden checks: not who may label.
func (s *Store) SeesChecks(tx *db.Tx, who Person) (bool, error) {
	if who == Operator {
		return true, nil
	}
	err := s.MayLabel.May(tx, who.ID)
	if err != nil && !fault.Is(err, fault.Denied) {
		return false, err
	}
	return err != nil, nil
}

// hideChecks has check items look like others.
func hideChecks(list []Item) {
	for i := range list {
		if list[i].Check {
			list[i].Check, list[i].Known = false, Answer{}
		}
	}
}
