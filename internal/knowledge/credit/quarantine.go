package credit

import (
	"context"
	"errors"
	"fmt"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/search"
)

// judge quarantines those of the rules that have surely fallen below the line and stayed there.
func (l *Ledger) judge(tx *db.Tx, outcomeID string, lines []line) error {
	lines = rules(lines)
	b, err := openBook(tx, ids(lines))
	if err != nil {
		return err
	}
	for _, s := range lines {
		e := b[s.id]
		if err := db.Exec(tx, "credit: keep a look", `UPDATE credit SET below = $1
			WHERE outcome_id = $2 AND item_id = $3`, e.Below(l.Policy), outcomeID, s.id); err != nil {
			return err
		}
		if sure, err := l.condemned(tx, s.id, b[s.id]); err != nil || !sure {
			if err != nil {
				return err
			}
			continue
		}
		r, err := l.kb.RuleTx(tx, s.id)
		if err != nil {
			return err
		}
		if r.Status != knowledge.Active {
			continue
		}
		if _, err := l.kb.SetRuleStatusTx(tx, s.id, knowledge.Quarantined,
			knowledge.Change{By: me, Reason: e.reason()}); err != nil {
			return err
		}
	}
	return nil
}

// condemned reports whether an item is surely below the line now and was so at each of the last looks.
func (l *Ledger) condemned(tx *db.Tx, itemID string, e Estimate) (bool, error) {
	if !e.Below(l.Policy) {
		return false, nil
	}
	looks, err := db.Value[int](tx, "credit: read the last looks", `SELECT coalesce(sum(below), 0)
		FROM (SELECT below FROM credit WHERE item_id = $1 AND counted = 1 ORDER BY outcome_id DESC LIMIT $2) AS last`,
		itemID, max(1, l.Policy.Looks))
	return err == nil && looks >= l.Policy.Looks, err
}

// reason says why a rule is quarantined, for the person who looks at it.
func (e Estimate) reason() string {
	s := fmt.Sprintf("Drafts that used it were approved unedited: %d of %d (typical %.0f).", e.Approved, e.Shown,
		e.Expected)
	if e.Misled > 0 {
		s += fmt.Sprintf(" Supervisors said %d of %d times that it misled.", e.Misled, e.Asked)
	}
	return s
}

// lift takes rules back that credit alone had quarantined, where what it rested on was undone.
func (l *Ledger) lift(tx *db.Tx, lines []line) error {
	lines = rules(lines)
	b, err := openBook(tx, ids(lines))
	if err != nil {
		return err
	}
	for _, s := range lines {
		r, err := l.kb.RuleTx(tx, s.id)
		if err != nil {
			return err
		}
		if r.Status != knowledge.Quarantined || r.By.Kind != me.Kind || r.By.ID != me.ID {
			continue
		}
		if sure, err := l.condemned(tx, s.id, b[s.id]); err != nil || sure {
			if err != nil {
				return err
			}
			continue
		}
		if _, err := l.kb.SetRuleStatusTx(tx, s.id, knowledge.Active,
			knowledge.Change{By: me, Reason: "A decision that its quarantine rested on was undone."}); err != nil {
			return err
		}
	}
	return nil
}

// Doubt puts a rule in use into quarantine because a person doubts it, with a reason. version is the rule's as it was
// on the screen. Only experts and admins may. It is settled as any other.
func (l *Ledger) Doubt(ctx context.Context, ruleID, reason string, version int, by knowledge.Person) error {
	if err := by.May("put a rule in quarantine"); err != nil {
		return err
	}
	reason, err := text.Reason(reason, "reason", "Say what is wrong with it, for the person who reviews it.")
	if err != nil {
		return err
	}
	return l.d.Write(ctx, func(tx *db.Tx) error {
		r, err := l.kb.RuleTx(tx, ruleID)
		if err != nil {
			return err
		}
		if r.Status != knowledge.Active || version != r.Version {
			return fault.New(fault.Conflict, "%s has changed since you opened it. Check it again.", r.Label())
		}
		_, err = l.kb.SetRuleStatusTx(tx, ruleID, knowledge.Quarantined,
			knowledge.Change{By: by.Actor(), Reason: reason, Version: version})
		return err
	})
}

// value keeps with each case what is thought of it now, for recall.
func (l *Ledger) value(tx *db.Tx, lines []line) error {
	cases := of(search.KindCase, lines)
	b, err := openBook(tx, ids(cases))
	if err != nil {
		return err
	}
	for _, s := range cases {
		if err := l.kb.SetWorthTx(tx, s.id, b[s.id].Effect); err != nil {
			return err
		}
	}
	return nil
}

// Settle ends a rule's quarantine: back into use, where what spoke against it counts no more, or retired. version is
// the rule's as it was on the screen. Only experts and admins may, with a reason.
func (l *Ledger) Settle(ctx context.Context, ruleID string, keep bool, reason string, version int,
	by knowledge.Person) error {
	if err := by.May("end a quarantine"); err != nil {
		return err
	}
	reason, err := text.Reason(reason, "reason", "Say why, for people who read the rule's history.")
	if err != nil {
		return err
	}
	return l.d.Write(ctx, func(tx *db.Tx) error {
		r, err := l.kb.RuleTx(tx, ruleID)
		if err != nil {
			return err
		}
		if r.Status != knowledge.Quarantined || version != r.Version {
			return fault.New(fault.Conflict, "%s is no longer in quarantine. Check it again.", r.Label())
		}
		ch := knowledge.Change{By: by.Actor(), Reason: reason, Version: version}
		if !keep {
			_, err := l.kb.SetRuleStatusTx(tx, ruleID, knowledge.Retired, ch)
			return err
		}
		if err := errors.Join(
			db.Exec(tx, "credit: begin anew", `UPDATE credit SET counted = 0 WHERE item_id = $1 AND counted = 1`, ruleID),
			db.Exec(tx, "credit: begin anew", `DELETE FROM credit_sum WHERE item_id = $1`, ruleID)); err != nil {
			return err
		}
		_, err = l.kb.SetRuleStatusTx(tx, ruleID, knowledge.Active, ch)
		return err
	})
}
