package knowledge

import (
	"context"

	"preceptor/internal/db"
)

// PrepareRule computes what AddRuleTx and EditRuleTx may not ask a model for. Call it outside the transaction.
func (b *Base) PrepareRule(ctx context.Context, r *Rule) error { return nil }

// AddRuleTx stores a new rule, with the next number; its status is Candidate when empty.
func (b *Base) AddRuleTx(tx *db.Tx, r Rule) (Rule, error) { return r, nil }

// EditRuleTx stores r's text, domain and status as a new version of the rule r.ID. r.Version is the version that was
// seen; another one is a Conflict.
func (b *Base) EditRuleTx(tx *db.Tx, r Rule) (Rule, error) { return r, nil }

// SetRuleStatusTx moves a rule; a new version of the same text.
func (b *Base) SetRuleStatusTx(tx *db.Tx, id, status string, ch Change) (Rule, error) {
	return Rule{}, nil
}

// RuleTx reads a rule inside a transaction.
func (b *Base) RuleTx(tx *db.Tx, id string) (*Rule, error) { return nil, nil }

// Rule reads a rule by id.
func (b *Base) Rule(ctx context.Context, id string) (*Rule, error) { return nil, nil }

// RuleAt reads a rule as it stood at a version.
func (b *Base) RuleAt(ctx context.Context, id string, version int) (*Rule, error) { return nil, nil }

// RuleByNumber reads R-n.
func (b *Base) RuleByNumber(ctx context.Context, n int) (*Rule, error) { return nil, nil }

// Rules lists rules, newest number first, and the cursor of the next page.
func (b *Base) Rules(ctx context.Context, f Filter) (rules []Rule, next string, err error) {
	return nil, "", nil
}

// RuleVersions lists a rule's life, newest first.
func (b *Base) RuleVersions(ctx context.Context, id string) ([]Version, error) { return nil, nil }
