package app

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/internal/stats"
)

// pairAbout refuses an interaction that a pair of an agent can't be about.
func (a *App) pairAbout(tx *db.Tx, agentID, interactionID string) error {
	s, err := a.Feedback.SubjectTx(tx, agentID, interactionID)
	if err == nil && s.Erased {
		return fault.New(fault.Conflict, "The texts of this interaction were erased.")
	}
	return err
}

// mayAsk refuses to ask a user about a pair of an agent under review: of two answers to one question people release at
// most one.
func (a *App) mayAsk(tx *db.Tx, p preference.Pair) error {
	reviewed, err := a.underReviewTx(tx, p.AgentID)
	if err == nil && reviewed {
		err = fault.New(fault.Conflict,
			"People review what this agent writes before a user sees it, so users can't be "+
				"asked to compare its answers.")
	}
	return err
}

// chosen makes an example of what people chose in a pair of an agent's, while they do. Of an agent under review it
// makes one of the text alone that people released.
func (a *App) chosen(tx *db.Tx, p preference.Pair) error {
	if p.AgentID == "" {
		return nil // of no agent in particular
	}
	s := feedback.Subject{AgentID: p.AgentID, AgentName: p.By.Name, AgentType: p.By.Name, Topic: p.Task,
		Query: p.Prompt}
	c := feedback.Chosen{PairID: p.ID, Gone: p.State != preference.Open}
	held, released := false, "" // what is held makes no example unless it is the released text
	if !c.Gone {
		var err error
		if held, err = a.underReviewTx(tx, p.AgentID); err != nil {
			return err
		}
	}
	if p.InteractionID != "" && !c.Gone {
		about, err := a.Feedback.SubjectTx(tx, p.AgentID, p.InteractionID)
		if err != nil {
			return err
		}
		s.Known, held = about.Known, held || !about.Released
		if about.Released {
			s.Topic = cmp.Or(s.Topic, about.Topic)
		}
		if about.Released && about.Kind == feedback.Guidance {
			released = strings.TrimSpace(about.Response)
		}
	}
	switch p.Counter.Majority() {
	case "left":
		s.Response, c.Bad, c.Ups, c.Down = p.Left.Text, p.Right.Text, p.Counter.Lefts, p.Counter.Rights
	case "right":
		s.Response, c.Bad, c.Ups, c.Down = p.Right.Text, p.Left.Text, p.Counter.Rights, p.Counter.Lefts
	}
	if held && strings.TrimSpace(s.Response) != released {
		s.Response = ""
	}
	c.About = s
	if s.Response != "" && strings.TrimSpace(s.Response) == released {
		var err error
		if c.Withheld, err = a.withheld(tx, []string{p.InteractionID}); err != nil {
			return err
		}
		if c.Withheld != "" {
			c.About.Response = ""
		}
	}
	shown, err := a.Feedback.PreferTx(tx, c)
	_, err = a.erasePrompts(tx, 0, shown, err)
	return err
}

// ruleFacts are what an experiment has to know of a rule.
func (a *App) ruleFacts(tx *db.Tx, id string) (experiment.RuleFacts, error) {
	r, err := a.Knowledge.RuleTx(tx, id)
	if err != nil {
		return experiment.RuleFacts{}, err
	}
	return experiment.RuleFacts{Label: r.Label(), Protected: knowledge.Protected(r.Domain),
		Active: r.Status == knowledge.Active}, nil
}

// noticeEnded tells who planned an experiment that it ended; of an agent's own all managers hear.
func (a *App) noticeEnded(tx *db.Tx, e *experiment.Experiment) error {
	to, err := a.everybody(tx, account.Manager)
	if err != nil {
		return err
	}
	if slices.Contains(to, e.By.ID) {
		to = []string{e.By.ID}
	}
	return a.Comments.NoticeTx(tx, to, comment.Notice{Kind: comment.TrialEnded, ObjectID: e.ID,
		Task: endings[e.Ended] + ": " + e.Name})
}

var endings = map[string]string{experiment.Better: "the change is better", experiment.Worse: "the change does harm",
	experiment.Futile: "the effect sought isn't there", experiment.Full: "no difference shown",
	experiment.Barred: "its rule can't be left out"}

// withhold says what a draft goes without: only what an agent asked for through the API is experimented on.
func (a *App) withhold(ctx context.Context, in *interaction.Interaction) (knowledge.Withhold, error) {
	if in.Planted || in.Origin != interaction.OriginAdvise {
		return knowledge.Withhold{}, nil
	}
	return a.without(ctx, experiment.Ask{AgentID: in.AgentID, User: customerOf(in), Subject: in.ID,
		Earlier: in.Revises})
}

// without is what the arm goes without in which somebody is.
func (a *App) without(ctx context.Context, ask experiment.Ask) (knowledge.Withhold, error) {
	arm, err := a.Experiments.Arm(ctx, ask)
	if err != nil || !arm.Withholds() {
		return knowledge.Withhold{}, err
	}
	return knowledge.Withhold{Learned: arm.Purpose == experiment.Memory, RuleID: arm.RuleID}, nil
}

// triedTx is how something turned out, in every experiment that it or its user is part of.
func (a *App) triedTx(tx *db.Tx, agentID, subjectID, user string, at time.Time, metric string, good bool) error {
	if err := a.Experiments.OutcomeTx(tx, agentID, subjectID, metric, good); err != nil {
		return err
	}
	return a.Experiments.RecalledTx(tx, agentID, reference(user), at, metric, good)
}

// reference is how an agent's name of a user stands in a consultation's customer, too.
func reference(user string) string { return interaction.SubjectOf(interaction.ByReference, user).Value }

// customerOf is a reference of the customer's that stays the same from one consultation to the next; "" when none was
// sent. A name is none: others bear it.
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
	return &stats.MemoryEffect{Name: e.Name, ID: e.ID, With: estimate.Of(e.Counts.Good[0], e.Counts.N[0]),
		Without: estimate.Of(e.Counts.Good[1], e.Counts.N[1]),
		Effect:  l.Effect, Low: l.Low, High: l.High, Wanted: max(e.SizeT, e.SizeC),
		Have: min(e.Counts.N[0], e.Counts.N[1]), Agent: e.AgentName,
		Stopped: e.State == experiment.Stopped}, nil
}

// comparedTx is what a settled decision says about the draft.
func (a *App) comparedTx(tx *db.Tx, d *review.Decision) error {
	in := d.Interaction
	if in == nil || in.Planted || d.Kind == review.Sampled {
		return nil
	}
	unchanged := d.State == review.Released && d.FinalHash == in.GuidanceHash && d.Kind != review.Revise
	if err := a.triedTx(tx, in.AgentID, in.ID, customerOf(in), in.CreatedAt, experiment.Approved,
		unchanged); err != nil {
		return err
	}
	if d.State != review.Released || unchanged || in.NoText || d.Text == in.Guidance {
		return nil
	}
	return a.Preferences.FromRevisionTx(tx,
		preference.Revised{DecisionID: d.ID, InteractionID: in.ID, AgentID: in.AgentID, AgentName: in.AgentName,
			Task: in.Consultation.TaskType, Question: in.Consultation.Question, Draft: in.Guidance, Human: d.Text,
			Known: in.Consultation.Customer.Personal(),
			By:    preference.Person{ID: d.By.ID, Name: d.By.Name}})
}
