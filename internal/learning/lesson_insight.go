package learning

import (
	"context"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// FromInsightTx begins the lesson that a reflection over many memories proposes (seed 000, "Reflection Frequency"), in the insight's own
// transaction, and gives its id. s.CauseID is the insight's, which has one lesson; s.Insight is what the reflection says. The reflect
// step takes that over, and every later step of the path and its gates are as for any lesson.
func (p *Pipeline) FromInsightTx(tx *db.Tx, s Source) (lessonID string, err error) {
	if s.Kind != Reflected || s.CauseID == "" || s.Insight == nil || s.Insight.Nothing {
		return "", fault.New(fault.Invalid, "A lesson from a reflection needs the insight and its principle.")
	}
	l := Lesson{ID: id.New(), Origin: s.origin(), Cause: CauseReflection, CauseID: s.CauseID, AgentID: s.AgentID, AgentName: s.AgentName, By: s.By,
		Task: s.Task, Stage: StageReflect, State: Running, Title: begunTitle[Reflected]}
	ok, err := insertTx(tx, l, p.safe(s))
	if err != nil {
		return "", err
	}
	if !ok {
		had, _, err := byCauseTx(tx, CauseReflection, s.CauseID)
		return had.ID, err
	}
	tx.Touch("learning")
	return l.ID, p.enqueueTx(tx, l.ID, StageReflect)
}

// insight is what a reflection over many memories said, unless a person sent the lesson back: then the reasoner is asked.
func (s *Source) insight() (Reflection, bool) {
	if s.Kind != Reflected || s.Insight == nil {
		return Reflection{}, false
	}
	if _, back := s.note(StageReflect); back {
		return Reflection{}, false
	}
	r := *s.Insight
	if r.Title == "" {
		r.Title = firstWords(r.Principle, 8)
	}
	return r, true
}

// Remedy is the principle that the deterministic guard would reflect on, whoever the reasoner is; false when there is none.
func (p *Pipeline) Remedy(ctx context.Context, s Source) (Reflection, bool) {
	r, err := p.guard.Reflect(ctx, s)
	return r, err == nil && !r.Nothing && r.check() == nil
}

// NoTokens speaks of the customer where a model repeats a token.
func NoTokens(s string) string { return noTokens(s) }
