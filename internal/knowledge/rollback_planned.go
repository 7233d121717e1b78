package knowledge

import (
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/search"
)

func (r *Rollback) why() string { return `Rolled back to "` + r.State.Name + `": ` + r.Reason }

// heldUntilTx is the version that holds until a version begins that is yet to begin; nil when there is none, or it has begun. Who puts such a
// version back puts that one back before it, or nothing would hold until its day.
func (b *Base) heldUntilTx(tx *db.Tx, planned *Rule) (*Rule, error) {
	if planned.begun(tx.Now) {
		return nil, nil
	}
	held, _, err := b.ruleInForceTx(tx, planned)
	return held, err
}

// beforePlanned does so for what a rollback puts back.
func (b *Base) beforePlanned(tx *db.Tx, r *Rollback) error {
	for _, it := range r.Items {
		if it.LeftOut() || it.Outcome == RollbackOut {
			continue
		}
		written, err := b.putBackBefore(tx, it, r)
		if err != nil {
			return err
		}
		if !written {
			continue
		}
		if err := db.Exec(tx, "knowledge: put back what holds first",
			`UPDATE knowledge_rollback_item SET from_version = from_version + 1 WHERE rollback_id = $1 AND kind = $2 AND item_id = $3`, r.ID, it.Kind, it.ID); err != nil {
			return err
		}
	}
	return nil
}

func (b *Base) putBackBefore(tx *db.Tx, it RollbackItem, r *Rollback) (bool, error) {
	if !it.planned {
		return false, nil
	}
	if it.Kind == search.KindRule {
		target, err := ruleAtTx(tx, it.ID, it.To)
		if err != nil {
			return false, err
		}
		held, err := b.heldUntilTx(tx, target)
		if err != nil || held == nil {
			return false, err
		}
		if fault.Is(b.gateTx(tx, held), fault.Invalid) {
			return false, nil // nothing holds until the day
		}
		first := *held
		first.Version, first.By, first.Reason = it.From+1, r.By, r.why()
		return true, b.writeRuleVersion(tx, &first)
	}
	target, err := caseAtTx(tx, it.ID, it.To)
	if err != nil || target.begun(tx.Now) {
		return false, err
	}
	held, err := b.caseInForceTx(tx, target)
	if err != nil || held == nil {
		return false, err
	}
	first := *held
	first.Version, first.By, first.Reason = it.From+1, r.By, r.why()
	return true, b.writeCaseVersion(tx, &first)
}
