package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/id"
	"preceptor/internal/interaction"
	"preceptor/internal/job"
)

// Confirmation is the sentence stored with every text that a person lets go (COBS 19.1.1BG: agreement is confirmed before
// the customer gets it).
const Confirmation = "I have read the whole text as it will be sent, and I confirm before the customer gets it that I agree to its being given as guidance (COBS 19.1.1BG)."

// Input is a decision as it comes from the desk. The names of wrong fields are those of the form: version, text_hash, text,
// reason, reason_code, feedback.
type Input struct {
	ID            string // of the case
	By            Person
	Kind          string // Approve, Revise or Reject
	Version       int    // of the review that was on the screen
	TextHash      string // of the draft that was on the screen
	Text          string // the revised text; Revise only
	Reason        string // required for Revise, and for Reject with ReasonOther
	ReasonCode    string // of Reasons; required for Reject
	Feedback      string // to the advisor; required for Revise
	SecondsOnCase int    // as the page measured it, at most since the claim began; 0: that
}

// Decide decides a case. Its faults: Invalid with the fields to mend, or with what the check found in the text that would
// go out; NotFound; Conflict, which names who decided what, or who works on it, or that the text is not the one that was
// read. The decision is held for Policy.Hold and can be undone until then.
func (q *Queue) Decide(ctx context.Context, in Input) (*Decision, error) {
	in.normalise()
	if err := in.check(); err != nil {
		return nil, err
	}
	flags, err := q.checkText(ctx, in)
	if err != nil {
		return nil, err
	}
	var dec *Decision
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		dec, err = q.decideTx(tx, in, flags)
		return err
	})
	if err != nil {
		return nil, err
	}
	return dec, nil
}

func (q *Queue) decideTx(tx *db.Tx, in Input, flags []Flag) (*Decision, error) {
	dec := &Decision{
		ID: id.New(), InteractionID: in.ID, Kind: in.Kind, State: Held, By: in.By, TextHash: in.TextHash, Version: in.Version,
		Reason: in.Reason, ReasonCode: in.ReasonCode, Feedback: in.Feedback, Flags: flags,
		DecidedAt: tx.Now, HeldUntil: tx.Now.Add(q.policy.Hold),
	}
	since, err := win(tx, in, dec)
	if err != nil {
		return nil, err
	}
	dec.SecondsOnCase = in.seconds(since, tx)
	if err := q.interactions.HoldTx(tx, in.ID); err != nil {
		return nil, err
	}
	if dec.Interaction, err = q.interactions.GetTx(tx, in.ID); err != nil {
		return nil, err
	}
	dec.Opening = opening(dec.Interaction.Consultation.Question)
	switch in.Kind {
	case Approve:
		dec.Text = dec.Interaction.Guidance
	case Revise:
		dec.Text = in.Text
	}
	if in.Kind != Reject {
		dec.Confirmation = Confirmation
	}
	if err := insertDecision(tx, dec); err != nil {
		return nil, err
	}
	if err := dropDraftsTx(tx, in.ID, in.By.ID); err != nil {
		return nil, err
	}
	return dec, q.followUp(tx, dec)
}

// win is the compare-and-set that lets one decider through. It returns when their work on the case began, or zero.
func win(tx *db.Tx, in Input, dec *Decision) (since int64, err error) {
	var by string
	// claimed_at stays: RETURNING gives the row as it is after the update, and the time of the work is read from it.
	err = tx.QueryRow(`UPDATE review SET state = 'decided', version = version + 1, decision_id = $1, decided_at = $2, claimed_until = 0
		WHERE id = $3 AND state = 'waiting' AND version = $4 AND text_hash = $5 AND (claimed_by = $6 OR claimed_until <= $2)
		RETURNING claimed_by, claimed_at`,
		dec.ID, tx.NowMs(), in.ID, in.Version, in.TextHash, in.By.ID).Scan(&by, &since)
	if errors.Is(err, sql.ErrNoRows) {
		if err := conflict(tx, in); err != nil {
			return 0, err
		}
		return 0, changedSince()
	}
	if err != nil {
		return 0, fmt.Errorf("review: decide %s: %w", in.ID, err)
	}
	if by != in.By.ID {
		since = 0
	}
	return since, count(tx, -1, 1)
}

// conflict says why a decision would not go through; nil when it would.
func conflict(tx *db.Tx, in Input) error {
	if err := whyNot(tx, in.ID, in.By); err != nil {
		return err
	}
	r, err := getRow(tx, in.ID)
	if err != nil {
		return err
	}
	if r.Version != in.Version || r.TextHash != in.TextHash {
		return changedSince()
	}
	return nil
}

func insertDecision(tx *db.Tx, d *Decision) error {
	_, err := tx.Exec(`INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason, reason_code, feedback,
			confirmation, flags, seconds, decided_at, held_until)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
		d.ID, d.InteractionID, d.Kind, d.State, d.By.ID, d.By.Name, d.Text, d.TextHash, d.Version, d.Reason, d.ReasonCode, d.Feedback,
		d.Confirmation, marshalFlags(d.Flags), d.SecondsOnCase, db.Ms(d.DecidedAt), db.Ms(d.HeldUntil))
	if err != nil {
		return fmt.Errorf("review: store the decision on %s: %w", d.InteractionID, err)
	}
	return nil
}

// followUp writes what a decision leaves behind: history, audit row, release job, hooks.
func (q *Queue) followUp(tx *db.Tx, d *Decision) error {
	note := d.Reason
	if r, ok := ReasonByCode(d.ReasonCode); ok {
		note = r.Label
		if d.Reason != "" {
			note += ": " + d.Reason
		}
	}
	if err := q.interactions.NoteTx(tx, d.InteractionID, d.Verb(), d.By.Actor(), note); err != nil {
		return err
	}
	if err := audit.Record(tx, audit.Entry{Actor: d.By.Actor(), Action: "review." + d.Verb(), ObjectKind: "interaction", ObjectID: d.InteractionID,
		Content: map[string]any{
			"decision": d.ID, "version": d.Version, "text_hash": d.TextHash, "text": d.Text, "final_hash": interaction.TextHash(d.Text),
			"reason": d.Reason, "reason_code": d.ReasonCode, "feedback": d.Feedback, "confirmation": d.Confirmation,
			"seconds": d.SecondsOnCase, "held_until": d.HeldUntil,
		}}); err != nil {
		return err
	}
	if err := q.jobs.InsertTx(tx, releaseArgs{DecisionID: d.ID}, job.At(d.HeldUntil), job.Urgent()); err != nil {
		return err
	}
	tx.Touch("reviews")
	return run(tx, q.OnDecided, d)
}

func run(tx *db.Tx, hooks []Hook, d *Decision) error {
	for _, hook := range hooks {
		if err := hook(tx, d); err != nil {
			return fmt.Errorf("review: after decision %s: %w", d.ID, err)
		}
	}
	return nil
}
