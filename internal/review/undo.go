package review

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Undo takes back a decision: a first signature until the second is given, by its author; anything else while it is
// held, by its author or the second supervisor, and by any other supervisor who says why. The case is as it was before,
// one version on, and whoever took it back works on it: where that is the second supervisor, the first signature
// stands. Once the hold has passed it is a Conflict that says so. Nothing is forgotten: the decision stays, as undone.
func (q *Queue) Undo(ctx context.Context, decisionID string, by Person, reason string) (dec *Decision, err error) {
	reason = text.Typed(reason)
	return db.Write(ctx, q.db, func(tx *db.Tx) (*Decision, error) {
		if err := q.hooks.MayDecide.May(tx, by.ID); err != nil {
			return nil, err
		}
		dec, err := getDecision(tx, decisionID)
		if err != nil {
			return nil, err
		}
		if err := dec.whyNoUndo(tx, by, reason); err != nil {
			return nil, err
		}
		return dec, q.undoTx(tx, dec, by, reason)
	})
}

// mine reports whether by signed this.
func (d *Decision) mine(by Person) bool {
	return by.ID != "" && (by.ID == d.By.ID || by.ID == d.Second.ID)
}

func (d *Decision) whyNoUndo(tx *db.Tx, by Person, reason string) error {
	switch {
	case d.State == Pending && d.mine(by):
	case d.State == Pending:
		return fault.New(fault.Denied, "%s approved this, and only they can withdraw their approval. To decide "+
			"otherwise, open the review and revise, reject or send it back.", d.By.Name)
	case d.State == Held && !tx.Now.Before(d.HeldUntil):
		return fault.New(fault.Conflict, "It's too late to undo this. Once it is sent you can recall it.")
	case d.State == Held && !d.mine(by) && reason == "":
		return fault.Wrong("Say why you're stopping it. "+d.By.Name+
			" will see the reason, and it goes in the audit log.", "reason", "Say why you're stopping it.")
	case d.State == Held:
	default:
		return fault.New(fault.Conflict, "%s", whyTooLate[d.State])
	}
	if wrong := checkReason("reason", reason, ""); reason != "" && wrong != nil {
		return fault.WithFields("The reason is too long.", *wrong)
	}
	return nil
}

var whyTooLate = map[string]string{
	Released:  "This has already been sent and can't be undone. You can recall it and correct it.",
	Escalated: "This has already gone to a person and can't be undone.",
	Returned:  "This has already been sent back to the agent and can't be undone.",
	Closed:    "This was a seeded check and is closed.",
	Undone:    "This has already been undone.",
	Overruled: "Another supervisor has since decided differently.",
	Recalled:  "This was sent and has been recalled.",
}

// undoTx takes dec back and puts the case into the queue as it was before.
func (q *Queue) undoTx(tx *db.Tx, dec *Decision, by Person, reason string) (err error) {
	wasHeld, wasPending := dec.State == Held, dec.State == Pending
	if err := q.settle(tx, dec, Undone, by, reason); err != nil {
		return err
	}
	restore := q.reinstate
	if wasHeld && dec.Second.ID != "" && by.ID == dec.Second.ID {
		restore = q.signedAgain
	}
	base, err := restore(tx, dec, by)
	if err != nil {
		return err
	}
	if err := q.reopen(tx, dec, base, by); err != nil {
		return err
	}
	if wasPending {
		if err := q.reassign(tx, dec, by); err != nil {
			return err
		}
	}
	if wasHeld {
		if err := q.interactions.MoveTx(tx, dec.InteractionID, interaction.Held, interaction.Waiting); err != nil {
			return err
		}
		if err := count(tx, 1, -1); err != nil {
			return err
		}
	}
	if dec.Interaction, err = q.interactions.GetTx(tx, dec.InteractionID); err != nil {
		return err
	}
	if base != nil { // it waits for a second signature, as when it was made
		if err := after(tx, q.hooks.OnSigned, base); err != nil {
			return err
		}
	}
	return q.run(tx, q.hooks.OnUndone, dec)
}

// reinstate brings back the signature that dec had overruled, if it had: taking back is to leave things as they were.
// It returns it, and says so in the history and the audit log.
func (q *Queue) reinstate(tx *db.Tx, dec *Decision, by Person) (*Decision, error) {
	if dec.BaseID == "" || dec.Second.ID != "" {
		return nil, nil
	}
	base, err := getDecision(tx, dec.BaseID)
	if err != nil || base.State != Overruled || base.SettledBy.ID != dec.By.ID {
		return nil, err
	}
	if err := db.Exec(tx, "review: reinstate decision "+base.ID, `UPDATE decision SET state = 'pending', settled_at = 0,
		settled_by = '', settled_name = '', settled_why = ''
		WHERE id = $1`, base.ID); err != nil {
		return nil, err
	}
	base.State, base.SettledAt, base.SettledBy, base.SettledWhy = Pending, time.Time{}, Person{}, ""
	actor := by.Actor()
	if by.ID == "" {
		actor = audit.System(by.Name)
	}
	// Not "signed": who undid the other decision did not sign this one.
	return base, q.tellMore(tx, base, "reinstated", actor,
		"the approval by "+base.By.Name+" counts again: the decision that overruled it was undone",
		"review.reinstated", map[string]any{"first": base.By.ID, "undone": dec.ID})
}

// signedAgain is the first signature of dec, whose second was taken back: a decision of its own that waits for another,
// for a second signature is never wiped off the one that has it.
func (q *Queue) signedAgain(tx *db.Tx, dec *Decision, by Person) (*Decision, error) {
	base := *dec
	base.ID, base.State, base.HeldUntil = id.New(), Pending, db.Time(0)
	base.Second, base.SecondAt, base.SecondSeconds, base.SecondHasty, base.SecondConfirmation = Person{}, db.Time(0), 0,
		false, ""
	base.SettledAt, base.SettledBy, base.SettledWhy = db.Time(0), Person{}, ""
	if err := insertDecision(tx, &base); err != nil {
		return nil, err
	}
	if err := db.Exec(tx, "review: keep what "+dec.ID+" overruled", `INSERT INTO overruling (decision_id, code,
			severity, reason, text_hash, rules, at)
		SELECT $1, code, severity, reason, text_hash, rules, at FROM overruling WHERE decision_id = $2`, base.ID,
		dec.ID); err != nil {
		return nil, err
	}
	more := base.content(base.action())
	more["first"], more["undone"] = base.By.ID, dec.ID
	return &base, q.tellMore(tx, &base, "reinstated", by.Actor(),
		"the approval by "+base.By.Name+" still counts: only the second one was withdrawn",
		"review.reinstated", more)
}

// reopen puts the case back into the queue with the text that dec was about, or that of the signature that counts
// again, claimed by whoever took it back, unless somebody else works on it, or they can't be the second.
func (q *Queue) reopen(tx *db.Tx, dec, base *Decision, by Person) error {
	baseID, hash, first := dec.BaseID, dec.TextHash, Person{}
	if base != nil {
		baseID, hash, first = base.ID, base.FinalHash, base.By
	}
	if err := changeOne(tx, "review: reopen "+dec.InteractionID,
		`UPDATE review SET state = 'waiting', version = version + 1, decision_id = '', decided_at = 0, decided_by = '',
			base_id = $1, text_hash = $2, first_by = $3, first_name = $4
		WHERE id = $5 AND (decision_id = $6 OR base_id = $6)`, baseID, hash, first.ID, first.Name, dec.InteractionID,
		dec.ID); err != nil {
		return err
	}
	if err := q.needTwoAgain(tx, dec.InteractionID); err != nil {
		return err
	}
	if by.ID == "" || by.ID == first.ID {
		return nil
	}
	return db.Exec(tx, fmt.Sprintf("review: reopen %s", dec.InteractionID), `UPDATE review SET claimed_by = $1,
		claimed_name = $2, claimed_at = $3, claimed_until = $4
		WHERE id = $5 AND claimed_until <= $3`,
		by.ID, by.Name, tx.NowMs(), q.claimEnd(tx), dec.InteractionID)
}
