package review

import (
	"context"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Recall takes back a text that was delivered, so that it can be corrected: the case waits again, first in the queue
// and claimed by whoever recalled it, with the delivered text under review. Agents are told at once. What the customer
// got stays on record until a correction replaces it. Any supervisor may, and must say why.
func (q *Queue) Recall(ctx context.Context, decisionID string, by Person, reason string) (dec *Decision, err error) {
	reason = text.Typed(reason)
	if f := checkReason("reason", reason, "Say what is wrong with the text that was sent."); f != nil {
		return nil, fault.WithFields("Say why you're recalling it.", *f)
	}
	return db.Write(ctx, q.db, func(tx *db.Tx) (*Decision, error) {
		if err := q.hooks.MayDecide.May(tx, by.ID); err != nil {
			return nil, err
		}
		dec, err := getDecision(tx, decisionID)
		if err != nil {
			return nil, err
		}
		if err := dec.whyNoRecall(by); err != nil {
			return nil, err
		}
		return dec, q.recallTx(tx, dec, by, reason)
	})
}

func (d *Decision) whyNoRecall(by Person) error {
	switch d.State {
	case Released:
		return nil
	case Pending, Held:
		return fault.New(fault.Conflict, "This has not been sent yet. Undo it instead.")
	case Undone, Overruled:
		return fault.New(fault.Conflict, "This was never sent, so there is nothing to recall.")
	case Recalled:
		return fault.New(fault.Conflict, "%s already recalled this.", d.SettledBy.As(by.ID))
	}
	return fault.New(fault.Conflict, "%s", whyTooLate[d.State])
}

func (q *Queue) recallTx(tx *db.Tx, dec *Decision, by Person, reason string) (err error) {
	if err := q.settle(tx, dec, Recalled, by, reason); err != nil {
		return err
	}
	if err := changeOne(tx, "review: recall "+dec.InteractionID,
		`UPDATE review SET state = 'waiting', version = version + 1, decision_id = '', decided_at = 0, decided_by = '',
			base_id = $1, text_hash = $2, correcting = 1, priority = 0, claimed_by = $3, claimed_name = $4,
				claimed_at = $5, claimed_until = $6
		WHERE id = $7 AND state = 'decided' AND decision_id = $1`,
		dec.ID, interaction.TextHash(dec.Text), by.ID, by.Name, tx.NowMs(), q.claimEnd(tx),
		dec.InteractionID); err != nil {
		return err
	}
	if err := q.needTwoAgain(tx, dec.InteractionID); err != nil {
		return err
	}
	if err := q.interactions.MoveTx(tx, dec.InteractionID, interaction.Released, interaction.Waiting); err != nil {
		return err
	}
	if err := count(tx, 1, -1); err != nil {
		return err
	}
	if dec.Interaction, err = q.interactions.GetTx(tx, dec.InteractionID); err != nil {
		return err
	}
	return q.run(tx, q.hooks.OnRecalled, dec)
}
