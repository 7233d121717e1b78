package app

import (
	"context"

	"preceptor/internal/db"
	"preceptor/internal/erase"
	"preceptor/internal/fault"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/review"
	"preceptor/internal/stats"
)

// joinCompare ties pairs and experiments to the desk and to our own advisor. It comes after joinErase.
//
//	our advisor drafts     <- goes without memory, or without a rule, in the control arm of an experiment that runs
//	a settled decision     -> the outcome of its arm; of a changed text, a pair
//	a vote, an outcome     -> the outcome of its arm
//	the page of learning   <- what memory does
//	undone or recalled     -> its pair is withdrawn; the outcome of the first decision stands
func (a *App) joinCompare() {
	a.Preferences, a.Experiments = preference.New(a.DB), experiment.New(a.DB)
	a.Preferences.Hide = hide(a.Privacy)
	a.Preferences.About = func(tx *db.Tx, agentID, interactionID string) error {
		s, err := a.Feedback.SubjectTx(tx, agentID, interactionID)
		if err == nil && s.Erased {
			return fault.New(fault.Conflict, "The texts of this interaction were erased.")
		}
		return err
	}
	a.Experiments.Rule = func(tx *db.Tx, id string) (experiment.RuleFacts, error) {
		r, err := a.Knowledge.RuleTx(tx, id)
		if err != nil {
			return experiment.RuleFacts{}, err
		}
		return experiment.RuleFacts{Label: r.Label(), Protected: knowledge.Protected(r.Domain), Active: r.Status == knowledge.Active}, nil
	}
	a.Advisor.Withhold = a.withhold
	a.Stats.Memory = a.memoryEffect
	a.Feedback.OnVote(func(tx *db.Tx, _ *feedback.Vote, now feedback.Vote, s feedback.Subject) error {
		if now.Norm == 0.5 { // neither good nor bad
			return nil
		}
		return a.Experiments.OutcomeTx(tx, s.AgentID, s.ID, experiment.Vote, now.Norm > 0.5)
	})
	a.Feedback.OnOutcome(func(tx *db.Tx, _ *feedback.Outcome, o feedback.Outcome, s feedback.Subject) error {
		return a.Experiments.OutcomeTx(tx, s.AgentID, s.ID, experiment.Satisfaction, o.Satisfaction > feedback.Middle)
	})
	a.Reviews.OnReleased = append(a.Reviews.OnReleased, a.comparedTx)
	withdraw := func(tx *db.Tx, d *review.Decision) error { return a.Preferences.WithdrawTx(tx, d.ID) }
	a.Reviews.OnUndone = append(a.Reviews.OnUndone, withdraw)
	a.Reviews.OnRecalled = append(a.Reviews.OnRecalled, withdraw)
	a.Erase.Also = append(a.Erase.Also,
		erase.Also{Place: "Pairs of answers", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
			return a.Preferences.EraseTx(tx, g.Interaction, g.Known)
		}},
		erase.Also{Place: "Links to people in experiments", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
			return a.Experiments.EraseTx(tx, g.Interaction)
		}})
}

// withhold says what a draft goes without: only what an agent asked for through the API is experimented on.
func (a *App) withhold(ctx context.Context, in *interaction.Interaction) (knowledge.Withhold, error) {
	if in.Planted || in.Origin != interaction.OriginAdvise {
		return knowledge.Withhold{}, nil
	}
	arm, err := a.Experiments.Arm(ctx, experiment.Ask{AgentID: in.AgentID, User: customerOf(in), Subject: in.ID, Earlier: in.Revises})
	if err != nil || !arm.Withholds() {
		return knowledge.Withhold{}, err
	}
	return knowledge.Withhold{Learned: arm.Purpose == experiment.Memory, RuleID: arm.RuleID}, nil
}

// customerOf is a reference of the customer's that stays the same from one consultation to the next; "" when none was sent. A name is
// none: others bear it.
func customerOf(in *interaction.Interaction) string {
	for _, s := range in.Subjects() {
		if s.How == interaction.ByReference {
			return s.Value
		}
	}
	return ""
}

// memoryEffect is what the newest experiment on memory says, for the page of learning.
func (a *App) memoryEffect(ctx context.Context) (*stats.MemoryEffect, error) {
	e, err := a.Experiments.Newest(ctx, experiment.Memory)
	if err != nil || e == nil {
		return nil, err
	}
	l := e.Look()
	return &stats.MemoryEffect{Name: e.Name, ID: e.ID, With: stats.Of(e.Counts.Good[0], e.Counts.N[0]), Without: stats.Of(e.Counts.Good[1], e.Counts.N[1]),
		Effect: l.Effect, Low: l.Low, High: l.High, Wanted: max(e.SizeT, e.SizeC), Have: min(e.Counts.N[0], e.Counts.N[1]), Since: e.StartedAt}, nil
}

// comparedTx is what a settled decision says about the draft.
func (a *App) comparedTx(tx *db.Tx, d *review.Decision) error {
	in := d.Interaction
	if in == nil || in.Planted || d.Kind == review.Sampled {
		return nil
	}
	unchanged := d.State == review.Released && d.FinalHash == in.GuidanceHash
	if err := a.Experiments.OutcomeTx(tx, in.AgentID, in.ID, experiment.Approved, unchanged); err != nil {
		return err
	}
	if d.State != review.Released || unchanged {
		return nil
	}
	return a.Preferences.FromRevisionTx(tx, preference.Revised{DecisionID: d.ID, InteractionID: in.ID, AgentID: in.AgentID, AgentName: in.AgentName,
		Task: in.Consultation.TaskType, Question: in.Consultation.Question, Draft: in.Guidance, Human: d.Text, Known: in.Consultation.Customer.Personal(),
		By: preference.Person{ID: d.By.ID, Name: d.By.Name}})
}
