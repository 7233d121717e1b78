package knowledge

import (
	"context"
	"fmt"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
)

// RuleEdit is what a person changes of a rule; days as 2027-04-06, "" for none.
type RuleEdit struct {
	Statement rule.Statement // empty: what it says stays
	Principle string         // as it reads; to be shown, and not read back
	Domain    string
	ReviewBy  string
	ValidFrom string // the first day; "" is at once
	ValidTo   string // the last day
	Reason    string
}

// EditOf is a rule as it is typed.
func EditOf(r *Rule) RuleEdit {
	return RuleEdit{Statement: r.Statement, Principle: r.Principle, Domain: r.Domain, ReviewBy: DayOf(r.ReviewBy),
		ValidFrom: DayOf(r.ValidFrom), ValidTo: LastDay(r.ValidTo)}
}

// into writes the domain and the dates into r, or says of each field what is wrong with it.
func (e RuleEdit) into(r *Rule) error {
	var wrong []fault.Field
	bad := func(field, msg string) { wrong = append(wrong, fault.Field{Name: field, Msg: msg}) }
	reviewBy, err := ParseDay(e.ReviewBy)
	if err != nil {
		bad("review_by", fault.Message(err))
	}
	from, err := ParseDay(e.ValidFrom)
	if err != nil {
		bad("valid_from", fault.Message(err))
	}
	last, err := ParseDay(e.ValidTo)
	if err != nil {
		bad("valid_to", fault.Message(err))
	}
	reason, err := text.Reason(e.Reason, "reason", "Say why, for people who read the history.")
	if err != nil {
		bad("reason", fault.First(err))
	}
	r.Domain, r.ReviewBy, r.ValidFrom, r.ValidTo, r.Reason = e.Domain, reviewBy, from, dayAfter(last), reason
	if len(wrong) == 0 {
		return checkRule(r)
	}
	return fault.WithFields("The rule is not changed yet: correct the marked fields.", wrong...)
}

// EditRule changes a rule that is in use or in quarantine: a new version, from its first day on. version is the one
// that was on the screen. A rule that waits for acceptance is edited with its lesson. Only experts and administrators
// may.
func (b *Base) EditRule(ctx context.Context, ruleID string, e RuleEdit, version int, by Person) (made Rule, err error) {
	if err := by.May("edit a rule"); err != nil {
		return made, err
	}
	r, err := b.Rule(ctx, ruleID)
	if err != nil {
		return made, err
	}
	if err := r.seen(version); err != nil {
		return made, err
	}
	if r.Status != Active && r.Status != Quarantined {
		return made, notEdited(r)
	}
	before := *r
	if err := e.into(r); err != nil {
		return made, err
	}
	if *r, err = b.restated(ctx, *r, e.Statement); err != nil {
		return made, err
	}
	if r.Principle == before.Principle && sameStatement(r.Statement, before.Statement) && r.Domain == before.Domain &&
		r.ReviewBy.Equal(before.ReviewBy) && r.ValidFrom.Equal(before.ValidFrom) && r.ValidTo.Equal(before.ValidTo) {
		return made, fault.Wrong("Nothing is changed.", "do",
			"Change what it says, the domain or a date, or leave the rule as it is.")
	}
	r.By = by.Actor()
	if err := b.PrepareRule(ctx, r); err != nil {
		return made, err
	}
	return db.Write(ctx, b.db, func(tx *db.Tx) (Rule, error) { return b.EditRuleTx(tx, *r) })
}

// restated vets what a rule is to say and gives it to it. Empty leaves the rule as it is.
func (b *Base) restated(ctx context.Context, r Rule, st rule.Statement) (Rule, error) {
	if st.Empty() {
		return r, nil
	}
	return b.Restated(ctx, r, Vetting{Statement: st})
}

// Restated vets what a rule is to say and gives it to it (Restate). What another rule says already is refused.
func (b *Base) Restated(ctx context.Context, r Rule, v Vetting) (Rule, error) {
	v.RuleID, v.AgentID, v.Domain, v.Validity = r.ID, r.AgentID, r.Domain, r.Validity
	err := b.db.Read(ctx, func(tx *db.Tx) (err error) {
		if v.Pack, err = b.packOf(tx, r.AgentID); err != nil {
			return err
		}
		packName := v.Pack
		v, err := b.VetTx(tx, v)
		if err != nil {
			return err
		}
		if v.Same != nil {
			return fault.Wrong("This rule can't be saved yet.", "do", v.Same.Label()+" says the same already.")
		}
		r = r.Restate(v, pack.Of(packName))
		return nil
	})
	return r, err
}

func notEdited(r *Rule) error {
	switch r.Status {
	case Candidate:
		return fault.New(fault.Conflict, "%s is waiting for acceptance. Edit it on the page of its lesson.", r.Label())
	}
	return fault.New(fault.Conflict, "%s is not in use, so it can't be edited. Go back to one of its versions first.",
		r.Label())
}

// RollBackRule puts a rule back to one of its versions: a new version with that text, domain and dates. A rule that
// left use comes back with a version that was in use, into quarantine if it left use from there; one in quarantine
// stays there. version is the one that was on the screen.
func (b *Base) RollBackRule(ctx context.Context, ruleID string, to int, reason string, version int,
	by Person) (made Rule, err error) {
	if err := by.May("roll a rule back"); err != nil {
		return made, err
	}
	if reason, err = text.Reason(reason, "reason", "Say why, for people who read the history."); err != nil {
		return made, err
	}
	now, err := b.Rule(ctx, ruleID)
	if err != nil {
		return made, err
	}
	if err := now.seen(version); err != nil {
		return made, err
	}
	then, err := b.RuleAt(ctx, ruleID, to)
	if err != nil {
		return made, err
	}
	life, err := b.RuleVersions(ctx, ruleID)
	if err != nil {
		return made, err
	}
	status, err := statusBack(now, then, life)
	if err != nil {
		return made, err
	}
	r := *then
	r.Version, r.Status, r.By, r.Reason = now.Version, status, by.Actor(),
		fmt.Sprintf("Rolled back to version %d: %s", to, reason)
	if err := b.PrepareRule(ctx, &r); err != nil {
		return made, err
	}
	err = b.db.Write(ctx, func(tx *db.Tx) error {
		if status == Active {
			held, _, err := b.ruleInForceTx(tx, then)
			if err != nil {
				return err
			}
			if held != nil && !then.begun(tx.Now) { // or nothing would hold until the day of what is put back
				first := *held
				first.Version, first.By, first.Reason = r.Version, r.By, r.Reason
				if first, err = b.EditRuleTx(tx, first); err != nil {
					return err
				}
				r.Version = first.Version
			}
		}
		made, err = b.EditRuleTx(tx, r)
		return err
	})
	return made, err
}

// statusBack is the status of a rule that goes back to then, or why it can't. life is all its versions, newest first.
func statusBack(now, then *Rule, life []Version) (string, error) {
	status := now.Status
	if then.Status == Active && (status == Retired || status == Withdrawn || status == Rejected) {
		status = Active
		for _, v := range life {
			if v.Status == Active {
				break
			}
			if v.Status == Quarantined {
				status = Quarantined // nobody has let it out, so somebody has to
			}
		}
	}
	switch {
	case !then.ErasedAt.IsZero() || !now.ErasedAt.IsZero():
		return "", fault.New(fault.Conflict, "Version %d was erased, so nothing can be put back.", then.Version)
	case then.Version == now.Version:
		return "", fault.New(fault.Conflict, "%s is at version %d already.", now.Label(), now.Version)
	case now.Status == Candidate:
		return "", notEdited(now)
	}
	return status, nil
}
