package learning

import (
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// afterwards parts what a decision said of a case from what its customer said later.
const afterwards = " The customer afterwards: "

// SucceededTx keeps with the knowledge that guidance went well for its customer (seed 000,
// learn_from_successful_consultation): on the case that its decision made, as a new version, or as a case of its own
// where there is none, as when nobody read it. s.HumanText is what the customer got, s.DecisionID the decision that let
// it go, s.CauseID the outcome. A case of its own is no exemplar: a person has not approved it. One that was retired
// stays so.
func (p *Pipeline) SucceededTx(tx *db.Tx, s Source) error {
	if s.Scores == nil || s.CauseID == "" || s.HumanText == "" {
		return fault.New(fault.Invalid, "A success needs its outcome, its scores and the text that the customer got.")
	}
	said := afterwards + s.Scores.Words() + "."
	if s.DecisionID != "" {
		c, err := p.kb.CaseOfOriginTx(tx, s.AgentID, knowledge.FromReview, s.DecisionID)
		if err != nil {
			return err
		}
		if c != nil {
			if c.Status != knowledge.Active || c.Guidance == "" || !c.ErasedAt.IsZero() {
				return nil
			}
			before, _, _ := strings.Cut(c.Outcome, afterwards)
			c.Outcome, c.By, c.Reason = strings.TrimSpace(before)+said, me, "An outcome was reported."
			if before = strings.TrimSpace(before); before != "" && !strings.HasSuffix(before, ".") {
				c.Outcome = before + "." + said
			}
			_, err = p.kb.AddCaseTx(tx, *c)
			return err
		}
	}
	_, err := p.kb.AddCaseTx(tx, p.success(s))
	tx.Touch("knowledge")
	return err
}

// success is the case of a text that went well for its customer, real or practised.
func (p *Pipeline) success(s Source) knowledge.Case {
	safe := p.safe(s)
	c := knowledge.Case{Source: knowledge.FromFeedback, Origin: s.InteractionID,
		InteractionID: s.InteractionID, AgentID: s.AgentID, Task: s.Task,
		Domain: lightest(s.Situation.Pack), By: me,
		Reason: "Learned from an outcome.",
		CaseText: knowledge.CaseText{Title: pack.Label(s.Task), Situation: situationText(safe.Situation),
			Reasoning: safe.Reasoning, Guidance: safe.HumanText,
			Outcome: strings.TrimSpace(afterwards + s.Scores.Words() + ".")}}
	if s.origin() == Practice {
		c.Source, c.Approved = knowledge.FromPractice, s.Approver != ""
		c.Outcome = "Practised with a virtual customer: " + s.Scores.Words() + "."
	}
	return c
}

// AdoptTx makes a case of what was practised, as an expert decided; false where it is one already, or was retired. It
// is no exemplar: no rule is tested on what no real customer got.
func (p *Pipeline) AdoptTx(tx *db.Tx, s Source, by knowledge.Person) (bool, error) {
	c := p.success(s)
	old, err := p.kb.CaseOfOriginTx(tx, c.AgentID, c.Source, c.Origin)
	if err != nil || old != nil && old.Status != knowledge.Active {
		return false, err
	}
	c.Approved, c.By, c.Reason = true, by.Actor(), "Adopted from practice by "+by.Name+"."
	made, err := p.kb.AddCaseTx(tx, c)
	tx.Touch("knowledge")
	return err == nil && (old == nil || made.Version != old.Version), err
}
