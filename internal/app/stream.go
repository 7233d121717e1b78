package app

import (
	"context"
	"fmt"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/learning"
	"preceptor/internal/learning/stream"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

// stream makes the agents' memory; a model weighs and reflects where there is one.
func (a *App) stream(g llm.Generator) *stream.Store {
	return stream.New(a.DB, a.Jobs, a.Learning, stream.NewPrompted(g, a.Privacy), a.Privacy,
		stream.Policy{IgnoreConfidence: a.cfg.Confidence == "off"}, a.Log)
}

// eventOf is what a memory needs to know of the draft.
func eventOf(in *interaction.Interaction) stream.Event {
	e := stream.Event{AgentID: in.AgentID, AgentName: in.AgentName, InteractionID: in.ID,
		Task:      in.Consultation.TaskType,
		Situation: in.Consultation.Situation(), Known: in.Consultation.Customer.Personal()}
	for _, u := range in.KnowledgeUsed {
		e.Shown = append(e.Shown, u.ID)
	}
	return e
}

// rememberDecision has the agent remember what became of its draft. A seeded check is no work of the agent's, so it
// leaves no memory.
func (a *App) rememberDecision(tx *db.Tx, d *review.Decision) error {
	if d.Interaction.Planted {
		return nil
	}
	e := eventOf(d.Interaction)
	e.Kind, e.What, e.CauseID = stream.Decision, d.Kind, d.ID
	said := map[string]string{review.Approve: "Approved as it was.", review.Revise: "Revised.",
		review.Reject: "Rejected.", review.Return: "Sent back to be rewritten."}[d.Kind]
	if d.Kind == review.Return {
		e.What = learning.Reject // the draft was not good enough
	}
	if d.Kind != review.Approve {
		e.Codes = append(e.Codes, d.ReasonCode)
		for _, f := range d.Flags {
			e.Codes = append(e.Codes, f.Code)
		}
	}
	e.Text = strings.TrimSpace(said + " " + d.Reason + " " + d.Feedback)
	if err := a.Stream.RememberTx(tx, e); err != nil {
		return fmt.Errorf("app: remember decision %s: %w", d.ID, err)
	}
	return nil
}

func (a *App) rememberRuling(tx *db.Tx, in *interaction.Interaction, r *borderline.Ruling, v compliance.Verdict) error {
	e := eventOf(in)
	e.Kind, e.What, e.CauseID = stream.Ruling, string(r.Label), r.ID
	for _, i := range v.Issues {
		e.Codes = append(e.Codes, i.Code)
	}
	e.Text = "The experts ruled: " + strings.ToLower(strings.ReplaceAll(string(r.Label), "_", " ")) + ". " + r.Rationale
	return a.Stream.RememberTx(tx, e)
}

// rememberVerdict has what the confidence of a verdict says become a memory, once per text.
func (a *App) rememberVerdict(tx *db.Tx, in *interaction.Interaction, v compliance.Verdict) error {
	if in.Planted || !a.Stream.UsesConfidence() {
		return nil
	}
	e := eventOf(in)
	e.CauseID = in.ID + "/" + in.GuidanceHash
	if err := a.Stream.FromVerdictTx(tx, e, v, objections(in.Guidance, v)); err != nil {
		return fmt.Errorf("app: remember the verdict on %s: %w", in.ID, err)
	}
	return nil
}

// pauseJob keeps work that comes again from running, and keeps record of who wanted it. Pausing what is paused changes
// nothing.
func (a *App) pauseJob(ctx context.Context, by audit.Actor, name string) error {
	return a.actOnLoop(ctx, by, name, "job.paused", func(tx *db.Tx) (bool, error) {
		return a.Jobs.PauseTx(tx, name, by.Name)
	})
}

// resumeJob lets it run again.
func (a *App) resumeJob(ctx context.Context, by audit.Actor, name string) error {
	return a.actOnLoop(ctx, by, name, "job.resumed", func(tx *db.Tx) (bool, error) { return a.Jobs.ResumeTx(tx, name) })
}

// runJob has it run once beside its times.
func (a *App) runJob(ctx context.Context, by audit.Actor, name string) error {
	return a.actOnLoop(ctx, by, name, "job.run", func(tx *db.Tx) (bool, error) {
		return true, a.Jobs.RunNowTx(tx, name)
	})
}

func (a *App) actOnLoop(ctx context.Context, by audit.Actor, name, action string,
	act func(tx *db.Tx) (bool, error)) error {
	if by.Kind != audit.Person {
		return fault.New(fault.Denied, "Only a person may do that.")
	}
	return a.DB.Write(ctx, func(tx *db.Tx) error {
		changed, err := act(tx)
		if err != nil || !changed {
			return err
		}
		return audit.Note(tx, by, action, "job_kind", name, nil)
	})
}
