package knowledge

import (
	"cmp"
	"context"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// Instead is what a person decides of rules in use that say the opposite of one that comes: which are retired, and of
// which it is the exception or they of it (rule.Statement.Except).
type Instead struct{ Retire, Except []string }

// retired leaves out what a form sent empty.
func (in Instead) retired() []string {
	return slices.DeleteFunc(slices.Clone(in.Retire), func(id string) bool { return id == "" })
}

// VetInstead is Vet of what comes beside rules that say the opposite.
func (b *Base) VetInstead(ctx context.Context, v Vetting, in Instead) (Vetted, error) {
	if len(in.Except) > 0 {
		v.Statement.Except = in.Except
	}
	out, err := b.Vet(ctx, v)
	for _, ruleID := range in.retired() {
		if o := out.Against(); o == nil || o.ID != ruleID {
			return out, fault.New(fault.Conflict, "The rules have changed since you opened this. Reload the page.")
		}
		v.Instead = append(v.Instead, ruleID)
		out, err = b.Vet(ctx, v)
	}
	return out, err
}

// Against is the rule in use that says the opposite and of which a person has to decide; nil for none.
func (v Vetted) Against() *Rule { return cmp.Or(v.Opposite, v.Undecided) }

// Refuse is the fault that something was accepted without a word on which of two rules holds; nil where none is
// needed.
func (v Vetted) Refuse() error {
	if v.Undecided == nil {
		return nil
	}
	whom := "for customers of this rule and more"
	if v.Narrower {
		whom = "for some of this rule's customers"
	}
	return fault.Wrong("Say which rule holds for the customers of both.", "do",
		v.Undecided.Label()+" says the opposite "+whom+". Accept one as an exception to the other, or retire "+
			v.Undecided.Label()+".")
}

// Excepts reports whether a rule is the exception to another, as a person decided, for customers of both.
func (r *Rule) Excepts(o *Rule) bool {
	if !slices.Contains(r.Statement.Except, o.ID) && !slices.Contains(o.Statement.Except, r.ID) {
		return false
	}
	where := rule.Overlaps(r.Statement.When, o.Statement.When)
	return where.LeftNarrower && !where.RightNarrower
}

// RetireForTx retires rules for one that says the opposite.
func (b *Base) RetireForTx(tx *db.Tx, in Instead, said string, by Person) error {
	for _, ruleID := range in.retired() {
		if _, err := b.SetRuleStatusTx(tx, ruleID, Retired,
			Change{By: by.Actor(), Reason: "“" + said + "” takes its place."}); err != nil {
			return err
		}
	}
	return nil
}
