package knowledge

import (
	"preceptor/internal/platform/db"
	"preceptor/internal/search"
)

func (r *Rollback) why() string { return `Rolled back to "` + r.State.Name + `": ` + r.Reason }

// heldUntilTx is the version that holds until a version begins that is yet to begin; nil when there is none, or it has
// begun. Who puts such a version back puts that one back before it, or nothing would hold until its day.
func (b *Base) heldUntilTx(tx *db.Tx, planned *Rule) (*Rule, error) {
	if planned.begun(tx.Now) {
		return nil, nil
	}
	held, _, err := b.ruleInForceTx(tx, planned)
	return held, err
}

// putBackBefore does so for an item that a rollback puts back.
func (b *Base) putBackBefore(tx *db.Tx, it RollbackItem, r *Rollback) error {
	if it.Kind == search.KindRule {
		first, err := ruleAtTx(tx, it.ID, it.held)
		if err != nil {
			return err
		}
		first.Version, first.By, first.Reason = it.From+1, r.By, r.why()
		return b.writeRuleVersion(tx, first)
	}
	first, err := caseAtTx(tx, it.ID, it.held)
	if err != nil {
		return err
	}
	first.Version, first.By, first.Reason = it.From+1, r.By, r.why()
	return b.writeCaseVersion(tx, first)
}
