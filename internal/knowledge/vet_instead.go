package knowledge

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
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
	if len(in.Except) > 0 { // what was edited since may no longer say the opposite
		out.Statement.Except = slices.DeleteFunc(slices.Clone(in.Except), func(id string) bool {
			return !slices.Contains(out.settled, id)
		})
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

// beside says what was decided of a rule that comes and one that says the opposite; "" for nothing.
func (r *Rule) beside(o *Rule) string {
	switch {
	case r.Excepts(o):
		return " as an exception to " + o.Label()
	case o.Excepts(r):
		return " with " + o.Label() + " as its exception"
	}
	return ""
}

// Decided says what a person decided with a rule that comes: " as an exception to R-8", " in place of R-3".
func (b *Base) Decided(ctx context.Context, r *Rule, in Instead) (said string, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		for _, id := range append(in.retired(), in.Except...) {
			o, err := b.RuleTx(tx, id)
			if err != nil {
				return err
			}
			word := r.beside(o)
			if slices.Contains(in.Retire, id) {
				word = " in place of " + o.Label()
			}
			said += word
		}
		return nil
	})
	return said, err
}

// ExceptTx tells the histories of the rules that a rule is the exception of, or they of it, who decided so; how is
// what became of it: "accepted".
func (b *Base) ExceptTx(tx *db.Tx, r Rule, except []string, how string, by Person) error {
	for _, id := range except {
		o, err := b.RuleTx(tx, id)
		if err != nil {
			return err
		}
		word := r.beside(o)
		if word == "" || o.Status != Active {
			continue
		}
		o.By, o.Reason = by.Actor(), r.Label()+" was "+how+word+" by "+by.Name+"."
		if _, err := b.EditRuleTx(tx, *o); err != nil {
			return err
		}
	}
	return nil
}

func (r *Rule) yield(to *Rule) {
	if !slices.Contains(r.Yields, to) {
		r.Yields = append(r.Yields, to)
	}
}

// YieldsTo are the ids of Yields.
func (r *Rule) YieldsTo() []string { return lists.Map(r.Yields, func(o *Rule) string { return o.ID }) }

// Line is what a rule says, with what holds instead of it.
func (r *Rule) Line() string { return r.Principle + NotWhere(r.Yields) }

// NotWhere says of a rule which rules hold instead of it, and for whom; "" for none.
func NotWhere(yields []*Rule) string {
	if len(yields) == 0 {
		return ""
	}
	return " (not where " + strings.Join(lists.Map(yields, func(o *Rule) string {
		return o.Label() + " applies: " + o.Situation
	}), "; nor where ") + ")"
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
