package credit

import (
	"context"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// ReckonEvery is how often everything is reckoned up again.
const ReckonEvery = 6 * time.Hour

// reckonBatch is how many items one transaction reckons up.
const reckonBatch = 50

// Reckon reckons every item up again by what is known now. A decision reckons up what its own draft was shown; but what
// is expected of a draft changes with every decision of its task, and what a tick is worth with every planted check, so
// items that are shown seldom would stand as they stood. Cases get their worth anew. The last look at a rule is taken
// again, and a rule that is condemned by it leaves recall; none comes back, which is a person's to say. It may run
// twice, and beside decisions.
func (l *Ledger) Reckon(ctx context.Context) error {
	for after, more := "", true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.d.Write(ctx, func(tx *db.Tx) (err error) {
			after, more, err = l.reckonTx(tx, after)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// reckonTx reckons up some items after the one of id after; more is false at the end.
func (l *Ledger) reckonTx(tx *db.Tx, after string) (last string, more bool, err error) {
	list, err := itemsTx(tx, after, reckonBatch)
	if err != nil || len(list) == 0 {
		return after, false, err
	}
	b, err := openBook(tx, list)
	if err != nil {
		return after, false, err
	}
	for _, itemID := range list {
		r, err := l.kb.RuleTx(tx, itemID)
		switch {
		case fault.Is(err, fault.NotFound):
			err = l.kb.SetWorthTx(tx, itemID, b[itemID].Effect)
		case err == nil && r.Status == knowledge.Active:
			err = l.lookAgainTx(tx, r, b[itemID])
		}
		if err != nil {
			return after, false, err
		}
	}
	return list[len(list)-1], len(list) == reckonBatch, nil
}

// itemsTx lists items that real drafts were shown.
func itemsTx(tx *db.Tx, after string, n int) (list []string, err error) {
	return db.Column[string](tx, "credit: list items", `SELECT DISTINCT item_id FROM credit_sum
		WHERE item_id > $1 AND what = 'shown' ORDER BY item_id LIMIT $2`, after, n)
}

// lookAgainTx puts what the last look at a rule shows now in its place, and quarantines the rule if that condemns it.
// It adds no look: without new decisions there is no new evidence.
func (l *Ledger) lookAgainTx(tx *db.Tx, r *knowledge.Rule, e Estimate) error {
	if err := db.Exec(tx, "credit: look again", `UPDATE credit SET below = $1
		WHERE item_id = $2 AND outcome_id = (SELECT max(outcome_id) FROM credit
		WHERE item_id = $3 AND counted = 1)`, e.Below(l.Policy), r.ID, r.ID); err != nil {
		return err
	}
	sure, err := l.condemned(tx, r.ID, e)
	if err != nil || !sure {
		return err
	}
	_, err = l.kb.SetRuleStatusTx(tx, r.ID, knowledge.Quarantined, knowledge.Change{By: me, Reason: e.reason()})
	return err
}
