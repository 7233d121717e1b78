package knowledge

import (
	"context"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// needsExpert is why a rule waits that could not be carried over.
const needsExpert = "Needs an expert: its conditions could not be read."

// CarryOver carries all living rules over, and has what a pack's agents share indexed as theirs, each once for a file.
// It may be stopped and run again.
func (b *Base) CarryOver(ctx context.Context) error {
	done, err := db.Read(ctx, b.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "knowledge: look what was carried over", `SELECT carried FROM knowledge_seq
			WHERE id = 1`)
	})
	if err == nil && done < 1 {
		err = b.carryRules(ctx)
	}
	if err == nil && done < 2 {
		err = b.reindexShared(ctx)
	}
	return err
}

// reindexShared indexes the documents of packs anew, which were every agent's in the index until now.
func (b *Base) reindexShared(ctx context.Context) error {
	list, err := db.Read(ctx, b.db, sharedDocumentsTx)
	for from := 0; from < len(list) && err == nil; from += givenAtOnce {
		err = b.db.Write(ctx, func(tx *db.Tx) error {
			for _, c := range list[from:min(len(list), from+givenAtOnce)] {
				if c.Pack != "" {
					if err := b.index.UpsertTx(tx, c.entry()); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	return b.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "knowledge: note what was carried over", `UPDATE knowledge_seq SET carried = 2 WHERE id = 1`)
	})
}

func (b *Base) carryRules(ctx context.Context) error {
	return b.db.Write(ctx, func(tx *db.Tx) error {
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
		r.Reason = "Needs an expert: " + fault.First(err)
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
