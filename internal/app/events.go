package app

import (
	"cmp"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/judging"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/learning/stream"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/review"
	"preceptor/internal/review/reply"
	"preceptor/internal/signal/turn"
)

// This file says what follows from each event, in order. All of it runs in the transaction of its cause: an error
// undoes the cause too. None of it calls a model: what needs one is a job that is queued in the transaction and runs
// after it. Cases are counted last, because what is counted has to be written by then.

// inOrder takes steps until one fails.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// asked: somebody asked our own advisor. A job drafts.
func (a *App) asked(tx *db.Tx, in *interaction.Interaction) error { return a.Advisor.EnqueueTx(tx, in) }

// read checks a draft before the transaction that stores it, because that takes a while; submitted follows in it.
func (a *App) read(text string, c interaction.Consultation) interaction.Follow {
	v := a.Validator.Glance(text, c)
	return func(tx *db.Tx, in *interaction.Interaction) error { return a.submitted(tx, in, v) }
}

// submitted: an agent handed in guidance, or our advisor's draft arrived. Its verdict is recorded, and it goes on the
// desk.
func (a *App) submitted(tx *db.Tx, in *interaction.Interaction, v compliance.Verdict) error {
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
	pending, err := a.Judging.BeginTx(tx, in, v) // the judges that need a network are asked
	if err != nil {
		return fmt.Errorf("app: ask the judges about %s: %w", in.ID, err)
	}
	if !pending {
		if err := a.weighed(tx, in, v, true); err != nil {
			return err
		}
	}
	as := assessment(v)
	as.Pending = pending
	shown := lists.Map(in.KnowledgeUsed, func(u interaction.Used) string { return u.ID })
	return inOrder(
		func() error { return a.Reviews.EnqueueTx(tx, in, as) },
		func() error { return a.Planted.ArrivedTx(tx, in) },  // a seeded check may follow it
		func() error { return a.Unanswered.CountTx(tx, in) }, // a draft that says that there is no guidance
		func() error { // evaluators read its steps
			return a.Signals.GuidanceTx(tx,
				turn.Turn{Ref: in.ID, AgentID: in.AgentID, Agent: in.AgentName, Session: in.ID, Model: in.Model,
					Task: in.Consultation.TaskType, Steps: turn.StepsOf(in.Steps), Source: turn.ByAPI})
		},
		func() error { return a.Feedback.UseTx(tx, in.ID, in.AgentID, shown) }, // the exemplars among what it was shown
		func() error { return a.Counter.CaseTx(tx, in.ID) },
	)
}

// judged: the judges that need a network answered. The experts come before the desk, which could let the draft go.
func (a *App) judged(tx *db.Tx, j judging.Judged) error {
	in := j.Interaction
	err := a.Reviews.Undecided(tx, in.ID, in.GuidanceHash)
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	open := err == nil
	return inOrder(
		func() error { return a.weighed(tx, in, j.Verdict, open) },
		func() error { return a.Reviews.ReassessTx(tx, in, assessment(j.Verdict)) },
		func() error { return a.Counter.CaseTx(tx, in.ID) },
	)
}

// decided: a supervisor's decision is held, with all signatures that it needs.
func (a *App) decided(tx *db.Tx, d *review.Decision) error {
	return inOrder(
		func() error { return a.learnedFrom(tx, d) },                                       // a lesson may begin
		func() error { return a.Borderline.OvertakeTx(tx, d.InteractionID, d.By.Actor()) }, // the experts need not rule
		// what the draft was shown helped, or did not
		func() error { return a.credited(tx, d) },
		func() error { return a.ticked(tx, d) },
		func() error { return a.rememberDecision(tx, d) },
		func() error { return a.Counter.CaseTx(tx, d.InteractionID) },
	)
}

// learnedFrom begins the lesson of a decision.
func (a *App) learnedFrom(tx *db.Tx, d *review.Decision) (err error) {
	in := d.Interaction
	if in.NoText || d.Kind == review.Revise && d.Text == in.Guidance {
		return nil // what is done for one customer is no example for others, and no text was corrected
	}
	s := source(d)
	if d.Kind == review.Revise { // what is of a saved reply is no lesson
		replies, err := reply.ListTx(tx, d.Author().ID)
		if err != nil {
			return err
		}
		own, private := reply.Without(replies, d.Text, in.Guidance)
		s.Own, s.Known = &own, append(s.Known, private...)
	}
	if d.Kind == review.Approve {
		if pack.Of(d.Interaction.Consultation.Pack).Unanswered(d.Text) {
			return nil // that there was no guidance answers nobody's question
		}
		if d.NotJudged != "" { // whom experts ruled on was judged
			x, err := a.expertSays(tx, d.InteractionID, d.FinalHash)
			if err != nil {
				return err
			}
			if !x.Releases {
				s.NotJudged, s.Unread = d.NotJudged, d.Unread
			}
		}
	}
	return a.Learning.FromDecisionTx(tx, s)
}

// source is what learning needs of a decision.
func source(d *review.Decision) learning.Source {
	in := d.Interaction
	s := learning.Source{
		Kind: d.Kind, DecisionID: d.ID, InteractionID: in.ID, AgentID: in.AgentID, AgentName: in.AgentName,
		Task: in.Consultation.TaskType, Situation: in.Consultation.Situation(), Question: in.Consultation.Question,
		AgentText: in.Guidance, HumanText: d.Text, Reason: d.Reason, ReasonCode: d.ReasonCode, Feedback: d.Feedback,
		Statements: d.Statements, Private: d.OnlyCustomer, By: d.Author().Name, At: d.DecidedAt,
		Reasoning: in.Reasoning, Known: in.Consultation.Customer.Personal(),
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

// undone: a decision was taken back during its hold.
func (a *App) undone(tx *db.Tx, d *review.Decision) error {
	return inOrder(
		func() error { return a.Learning.WithdrawTx(tx, d.ID) },
		func() error { return a.Borderline.ReinstateTx(tx, d.InteractionID, d.SettledBy.Actor()) },
		func() error { return a.Credit.UndoTx(tx, d.ID) },
		func() error { return a.Stream.UndoTx(tx, stream.Decision, d.ID) },
		func() error { return a.Preferences.WithdrawTx(tx, d.ID) },
		func() error { return a.Counter.CaseTx(tx, d.InteractionID) },
	)
}

// ended: guidance that nobody decided was withdrawn by its agent, or its deadline passed.
func (a *App) ended(tx *db.Tx, in *interaction.Interaction, by audit.Actor) error {
	return inOrder(
		func() error { return a.Borderline.OvertakeTx(tx, in.ID, by) },
		func() error {
			if in.Status != interaction.Expired {
				return nil // its agent knows
			}
			return a.Delivery.EnqueueTx(tx, in.AgentID, eventExpired, in.ID, in.ID)
		},
		func() error { return a.Counter.CaseTx(tx, in.ID) },
	)
}

// released: the hold of a decision ended; the guidance is released, escalated or returned.
func (a *App) released(tx *db.Tx, d *review.Decision) error {
	return inOrder(
		func() error { return a.Learning.ReleasedTx(tx, d.ID) }, // a case may follow
		func() error { return a.draftAnew(tx, d) },
		func() error { return a.acted(tx, d) },
		func() error {
			if d.State != review.Escalated {
				return nil
			}
			return a.Escalations.OpenTx(tx, d.InteractionID, d.ID) // a person has to answer the customer
		},
		func() error { return a.tellReleased(tx, d) },
		func() error {
			if d.State != review.Released || d.Kind == review.Sampled {
				return nil
			}
			return a.Borderline.SampleTx(tx, d.ID, d.Interaction, d.Text, d.By.ID, d.Second.ID) // an expert may rate it
		},
		func() error { return a.Feedback.RefreshTx(tx, d.InteractionID) }, // it may carry an exemplar
		func() error { return a.Preferences.RefreshTx(tx, d.InteractionID) },
		func() error { return a.comparedTx(tx, d) },
		func() error { return a.Counter.CaseTx(tx, d.InteractionID) },
	)
}

// recalled: a delivered text was taken back, to be corrected. It is no example, no success that knowledge may claim,
// and no failure that a person decided on.
func (a *App) recalled(tx *db.Tx, d *review.Decision) error {
	return inOrder(
		func() error { return a.Learning.WithdrawTx(tx, d.ID) },
		func() error { return a.forgetRecalled(tx, d) },
		func() error { return a.tell(tx, eventRecalled, d) },
		func() error { return a.Borderline.DropTx(tx, d.ID) },
		func() error { return a.Credit.UndoTx(tx, d.ID) },
		func() error { return a.Stream.UndoTx(tx, stream.Decision, d.ID) },
		func() error { return a.Feedback.RefreshTx(tx, d.InteractionID) },
		func() error { return a.Preferences.RefreshTx(tx, d.InteractionID) },
		func() error { return a.Preferences.WithdrawTx(tx, d.ID) },
		func() error { return a.Counter.CaseTx(tx, d.InteractionID) },
	)
}

// plantedClosed: the hold of a decision on a seeded check ended. Nothing is learned from it, and nobody is told but who
// decided.
func (a *App) plantedClosed(tx *db.Tx, d *review.Decision) error {
	return inOrder(
		func() error { return a.Borderline.OvertakeTx(tx, d.InteractionID, d.By.Actor()) },
		func() error { return a.acted(tx, d) },
		func() error { return a.Planted.ClosedTx(tx, d) },
		func() error { return a.Counter.CaseTx(tx, d.InteractionID) },
	)
}

// settled: a decision stands no more: undone, overruled or recalled. This is for telling people; a first signature that
// waits for a second one (noticeSigned) is no other event.
func (a *App) settled(tx *db.Tx, d *review.Decision) error {
	if err := a.noticeSettled(tx, d); err != nil {
		return err
	}
	return a.Counter.CaseTx(tx, d.InteractionID)
}

// withExperts: a borderline case was made of an interaction.
func (a *App) withExperts(tx *db.Tx, c *borderline.Case) error {
	if by, note := c.Asked(); by.ID != "" {
		if err := a.Interactions.NoteTx(tx, c.InteractionID, "referred", by.Actor(), note); err != nil {
			return err
		}
	}
	return a.Counter.CaseTx(tx, c.InteractionID)
}

// ruled: the experts ruled on a borderline case.
func (a *App) ruled(tx *db.Tx, c *borderline.Case, r *borderline.Ruling, v compliance.Verdict,
	answers []borderline.Answer) error {
	in, err := a.Interactions.GetTx(tx, c.InteractionID)
	if err != nil {
		return err
	}
	if err := a.reassess(tx, in, c, ruledOn(r, v)); err != nil { // the desk may release it, or not
		return err
	}
	if err := a.Interactions.NoteTx(tx, in.ID, "ruled", r.By.Actor(), r.Label.Word()+". "+r.Rationale); err != nil {
		return err
	}
	if !in.Planted {
		// a lesson may begin
		if _, err := a.Learning.FromVerdictTx(tx, sourceOfRuling(in, c, r, v, answers)); err != nil {
			return err
		}
		if err := a.rememberRuling(tx, in, r, v); err != nil {
			return err
		}
	}
	if err := a.noticeRuled(tx, c, r, answers); err != nil {
		return err
	}
	return a.Counter.CaseTx(tx, c.InteractionID)
}

// unresolved: the experts ended without a ruling, so that a supervisor decides.
func (a *App) unresolved(tx *db.Tx, c *borderline.Case, r borderline.Remark) error {
	if err := a.Interactions.NoteTx(tx, c.InteractionID, "unresolved", r.By.Actor(), r.Text); err != nil {
		return err
	}
	if err := a.noticeBack(tx, c, r.By); err != nil {
		return err
	}
	return a.Counter.CaseTx(tx, c.InteractionID)
}

// rulingUndone: a ruling was taken back.
func (a *App) rulingUndone(tx *db.Tx, c *borderline.Case, r *borderline.Ruling, v compliance.Verdict,
	_ []borderline.Answer) error {
	in, err := a.Interactions.GetTx(tx, c.InteractionID)
	if err != nil {
		return err
	}
	return inOrder(
		func() error { return a.reassess(tx, in, c, assessment(v)) },
		func() error { return a.Interactions.NoteTx(tx, in.ID, "ruling undone", r.UndoneBy.Actor(), "") },
		func() error { return a.Learning.WithdrawRulingTx(tx, r.ID) },
		func() error { return a.Comments.OverTx(tx, c.ID, true, comment.CaseRuled, comment.CaseBack) },
		func() error { return a.Stream.UndoTx(tx, stream.Ruling, r.ID) },
		func() error { return a.Counter.CaseTx(tx, c.InteractionID) },
	)
}

// voted: a user voted on an answer, or changed their vote.
func (a *App) voted(tx *db.Tx, old *feedback.Vote, now feedback.Vote, s feedback.Subject) error {
	if err := a.Counter.VoteTx(tx, old, now, s); err != nil {
		return err
	}
	if now.Norm == 0.5 { // neither good nor bad
		return nil
	}
	if err := a.learnDislikes(tx, now, s); err != nil { // three that say why make a lesson
		return err
	}
	return a.triedTx(tx, s.AgentID, s.ID, cmp.Or(s.UserID, now.UserID), s.At, experiment.Vote, now.Norm > 0.5)
}

// outcomeGiven: somebody told what came of guidance, or corrected that.
func (a *App) outcomeGiven(tx *db.Tx, old *feedback.Outcome, now feedback.Outcome, s feedback.Subject) error {
	if err := a.Counter.OutcomeTx(tx, old, now, s); err != nil {
		return err
	}
	if err := a.learnOutcome(tx, old, now, s); err != nil { // good: kept with its case; low: a lesson
		return err
	}
	return a.triedTx(tx, s.AgentID, s.ID, cmp.Or(s.UserID, now.By), s.At, experiment.Satisfaction,
		now.Satisfaction > feedback.Middle)
}

// logged: an agent that nobody reviews reported an interaction.
func (a *App) logged(tx *db.Tx, o feedback.Observation) error {
	if err := a.Counter.LoggedTx(tx, o); err != nil {
		return err
	}
	used := make([]knowledge.Used, len(o.Knowledge))
	for i, id := range o.Knowledge {
		used[i] = knowledge.Used{ID: id, Rank: i + 1}
	}
	_, err := a.Knowledge.RecordUsageTx(tx, o.ID, o.AgentID, used)
	return err
}

// summedUp: the batch of the night wrote the summary of an agent's day.
func (a *App) summedUp(tx *db.Tx, n nightly.Night) error {
	if !a.cfg.FeedbackDigest {
		return nil
	}
	return a.Delivery.EnqueueTx(tx, n.AgentID, eventNightly, n.ID, n.ID)
}

// ruleWritten: a rule has a new version, because a lesson was accepted or a person wrote it, or it went into
// quarantine.
func (a *App) ruleWritten(tx *db.Tx, r knowledge.Rule) error {
	if err := a.Conflicts.RuleWrittenTx(tx, r); err != nil { // it is compared with the others
		return err
	}
	return a.noticeQuarantined(tx, r)
}

// rulesChanged: many rules changed at once, by a rollback or an import.
func (a *App) rulesChanged(tx *db.Tx) error { return a.Conflicts.RulesChangedTx(tx) }

// sectionReworded: a section says something else than cases and rules that rest on it.
func (a *App) sectionReworded(tx *db.Tx, s knowledge.Case, list []knowledge.Outdated, all bool) error {
	return a.Conflicts.SectionRewordedTx(tx, s, list, all)
}

// caseWritten: agents may be given a case, or not any more.
func (a *App) caseWritten(tx *db.Tx, c knowledge.Case) error {
	if err := a.Conflicts.CaseWrittenTx(tx, c); err != nil || c.InteractionID == "" {
		return err
	}
	if err := a.Feedback.RefreshTx(tx, c.InteractionID); err != nil { // its answer may carry an exemplar
		return err
	}
	return a.Preferences.RefreshTx(tx, c.InteractionID) // or be one that people chose
}

// ruleEnded: a person took a rule out to settle a conflict, merged into another one or not.
func (a *App) ruleEnded(tx *db.Tx, r knowledge.Rule, into *knowledge.Rule, reason string, by knowledge.Person) error {
	return a.Learning.RuleEndedTx(tx, r.ID, into, reason, by)
}

// ruleReworded: a person narrowed a rule to settle a conflict, or merged another one into it.
func (a *App) ruleReworded(tx *db.Tx, r knowledge.Rule, by knowledge.Person) error {
	return a.Learning.RuleRewordedTx(tx, r, by)
}
