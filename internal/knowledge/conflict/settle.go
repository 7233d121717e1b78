package conflict

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// Answer is a person's word on a conflict.
type Answer struct {
	Choice string
	Note   string // why; only a merge needs none
	// Of Narrow: which rule, and the conditions that it gets beside those it has.
	Side string
	When []rule.Condition
	// Of Merge: the one statement; empty takes Merged.
	Statement rule.Statement
	// As they were on the screen.
	Version, LeftVersion, RightVersion int
}

// Settle carries out an answer. Only experts and admins may.
func (s *Store) Settle(ctx context.Context, conflictID string, a Answer, by knowledge.Person) (*Conflict, error) {
	if err := by.May("resolve a conflict"); err != nil {
		return nil, err
	}
	c, err := s.Get(ctx, conflictID)
	if err != nil {
		return nil, err
	}
	a.Note = strings.TrimSpace(a.Note)
	if err := a.check(*c); err != nil {
		return nil, err
	}
	next, err := s.reworded(ctx, *c, a, by)
	if err != nil {
		return nil, err
	}
	var after *Conflict
	err = s.d.Write(ctx, func(tx *db.Tx) error {
		cur, err := s.getTx(tx, conflictID)
		if err != nil {
			return err
		}
		if err := cur.seen(a); err != nil {
			return err
		}
		// Closed first: what follows would end it as gone.
		if err := s.closeTx(tx, *cur, Settled, a.Choice, a.Note, by); err != nil {
			return err
		}
		if err := s.carryOutTx(tx, *cur, a, next, by); err != nil {
			return err
		}
		after, err = s.getTx(tx, conflictID)
		return err
	})
	return after, err
}

// check tells what is wrong with an answer before anything is written.
func (a Answer) check(c Conflict) error {
	if c.State != Open {
		return c.ended()
	}
	if !slices.Contains(c.Choices(), a.Choice) {
		return fault.Wrong("Choose what should happen to them.", "choice", "Choose one of these.")
	}
	if a.Note == "" && a.Choice != Merge {
		msg := "Say why, for people who read the history."
		if a.Choice == KeepBoth {
			msg = "Say why they don't conflict."
		}
		return fault.Wrong("A reason is needed.", "note", msg)
	}
	if a.Choice == Narrow {
		if a.Side != Left && a.Side != Right {
			return fault.Wrong("Choose which rule should apply to fewer customers.", "side", "Choose one.")
		}
		if len(a.When) == 0 {
			return fault.Wrong("Choose who the rule applies to.", "when", "Choose a topic, or add a condition.")
		}
	}
	return nil
}

func (c Conflict) ended() error {
	if c.State == Settled {
		return fault.New(fault.Conflict, "%s has already resolved this.", c.By)
	}
	return fault.New(fault.Conflict, "There is nothing left to resolve: %s", c.Note)
}

// seen refuses an answer to something that has changed since it was on the screen.
func (c Conflict) seen(a Answer) error {
	if c.State != Open {
		return c.ended()
	}
	if a.Version != c.Version || a.LeftVersion != c.Left.Version() || a.RightVersion != c.Right.Version() {
		return fault.New(fault.Conflict, "This has changed since you opened it. Look at both again, then answer.")
	}
	return nil
}

// reworded prepares the rule that says something else from now on, outside the transaction; nil when none does.
func (s *Store) reworded(ctx context.Context, c Conflict, a Answer, by knowledge.Person) (*knowledge.Rule, error) {
	var r knowledge.Rule
	v := knowledge.Vetting{}
	switch a.Choice {
	case Narrow:
		r = *c.Left.Rule
		if a.Side == Right {
			r = *c.Right.Rule
		}
		v.Statement = r.Statement
		v.Statement.When = narrowed(r.Statement.When, a.When)
		if o := rule.Overlaps(v.Statement.Tidy().When, r.Statement.When); !o.LeftNarrower || o.Equal() {
			return nil, fault.Wrong("This does not narrow the rule.", "when",
				"Add a condition that fewer customers meet.")
		}
		if c.Kind == Contradiction { // the narrower of the two holds for the customers of both
			other := map[string]string{Left: c.RightID, Right: c.LeftID}[a.Side]
			v.Statement.Except = append(slices.Clone(v.Statement.Except), other)
		}
		r.Reason = "Narrowed, because it conflicted with another rule: " + a.Note
	case Merge:
		target, other := c.Target()
		r, v.Statement, v.Instead = *target, a.Statement, []string{other.ID}
		if v.Statement.Empty() {
			v.Statement = Merged(c)
		}
		r.Supporting, r.Counter = united(target.Supporting, other.Supporting), united(target.Counter, other.Counter)
		r.MadeFrom = united(target.MadeFrom, other.MadeFrom)
		r.Reason = strings.TrimSpace("Merged with " + other.Label() + ". " + a.Note)
	default:
		return nil, nil
	}
	r, err := s.kb.Restated(ctx, r, v)
	if err != nil {
		return nil, err
	}
	r.By = by.Actor()
	if err := s.kb.PrepareRule(ctx, &r); err != nil {
		return nil, err
	}
	return &r, nil
}

// narrowed are a rule's conditions with more of them. One of a kind that the rule has takes its place, since of several
// any is enough.
func narrowed(have, more []rule.Condition) []rule.Condition {
	out := slices.DeleteFunc(slices.Clone(have), func(c rule.Condition) bool {
		return !c.Not && (c.Kind == rule.Scope && slices.Contains(c.Values, rule.Universal) ||
			slices.ContainsFunc(more, func(m rule.Condition) bool {
				return m.Kind == c.Kind && m.Name == c.Name && m.Op == c.Op && !m.Not
			}))
	})
	return append(out, more...)
}

func united(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// carryOutTx does what was answered.
func (s *Store) carryOutTx(tx *db.Tx, c Conflict, a Answer, next *knowledge.Rule, by knowledge.Person) error {
	switch a.Choice {
	case Keep:
		if !c.rests() || c.ItemKind != OfCases {
			return nil
		}
		return s.kb.LookedTx(tx, c.LeftID, c.RightID, knowledge.Change{By: by.Actor(), Reason: a.Note})
	case KeepLeft, KeepRight, Retire:
		return s.dropTx(tx, c, a, by)
	case Narrow, Merge:
		made, err := s.kb.EditRuleTx(tx, *next)
		if err != nil {
			return err
		}
		if err := s.hooks.OnReworded(tx, made, by); err != nil {
			return err
		}
		if a.Choice == Narrow {
			return s.kb.ExceptTx(tx, made, []string{c.LeftID, c.RightID}, "narrowed", by)
		}
		_, other := c.Target()
		return s.outTx(tx, *other, &made, "Merged into "+made.Label()+".", by)
	}
	return nil
}

// dropTx retires what the person does not want to keep.
func (s *Store) dropTx(tx *db.Tx, c Conflict, a Answer, by knowledge.Person) error {
	out, kept := c.Left, c.Right
	if a.Choice == KeepLeft {
		out, kept = kept, out
	}
	if out.Case != nil {
		return s.kb.RetireCaseTx(tx, out.Case.ID, knowledge.Change{By: by.Actor(), Reason: a.Note})
	}
	reason := a.Note
	if kept.Rule != nil {
		reason = kept.Label() + " is kept instead: " + a.Note
	}
	return s.outTx(tx, *out.Rule, nil, reason, by)
}

// outTx takes a rule out: one in use is retired, one that waits is rejected.
func (s *Store) outTx(tx *db.Tx, r knowledge.Rule, into *knowledge.Rule, reason string, by knowledge.Person) error {
	status := knowledge.Retired
	if r.Status == knowledge.Candidate {
		status = knowledge.Rejected
	}
	ended, err := s.kb.SetRuleStatusTx(tx, r.ID, status, knowledge.Change{By: by.Actor(), Reason: reason})
	if err != nil {
		return err
	}
	return s.hooks.OnEnded(tx, ended, into, reason, by)
}

// closeTx ends a conflict, by a person or by itself.
func (s *Store) closeTx(tx *db.Tx, c Conflict, state, outcome, note string, by knowledge.Person) error {
	if n, err := db.Change(tx, "conflict: close", `UPDATE knowledge_conflict SET state = $1, outcome = $2, note = $3,
		by_id = $4, by_name = $5, closed_at = $6, version = version + 1
		WHERE id = $7 AND state = 'open'`, state, outcome, note, by.ID, by.Name, tx.NowMs(), c.ID); err != nil ||
		n == 0 {
		return err
	}
	tx.Touch("knowledge")
	others, err := db.Value[bool](tx, "conflict: are others open", `SELECT
		EXISTS (SELECT 1 FROM knowledge_conflict WHERE state = 'open' AND kind = $1)`, c.Kind)
	if err != nil {
		return err
	}
	if err := s.hooks.OnClosed(tx, c, others); err != nil {
		return err
	}
	if state != Settled {
		return nil
	}
	c.Outcome, c.Note = outcome, note
	return recordTx(tx, c, "conflict.settled", by.Actor())
}

// exceptedTx closes the open contradictions of a rule that a person accepted as the exception of the other, or it of
// this one.
func (s *Store) exceptedTx(tx *db.Tx, r knowledge.Rule) error {
	if r.Status != knowledge.Active || r.By.Kind != audit.Person || len(r.Statement.Except) == 0 {
		return nil
	}
	open, err := queryTx(tx, `WHERE state = 'open' AND kind = 'contradiction' AND (left_id = $1 OR right_id = $2)`,
		r.ID, r.ID)
	if err != nil {
		return err
	}
	for _, c := range open {
		other := c.RightID
		if other == r.ID {
			other = c.LeftID
		}
		if !slices.Contains(r.Statement.Except, other) {
			continue
		}
		o, err := s.kb.RuleTx(tx, other)
		if err != nil {
			return err
		}
		if !r.Excepts(o) && !o.Excepts(&r) {
			continue
		}
		if err := s.closeTx(tx, c, Settled, Exception, r.Reason,
			knowledge.Person{ID: r.By.ID, Name: r.By.Name}); err != nil {
			return err
		}
	}
	return nil
}

// Target is the rule that a merge keeps and the one that goes: of a rule that adds nothing the wider is kept, else one
// in use before one that waits, else the older. It needs a pair of rules.
func (c Conflict) Target() (target, other *knowledge.Rule) {
	switch {
	case c.Narrower == Left:
		return c.Right.Rule, c.Left.Rule
	case c.Narrower == Right:
		return c.Left.Rule, c.Right.Rule
	case c.Left.Status != knowledge.Active && c.Right.Status == knowledge.Active:
		return c.Right.Rule, c.Left.Rule
	}
	return c.Left.Rule, c.Right.Rule
}

// Merged proposes the one statement for both rules: that of the one that is kept, with the phrases and terms that only
// the other has.
func Merged(c Conflict) rule.Statement {
	if c.Left.Rule == nil || c.Right.Rule == nil {
		return rule.Statement{}
	}
	target, other := c.Target()
	st := target.Statement
	if st.Do.Kind == other.Statement.Do.Kind {
		st.Do.Phrases = append(slices.Clone(st.Do.Phrases), other.Statement.Do.Phrases...)
		st.Do.Swaps = append(slices.Clone(st.Do.Swaps), other.Statement.Do.Swaps...)
	}
	return st.Tidy()
}
