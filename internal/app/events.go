package app

import (
	"cmp"
	"fmt"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/judging"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning/stream"
	"preceptor/internal/lists"
	"preceptor/internal/review"
	"preceptor/internal/signal/turn"
)

// This file says what follows from each event, in order. All of it runs in the transaction of its cause: an error undoes the cause
// too. None of it calls a model: what needs one is a job that is queued in the transaction and runs after it. Cases are
// counted last, because what is counted has to be written by then.

// asked: somebody asked our own advisor. A job drafts.
func (a *App) asked(tx *db.Tx, in *interaction.Interaction) error { return a.Advisor.EnqueueTx(tx, in) }

// read checks a draft before the transaction that stores it, because that takes a while; submitted follows in it.
func (a *App) read(text string, c interaction.Consultation) interaction.Follow {
	v := a.Validator.Glance(text, c)
	return func(tx *db.Tx, in *interaction.Interaction) error { return a.submitted(tx, in, v) }
}

// submitted: an agent handed in guidance, or our advisor's draft arrived. Its verdict is recorded, and it goes on the desk.
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
	if err := a.Reviews.EnqueueTx(tx, in, as); err != nil {
		return err
	}
	if err := a.Planted.ArrivedTx(tx, in); err != nil { // a seeded check may follow it
		return err
	}
	if err := a.Signals.GuidanceTx(tx, turn.Turn{Ref: in.ID, AgentID: in.AgentID, Agent: in.AgentName, Session: in.ID, Model: in.Model, Task: in.Consultation.TaskType,
		Steps: turn.StepsOf(in.Steps), Source: turn.ByAPI}); err != nil { // evaluators read its steps
		return err
	}
	ids := lists.Map(in.KnowledgeUsed, func(u interaction.Used) string { return u.ID })
	if err := a.Feedback.UseTx(tx, in.ID, in.AgentID, ids); err != nil { // the exemplars among what it was shown
		return err
	}
	return a.Tally.CaseTx(tx, in.ID)
}

// judged: the judges that need a network answered. The experts come before the desk, which could let the draft go.
func (a *App) judged(tx *db.Tx, j judging.Judged) error {
	in := j.Interaction
	err := a.Reviews.Undecided(tx, in.ID, in.GuidanceHash)
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	if err := a.weighed(tx, in, j.Verdict, err == nil); err != nil {
		return err
	}
	if err := a.Reviews.ReassessTx(tx, in, assessment(j.Verdict)); err != nil {
		return err
	}
	return a.Tally.CaseTx(tx, in.ID)
}

// decided: a supervisor's decision is held, with all signatures that it needs.
func (a *App) decided(tx *db.Tx, d *review.Decision) error {
	if err := a.Learning.FromDecisionTx(tx, source(d)); err != nil { // a lesson may begin
		return err
	}
	if err := a.Borderline.OvertakeTx(tx, d.InteractionID, d.By.Actor()); err != nil { // the experts need not rule
		return err
	}
	if err := a.credited(tx, d); err != nil { // what the draft was shown helped, or did not
		return err
	}
	if err := a.ticked(tx, d); err != nil {
		return err
	}
	if err := a.rememberDecision(tx, d); err != nil {
		return err
	}
	return a.Tally.CaseTx(tx, d.InteractionID)
}

// undone: a decision was taken back during its hold.
func (a *App) undone(tx *db.Tx, d *review.Decision) error {
	if err := a.Learning.WithdrawTx(tx, d.ID); err != nil {
		return err
	}
	if err := a.Borderline.ReinstateTx(tx, d.InteractionID, d.SettledBy.Actor()); err != nil {
		return err
	}
	if err := a.Credit.UndoTx(tx, d.ID); err != nil {
		return err
	}
	if err := a.Stream.UndoTx(tx, stream.Decision, d.ID); err != nil {
		return err
	}
	if err := a.Preferences.WithdrawTx(tx, d.ID); err != nil {
		return err
	}
	return a.Tally.CaseTx(tx, d.InteractionID)
}

// released: the hold of a decision ended; the guidance is released, escalated or returned.
func (a *App) released(tx *db.Tx, d *review.Decision) error {
	if err := a.Learning.ReleasedTx(tx, d.ID); err != nil { // a case may follow
		return err
	}
	if err := a.draftAnew(tx, d); err != nil {
		return err
	}
	if err := a.tellReleased(tx, d); err != nil {
		return err
	}
	if d.State == review.Released && d.Kind != review.Sampled {
		if err := a.Borderline.SampleTx(tx, d.ID, d.Interaction, d.Text, d.By.ID, d.Second.ID); err != nil { // an expert may rate it
			return err
		}
	}
	if err := a.Feedback.RefreshTx(tx, d.InteractionID); err != nil { // it may carry an exemplar
		return err
	}
	if err := a.comparedTx(tx, d); err != nil {
		return err
	}
	return a.Tally.CaseTx(tx, d.InteractionID)
}

// recalled: a delivered text was taken back, to be corrected. It is no example, no success that knowledge may claim, and no failure
// that a person decided on.
func (a *App) recalled(tx *db.Tx, d *review.Decision) error {
	if err := a.Learning.WithdrawTx(tx, d.ID); err != nil {
		return err
	}
	if err := a.forgetRecalled(tx, d); err != nil {
		return err
	}
	if err := a.tell(tx, eventRecalled, d); err != nil {
		return err
	}
	if err := a.Borderline.DropTx(tx, d.ID); err != nil {
		return err
	}
	if err := a.Credit.UndoTx(tx, d.ID); err != nil {
		return err
	}
	if err := a.Stream.UndoTx(tx, stream.Decision, d.ID); err != nil {
		return err
	}
	if err := a.Feedback.RefreshTx(tx, d.InteractionID); err != nil {
		return err
	}
	if err := a.Preferences.WithdrawTx(tx, d.ID); err != nil {
		return err
	}
	return a.Tally.CaseTx(tx, d.InteractionID)
}

// plantedClosed: the hold of a decision on a seeded check ended. Nothing is learned from it, and nobody is told but who decided.
func (a *App) plantedClosed(tx *db.Tx, d *review.Decision) error {
	if err := a.Borderline.OvertakeTx(tx, d.InteractionID, d.By.Actor()); err != nil {
		return err
	}
	if err := a.Planted.ClosedTx(tx, d); err != nil {
		return err
	}
	return a.Tally.CaseTx(tx, d.InteractionID)
}

// settled: a decision stands no more: undone, overruled or recalled. This is for telling people; a first signature that waits for a
// second one (noticeSigned) is no other event.
func (a *App) settled(tx *db.Tx, d *review.Decision) error {
	if err := a.noticeSettled(tx, d); err != nil {
		return err
	}
	return a.Tally.CaseTx(tx, d.InteractionID)
}

// ruled: the experts ruled on a borderline case.
func (a *App) ruled(tx *db.Tx, c *borderline.Case, r *borderline.Ruling, v compliance.Verdict, answers []borderline.Answer) error {
	in, err := a.Interactions.GetTx(tx, c.InteractionID)
	if err != nil {
		return err
	}
	if err := a.reassess(tx, in, c, ruledOn(r, v)); err != nil { // the desk may release it, or not
		return err
	}
	if !in.Planted {
		if err := a.Learning.FromVerdictTx(tx, sourceOfRuling(in, c, r, v, answers)); err != nil { // a lesson may begin
			return err
		}
		if err := a.rememberRuling(tx, in, r, v); err != nil {
			return err
		}
	}
	return a.Tally.CaseTx(tx, c.InteractionID)
}

// rulingUndone: a ruling was taken back.
func (a *App) rulingUndone(tx *db.Tx, c *borderline.Case, r *borderline.Ruling, v compliance.Verdict, _ []borderline.Answer) error {
	in, err := a.Interactions.GetTx(tx, c.InteractionID)
	if err != nil {
		return err
	}
	if err := a.reassess(tx, in, c, assessment(v)); err != nil {
		return err
	}
	if err := a.Learning.WithdrawRulingTx(tx, r.ID); err != nil {
		return err
	}
	if err := a.Stream.UndoTx(tx, stream.Ruling, r.ID); err != nil {
		return err
	}
	return a.Tally.CaseTx(tx, c.InteractionID)
}

// voted: a user voted on an answer, or changed their vote.
func (a *App) voted(tx *db.Tx, old *feedback.Vote, now feedback.Vote, s feedback.Subject) error {
	if err := a.Tally.VoteTx(tx, old, now, s); err != nil {
		return err
	}
	if now.Norm == 0.5 { // neither good nor bad
		return nil
	}
	return a.triedTx(tx, s.AgentID, s.ID, cmp.Or(s.UserID, now.UserID), s.At, experiment.Vote, now.Norm > 0.5)
}

// outcomeGiven: somebody told what came of guidance, or corrected that.
func (a *App) outcomeGiven(tx *db.Tx, old *feedback.Outcome, now feedback.Outcome, s feedback.Subject) error {
	if err := a.Tally.OutcomeTx(tx, old, now, s); err != nil {
		return err
	}
	if err := a.learnOutcome(tx, old, now, s); err != nil { // good: kept with its case; low: a lesson
		return err
	}
	return a.triedTx(tx, s.AgentID, s.ID, cmp.Or(s.UserID, now.By), s.At, experiment.Satisfaction, now.Satisfaction > feedback.Middle)
}

// logged: an agent that nobody reviews reported an interaction.
func (a *App) logged(tx *db.Tx, o feedback.Observation) error {
	if err := a.Tally.LoggedTx(tx, o); err != nil {
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

// ruleWritten: a rule has a new version, because a lesson was accepted or a person wrote it, or it went into quarantine.
func (a *App) ruleWritten(tx *db.Tx, r knowledge.Rule) error {
	if err := a.Conflicts.RuleWrittenTx(tx, r); err != nil { // it is compared with the others
		return err
	}
	return a.noticeQuarantined(tx, r)
}

// rulesChanged: many rules changed at once, by a rollback or an import.
func (a *App) rulesChanged(tx *db.Tx) error { return a.Conflicts.RulesChangedTx(tx) }

// ruleEnded: a person took a rule out to settle a conflict, merged into another one or not.
func (a *App) ruleEnded(tx *db.Tx, r knowledge.Rule, into *knowledge.Rule, reason string, by knowledge.Person) error {
	return a.Learning.RuleEndedTx(tx, r.ID, into, reason, by)
}

// ruleReworded: a person narrowed a rule to settle a conflict, or merged another one into it.
func (a *App) ruleReworded(tx *db.Tx, r knowledge.Rule, by knowledge.Person) error {
	return a.Learning.RuleRewordedTx(tx, r, by)
}
