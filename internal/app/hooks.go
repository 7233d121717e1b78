package app

import (
	"fmt"

	"preceptor/internal/account"
	"preceptor/internal/compliance"
	"preceptor/internal/db"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/review"
)

// join sets the hooks. What runs in them shares the transaction of its cause and calls no model.
func (a *App) join() {
	a.Interactions.OnAdvise = a.Advisor.EnqueueTx
	a.Interactions.Weigh = func(text string, c interaction.Consultation) any {
		return a.Validator.Glance(text, c)
	}
	a.Interactions.PackOf = a.Accounts.PackTx
	a.Interactions.OnSubmitted = append(a.Interactions.OnSubmitted, a.submitted)
	a.Reviews.Assess = func(text string, in *interaction.Interaction) review.Assessment {
		return assessment(a.verdict(text, in))
	}
	a.Reviews.Rules = a.Validator.Rules
	a.Reviews.PolicyFor = a.Policies.ForTx
	a.Policies.MayAdmin = a.holds(account.Admin)
	a.Reviews.OnDecided = append(a.Reviews.OnDecided, func(tx *db.Tx, d *review.Decision) error {
		return a.Learning.FromDecisionTx(tx, source(d))
	})
	a.Reviews.OnUndone = append(a.Reviews.OnUndone, func(tx *db.Tx, d *review.Decision) error {
		return a.Learning.WithdrawTx(tx, d.ID)
	})
	a.Reviews.OnReleased = append(a.Reviews.OnReleased, func(tx *db.Tx, d *review.Decision) error {
		return a.Learning.ReleasedTx(tx, d.ID)
	}, a.draftAnew, a.tellReleased)
	a.Reviews.OnRecalled = append(a.Reviews.OnRecalled, func(tx *db.Tx, d *review.Decision) error {
		return a.Learning.WithdrawTx(tx, d.ID) // what had to be recalled is no example
	}, a.forgetRecalled, a.tellRecalled)
}

// submitted records the verdict on a draft and what it was shown, and puts it on the desk.
func (a *App) submitted(tx *db.Tx, in *interaction.Interaction) error {
	v, ok := in.Weighed.(compliance.Verdict)
	if !ok {
		return fmt.Errorf("app: %s came without a verdict", in.ID)
	}
	if err := a.Compliance.RecordTx(tx, in.ID, in.GuidanceHash, v); err != nil {
		return fmt.Errorf("app: record the verdict on %s: %w", in.ID, err)
	}
	used := make([]knowledge.Used, 0, len(in.KnowledgeUsed))
	for i, u := range in.KnowledgeUsed {
		used = append(used, knowledge.Used{ID: u.ID, Version: u.Version, Rank: i + 1})
	}
	if _, err := a.Knowledge.RecordUsageTx(tx, in.ID, in.AgentID, used); err != nil {
		return fmt.Errorf("app: record what %s was shown: %w", in.ID, err)
	}
	as, err := a.begin(tx, in, v)
	if err != nil {
		return fmt.Errorf("app: ask the judges about %s: %w", in.ID, err)
	}
	if !as.Pending {
		if err := a.weighed(tx, in, v, true); err != nil {
			return err
		}
	}
	return a.Reviews.EnqueueTx(tx, in, as)
}

// draftAnew has our own advisor write again what was sent back to it, with the supervisor's note. Other agents do that by
// themselves.
func (a *App) draftAnew(tx *db.Tx, d *review.Decision) error {
	if d.State != review.Returned || d.Interaction.Drafter == "" {
		return nil
	}
	note := d.Reason
	if d.Feedback != "" {
		note += "\n" + d.Feedback
	}
	return a.Interactions.DraftAnewTx(tx, d.Interaction, note)
}

// forgetRecalled takes a recalled text that an outcome praised out of what the advisor chooses from.
func (a *App) forgetRecalled(tx *db.Tx, d *review.Decision) error {
	_, err := a.Knowledge.RetireOriginTx(tx, knowledge.FromFeedback, d.InteractionID, knowledge.Change{Reason: "The guidance was recalled."})
	return err
}

// assessment is what review needs of a verdict.
func assessment(v compliance.Verdict) review.Assessment {
	as := review.Assessment{
		Label: string(v.Label), Passed: v.Passed, Confidence: v.Confidence, Source: v.Source,
		Blocked: v.Critical(), Borderline: !v.Critical() && (v.Label != compliance.Compliant || v.RequiresHumanReview), Rules: v.Rules,
	}
	for _, i := range v.Issues {
		as.Flags = append(as.Flags, review.Flag{Stops: i.Stops(), Code: i.Code, Severity: i.Severity, Why: i.Why, Reference: i.Reference,
			Quote: i.Quote, Start: i.Span[0], End: i.Span[1]})
	}
	return as
}

// source is what learning needs of a decision.
func source(d *review.Decision) learning.Source {
	in := d.Interaction
	s := learning.Source{
		Kind: d.Kind, DecisionID: d.ID, InteractionID: in.ID, AgentID: in.AgentID, AgentName: in.AgentName,
		Task: in.Consultation.TaskType, Situation: in.Consultation.Situation(), Question: in.Consultation.Question,
		AgentText: in.Guidance, HumanText: d.Text, Reason: d.Reason, ReasonCode: d.ReasonCode, Feedback: d.Feedback,
		Statements: d.Statements, Private: d.OnlyCustomer, By: d.By.Name, At: d.DecidedAt, Reasoning: in.Reasoning, Known: in.Consultation.Customer.Personal(),
	}
	if d.Kind == review.Return {
		s.Kind = learning.Reject // the draft was not good enough, and the note says why
	}
	for _, f := range d.Flags {
		if !d.Covers([]string{f.Code}) { // what two people say is wrong teaches nothing
			s.Flags = append(s.Flags, learning.Flag{Code: f.Code, Why: f.Why, Quote: f.Quote})
		}
	}
	return s
}
