package person

import (
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Guard says whether an account may do something now, read in the transaction: nil, or a Denied fault that says what it
// takes.
type Guard func(tx *db.Tx, personID string) error

// May is the guard's answer. Nobody passes a guard that is absent.
func (g Guard) May(tx *db.Tx, personID string) error {
	if g == nil {
		return fault.New(fault.Denied, "Nobody may do this here.")
	}
	return g(tx, personID)
}

// Anybody is the guard of what no account works with, as in a benchmark: it lets everybody pass.
func Anybody(*db.Tx, string) error { return nil }
