package learning

import (
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
	ok, err := p.openTx(tx, l, s)
	if err != nil || !ok {
		return "", err
	}
	return l.ID, nil
}

// NoTokens speaks of the customer where a model repeats a token.
func NoTokens(s string) string { return noTokens(s) }
