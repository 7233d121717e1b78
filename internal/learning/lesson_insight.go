package learning

import (
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// FromInsightTx opens the lesson of what a reflection over many memories counted (seed 000, "Reflection Frequency"), in
// the insight's own transaction, and gives its id; "" where the agent has a lesson about it already. It composes
// nothing: s.Reason holds the counts and s.Flags the finding, and an expert says in a sentence what should change.
// s.CauseID is the insight's.
func (p *Pipeline) FromInsightTx(tx *db.Tx, s Source) (lessonID string, err error) {
	if s.Kind != Reflected || s.CauseID == "" || len(s.Flags) == 0 {
		return "", fault.New(fault.Invalid, "A lesson from a reflection needs the insight and the finding.")
	}
	l := begun(s, CauseReflection, s.CauseID)
	l.Code = s.Flags[0].Code
	if known, err := underway(tx, l); err != nil || known {
		return "", err
	}
	s = p.safe(s)
	r, err := new(Embedded).Reflect(context.Background(), s)
	if err != nil {
		return "", err
	}
	l.State, l.Outcome, l.Problem, l.Domain = Unstated, r.Why, r.Problem, r.Domain
	if ok, err := insertTx(tx, l, s); err != nil || !ok {
		return "", err
	}
	tx.Touch("learning")
	return l.ID, addStepTx(tx, l.ID, Step{Name: StageReflect, AnsweredBy: embeddedName,
		Input: jsonOf(s.material()), Output: jsonOf(r)})
}

// NoTokens speaks of the customer where a model repeats a token.
func NoTokens(s string) string { return noTokens(s) }
