package review

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// releaseArgs is the job at the end of a hold.
type releaseArgs struct {
	DecisionID string `json:"decision_id"`
}

// Kind is the job's name.
func (releaseArgs) Kind() string { return "review.release" }

// release lets go what is no longer held: the text to the customer, a rejected case to a person, or one that was
// sent back to its agent. A decision that was undone, or is settled already, is left alone, so it may run any number of
// times.
func (q *Queue) release(ctx context.Context, a releaseArgs) error {
	return q.db.Write(ctx, func(tx *db.Tx) error { return q.releaseTx(tx, a.DecisionID) })
}

func (q *Queue) releaseTx(tx *db.Tx, decisionID string) error {
	d, err := getDecision(tx, decisionID)
	if err != nil || d.State != Held {
		return err
	}
	if tx.Now.Before(d.HeldUntil) {
		early := fault.New(fault.Unavailable, "The hold has not passed yet.")
		early.RetryAfter = d.HeldUntil.Sub(tx.Now)
		return early
	}
	gone, err := q.signerGone(tx, d)
	if err != nil {
		return err
	}
	if gone != "" {
		return q.undoTx(tx, d, system, gone+" can no longer decide"+decideAnew)
	}
	return q.letGo(tx, d)
}

// signerGone names a signer of d who may no longer decide.
func (q *Queue) signerGone(tx *db.Tx, d *Decision) (string, error) {
	for _, p := range []Person{d.By, d.Second} {
		if p.ID == "" {
			continue
		}
		if err := q.hooks.MayDecide.May(tx, p.ID); fault.Is(err, fault.Denied) {
			return p.Name, nil
		} else if err != nil {
			return "", err
		}
	}
	return "", nil
}

// letGo ends the hold of d.
func (q *Queue) letGo(tx *db.Tx, d *Decision) error {
	r, err := getRow(tx, d.InteractionID)
	if err != nil {
		return err
	}
	d.State, d.SettledAt, d.Corrects = d.outcome(r), tx.Now, r.Correcting
	if err := changeOne(tx, "review: release "+d.ID,
		`UPDATE decision SET state = $1, settled_at = $2
			WHERE id = $3 AND state = 'held'`, d.State, tx.NowMs(), d.ID); err != nil {
		return err
	}
	if err := q.follow(tx, d); err != nil {
		return err
	}
	if d.Interaction, err = q.interactions.GetTx(tx, d.InteractionID); err != nil {
		return err
	}
	if err := q.tell(tx, d, d.State, audit.System("Release"), "", "guidance."+d.State); err != nil {
		return err
	}
	if d.State == Closed {
		return after(tx, q.hooks.OnClosed, d)
	}
	return q.run(tx, q.hooks.OnReleased, d)
}

// outcome is what the end of the hold makes of d.
func (d *Decision) outcome(r Row) string {
	switch {
	case r.Planted:
		return Closed
	case d.Kind == Reject:
		return Escalated
	case d.Kind == Return:
		return Returned
	}
	return Released
}

// endOf is the status in which an interaction ends whose decision let no text go.
var endOf = map[string]interaction.Status{Closed: interaction.Closed, Escalated: interaction.Escalated,
	Returned: interaction.Returned}

// follow has the interaction end as its decision did.
func (q *Queue) follow(tx *db.Tx, d *Decision) error {
	if end, ok := endOf[d.State]; ok {
		return q.interactions.MoveTx(tx, d.InteractionID, interaction.Held, end)
	}
	return q.interactions.ReleaseTx(tx, d.InteractionID, d.Text)
}
