package knowledge

import (
	"context"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/pack"
)

// needsExpert is why a rule waits that could not be carried over.
const needsExpert = "Needs an expert: its conditions could not be read."

// CarryOver carries all living rules over, once for a file. It may be stopped and run again.
func (b *Base) CarryOver(ctx context.Context) error {
	return b.db.Write(ctx, func(tx *db.Tx) error {
		var done bool
		if err := db.One(tx, "knowledge: look what was carried over", `SELECT carried FROM knowledge_seq WHERE id = 1`).Scan(&done); err != nil || done {
			return err
		}
		rules, err := queryRules(tx, ` AND c.status IN ('active', 'candidate', 'quarantined') ORDER BY c.number`)
		if err != nil {
			return err
		}
		for i := range rules {
			if err := b.carryTx(tx, &rules[i]); err != nil {
				return err
			}
		}
		_, err = tx.Exec(`UPDATE knowledge_seq SET carried = 1 WHERE id = 1`)
		return err
	})
}

func (b *Base) carryTx(tx *db.Tx, r *Rule) error {
	if !r.Statement.Empty() || !r.ErasedAt.IsZero() {
		return nil
	}
	packName, err := b.packOf(tx, r.AgentID)
	if err != nil {
		return err
	}
	r.RuleText = carried(r.RuleText, pack.Of(packName))
	r.By, r.Reason, r.Version = audit.System("update"), "Carried over as data.", r.Version+1
	if err := b.vetText(packName, r.RuleText); err != nil {
		r.Reason = "Needs an expert: " + fieldOf(err)
		if len(r.Statement.When) == 0 {
			r.Reason = needsExpert
		}
		r.Provisional = true
		if r.Status == Active {
			r.Status = Candidate
		}
	}
	if err := b.writeRuleVersion(tx, r); err != nil {
		return fmt.Errorf("knowledge: carry %s over: %w", r.Label(), err)
	}
	return r.record(tx, "rule.carried_over")
}
