package learning

import (
	"fmt"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/internal/pack"
)

// FromDecisionTx stores what a decision may teach, in the decision's own transaction, and queues its first job there. A
// decision has one lesson: a second call changes nothing. An approval waits for its release.
func (p *Pipeline) FromDecisionTx(tx *db.Tx, s Source) error {
	if s.DecisionID == "" {
		return fault.New(fault.Invalid, "A lesson needs the decision it comes from.")
	}
	l := Lesson{
		ID: id.New(), Origin: s.Kind, DecisionID: s.DecisionID, Cause: CauseDecision, CauseID: s.DecisionID, InteractionID: s.InteractionID, AgentID: s.AgentID, AgentName: s.AgentName,
		By: s.By, Task: s.Task, Stage: StageReflect, State: Running, CaseState: CaseWaiting,
	}
	switch s.Kind {
	case Approve:
		l.Stage, l.State = StageCase, Waiting
		l.Title = pack.Label(s.Task) + " approved"
	case Revise:
		l.Title = pack.Label(s.Task) + " revised"
	case Reject:
		l.Title = pack.Label(s.Task) + " rejected"
	default:
		return fault.New(fault.Invalid, "Nothing is learned from a decision of kind %q.", s.Kind)
	}
	ok, err := insertTx(tx, l, p.safe(s))
	if err != nil || !ok {
		return err
	}
	tx.Touch("learning")
	if l.Stage == StageCase {
		return nil
	}
	return p.enqueueTx(tx, l.ID, StageReflect)
}

// ReleasedTx says that a decision's hold has passed: its text was released, or its rejection escalated. Now the case is
// made. A second call changes nothing.
func (p *Pipeline) ReleasedTx(tx *db.Tx, decisionID string) error {
	l, ok, err := byDecisionTx(tx, decisionID)
	if err != nil || !ok {
		return err
	}
	if _, err := tx.Exec(`UPDATE lesson SET settled = 1 WHERE id = $1`, l.ID); err != nil {
		return fmt.Errorf("learning: settle a lesson: %w", err)
	}
	tx.Touch("learning")
	if l.CaseState != CaseWaiting {
		return nil
	}
	l.CaseState = CaseRunning
	if err := saveCaseTx(tx, &l, CaseWaiting); err != nil {
		return err
	}
	return p.enqueueTx(tx, l.ID, StageCase)
}

// separator stands between the fields while they are pseudonymised together; no text may carry it.
const separator = "\n\x1e\n"

// safe is s without personal data. All fields are done in one go, so that one name has one token in all of them.
func (p *Pipeline) safe(s Source) Source {
	s.Situation.Features = append([]string(nil), s.Situation.Features...)
	s.Flags = append([]Flag(nil), s.Flags...)
	fields := []*string{&s.Question, &s.AgentText, &s.HumanText, &s.Reason, &s.Feedback, &s.Reasoning, &s.Situation.Question, &s.Situation.Goal, &s.Situation.Text}
	s.Phrases = append([]string(nil), s.Phrases...)
	for i := range s.Phrases {
		fields = append(fields, &s.Phrases[i])
	}
	s.Voices = append([]Voice(nil), s.Voices...)
	for i := range s.Voices {
		v := &s.Voices[i]
		v.Issues = append([]Flag(nil), v.Issues...)
		fields = append(fields, &v.Reasoning)
		for j := range v.Issues {
			fields = append(fields, &v.Issues[j].Why, &v.Issues[j].Quote)
		}
	}
	for i := range s.Situation.Features {
		fields = append(fields, &s.Situation.Features[i])
	}
	for i := range s.Flags {
		fields = append(fields, &s.Flags[i].Why, &s.Flags[i].Quote)
	}
	if s.Insight != nil {
		in := *s.Insight
		s.Insight = &in
		fields = append(fields, &in.Title, &in.Problem, &in.RootCause, &in.Principle)
	}
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = strings.ReplaceAll(*f, "\x1e", " ")
	}
	joined, _ := p.priv.Pseudonymise(strings.Join(texts, separator), s.Known...)
	parts := strings.Split(joined, separator)
	for i, f := range fields {
		if len(parts) == len(fields) {
			*f = parts[i]
			continue
		}
		*f, _ = p.priv.Pseudonymise(texts[i], s.Known...) // a separator was swallowed: field by field then
	}
	s.Known = nil
	return s
}
