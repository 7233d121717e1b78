package knowledge

import (
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// BringCaseBackTx puts a retired case back into use: a new version of the same text. One that is in use stays as it is;
// one that was erased can't come back.
func (b *Base) BringCaseBackTx(tx *db.Tx, caseID string, ch Change) error {
	c, err := b.CaseTx(tx, caseID)
	if err != nil {
		return err
	}
	switch {
	case !c.ErasedAt.IsZero():
		return fault.New(fault.Conflict, "%s was erased, so it can't come back.", c.Label())
	case c.Status == Active:
		return nil
	}
	c.Status, c.By, c.Reason, c.Version = Active, ch.By, ch.Reason, c.Version+1
	if err := b.writeCaseVersion(tx, c); err != nil {
		return err
	}
	return record(tx, c.By, "case.brought_back", "case", c.ID,
		map[string]any{"number": c.Number, "version": c.Version, "reason": c.Reason})
}
