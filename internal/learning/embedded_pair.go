package learning

import (
	"preceptor/internal/pack"
)

// exemplar weighs a rule on a customer it fires on, against what people approved for that customer. The case counts only where the
// rule makes a difference: to the draft that a person corrected, or else to what the advisor would write now.
func (e *Embedded) exemplar(pr pack.Principle, t Trial) Finding {
	approved := pr.Present(t.Approved)
	switch {
	case t.Negative != "" && approved && !pr.Present(t.Negative):
		return Finding{Helped, true, "The approved guidance does what it asks, and the draft that was corrected did not."}
	case t.Negative != "" && approved:
		return Finding{Silent, true, "The draft did what it asks already, and was corrected for something else."}
	case opposite(pr, t.Approved):
		return e.against(t)
	case t.Negative == "" && t.Arms != nil:
		return e.pair(pr, t, approved)
	case t.Negative == "" && approved:
		return Finding{Silent, true, "The approved guidance does what it asks. Whether the advisor does so without it is not known."}
	}
	return e.added(pr, t)
}

// against is a case whose approved guidance says what the rule forbids. It speaks against the rule unless the rule changes nothing.
func (e *Embedded) against(t Trial) Finding {
	if t.Arms != nil && t.Arms.With == t.Arms.Without {
		return Finding{Silent, true, "The approved guidance says what the rule forbids, but the advisor's draft is the same with it and without."}
	}
	return Finding{Hurt, true, "The approved guidance says what the rule forbids."}
}

// pair compares the advisor's drafts with the rule and without it: which of them does what people approved, and which the checks
// would stop.
func (e *Embedded) pair(pr pack.Principle, t Trial, approved bool) Finding {
	with, without := pr.Present(t.Arms.With), pr.Present(t.Arms.Without)
	before, after := len(e.check.Check(t.Arms.Without, t.Situation).Issues), len(e.check.Check(t.Arms.With, t.Situation).Issues)
	switch {
	case after > before:
		return Finding{Hurt, true, "With it the advisor's draft would no longer pass the checks."}
	case approved && pairVerdict(with, without) == Helped:
		return Finding{Helped, true, "The approved guidance does what it asks. The advisor's draft does so with it, and does not without."}
	case approved && with:
		return Finding{Silent, true, "The approved guidance does what it asks, but the advisor does so without it."}
	case approved:
		return Finding{Silent, true, "The approved guidance does what it asks, but the rule does not bring the advisor's draft to it."}
	case after < before:
		return Finding{Helped, true, "It mends what the checks find in the advisor's draft."}
	}
	return Finding{Silent, true, "People approved this without it; that speaks neither for nor against."}
}

// added weighs what the rule would add to the approved guidance itself.
func (e *Embedded) added(pr pack.Principle, t Trial) Finding {
	add := pr.Sentences(t.Situation)
	if add == "" {
		return Finding{Silent, true, "The approved guidance gives no occasion for it."}
	}
	before, after := e.check.Check(t.Approved, t.Situation), e.check.Check(t.Approved+"\n\n"+add, t.Situation)
	switch {
	case len(after.Issues) > len(before.Issues):
		return Finding{Hurt, true, "With it the approved guidance would no longer pass the checks."}
	case len(after.Issues) < len(before.Issues):
		return Finding{Helped, true, "It would mend what the checks find in the approved guidance."}
	}
	return Finding{Silent, true, "People approved this without it; that speaks neither for nor against."}
}
