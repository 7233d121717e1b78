package learning

import (
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// FromProposalTx begins the lesson of a proposal that a person approved (seed 002, "Integration with Phase 3"), in the
// transaction of the approval, and gives its id. It goes down the path as any other; where it arrives as it was
// approved, nobody is asked again. s.CauseID is the signal's. What practice taught comes the same way, and waits for a
// person at its end where nobody approved it.
func (p *Pipeline) FromProposalTx(tx *db.Tx, s Source) (lessonID string, err error) {
	if s.Kind != Proposed || s.CauseID == "" || s.Approver == "" && s.Origin != Practice || len(s.Statements) != 1 {
		return "", fault.New(fault.Invalid,
			"A lesson from a proposal needs the proposal, its statement and who approved it.")
	}
	l := begun(s, CauseProposal, s.CauseID)
	ok, err := p.beginTx(tx, l, s)
	if err == nil && !ok {
		err = fault.New(fault.Conflict, "This proposal has a lesson already.")
	}
	return l.ID, err
}

// UnderWayTx reports whether a lesson is still on its way: whether its rule comes isn't known yet.
func (p *Pipeline) UnderWayTx(tx *db.Tx, lessonID string) (bool, error) {
	l, err := lessonTx(tx, lessonID)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return l.State == Running, err
}

// approval is who approved a lesson's statement before it went down the path, and still stands behind it: a statement
// that was changed since, or sent back, needs a person again.
func (s *Source) approval(l Lesson) (by knowledge.Person, ok bool) {
	if s.Approver == "" || l.SentBack > 0 || s.StatedBy != "" || len(s.Statements) != 1 ||
		!sameStatement(s.Statements[0], l.Statement) {
		return by, false
	}
	return knowledge.Person{ID: s.Approver, Name: s.By}, true
}
