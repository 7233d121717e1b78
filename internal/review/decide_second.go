package review

import (
	"fmt"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// system is who the desk itself is, beside a decision that nobody took back.
var system = Person{Name: "Preceptor"}

// pendTx stores a first signature and puts the case back into the queue, with the signed text under review.
func (q *Queue) pendTx(tx *db.Tx, dec *Decision, why, assigned string) error {
	dec.State, dec.HeldUntil = Pending, db.Time(0)
	// An assignment to the first is over: they can do no more here.
	if err := changeOne(tx, "review: sign "+dec.InteractionID,
		`UPDATE review SET version = version + 1, base_id = $1, text_hash = $2, first_by = $3, first_name = $4,
			two_eyes = 1, two_eyes_why = $5,
			claimed_by = '', claimed_name = '', claimed_at = 0, claimed_until = 0,
			assigned_name = CASE assigned_to WHEN $3 THEN '' ELSE assigned_name END, assigned_at = CASE assigned_to
				WHEN $3 THEN 0 ELSE assigned_at END,
			reserved_until = CASE assigned_to WHEN $3 THEN 0 ELSE reserved_until END, assigned_to = CASE assigned_to
				WHEN $3 THEN '' ELSE assigned_to END
		WHERE id = $6 AND state = 'waiting'`, dec.ID, dec.FinalHash, dec.By.ID, dec.By.Name, why,
		dec.InteractionID); err != nil {
		return err
	}
	if err := insertDecision(tx, dec); err != nil {
		return err
	}
	note := dec.Verb() + "; a second supervisor must agree"
	if reason := dec.note(); reason != "" {
		note += ". " + reason
	}
	for _, o := range dec.Overrulings {
		note += "\nOverrules “" + pack.IssueName(o.Code) + "”: " + o.Reason
	}
	if err := q.tell(tx, dec, "signed", dec.actor(), note, dec.action()); err != nil {
		return err
	}
	if dec.By.ID != "" && assigned == dec.By.ID {
		if err := q.tellMore(tx, dec, "unassigned", dec.actor(), "from "+dec.By.Name+", who has approved it",
			unassigned, map[string]any{"to": "", "from": dec.By.ID}); err != nil {
			return err
		}
	}
	return after(tx, q.hooks.OnSigned, dec)
}

const unassigned = "review.unassigned"

// reassign gives a case back to whoever takes their first signature back, if signing had ended their assignment and
// nobody has assigned it or taken it away since.
func (q *Queue) reassign(tx *db.Tx, dec *Decision, by Person) error {
	ended, err := db.Maybe[bool](tx, fmt.Sprintf("review: whose %s was", dec.InteractionID),
		`SELECT action = $1 AND actor_id = $2 AND at = $3 FROM audit
			WHERE object_id = $4 AND action IN ($1, 'review.assigned')
		ORDER BY seq DESC LIMIT 1`, unassigned, dec.By.ID, db.Ms(dec.DecidedAt), dec.InteractionID)
	if err != nil || !ended || by.ID != dec.By.ID {
		return err
	}
	row, err := getRow(tx, dec.InteractionID)
	if err != nil || row.AssignedTo.ID != "" {
		return err
	}
	p, err := q.policyTx(tx, row.AgentID)
	if err != nil {
		return err
	}
	if err := db.Exec(tx, "review: reassign "+dec.InteractionID, `UPDATE review SET assigned_to = $1,
		assigned_name = $2, assigned_at = $3, reserved_until = $4
		WHERE id = $5 AND state = 'waiting'`,
		by.ID, by.Name, tx.NowMs(), db.Ms(tx.Now.Add(p.TargetLate)), dec.InteractionID); err != nil {
		return err
	}
	return q.tellMore(tx, dec, "assigned", by.Actor(), "to "+by.Name+" again, whose approval was withdrawn",
		"review.assigned", map[string]any{"to": by.ID, "from": ""})
}

// secondTx is the decision of somebody who looks at a text that another supervisor signed: to approve it completes that
// decision, anything else overrules it, as does an approval that overrules checks itself. A first signature counts only
// while its author may still decide.
func (q *Queue) secondTx(tx *db.Tx, c *deciding) (*Decision, error) {
	if c.Kind != Approve || len(c.Overrule) > 0 {
		if err := q.settle(tx, c.base, Overruled, c.By, "decided otherwise: "+verbs[c.Kind]); err != nil {
			return nil, err
		}
		return q.signTx(tx, c)
	}
	err := q.hooks.MayDecide.May(tx, c.base.By.ID)
	if err == nil {
		return q.completeTx(tx, c)
	}
	if !fault.Is(err, fault.Denied) {
		return nil, err
	}
	if err := q.settle(tx, c.base, Undone, system, c.base.By.Name+
		" can no longer decide, so their approval doesn't count"); err != nil {
		return nil, err
	}
	return q.signTx(tx, c)
}

// completeTx adds the second signature to the first and starts the hold.
func (q *Queue) completeTx(tx *db.Tx, c *deciding) (*Decision, error) {
	dec := c.base
	dec.SecondConfirmation, dec.Interaction = c.signs(), c.it
	dec.NotJudged, dec.Unread = c.row.notJudged()
	// The guards in the database look for this row when the decision becomes held.
	note, more := c.Reason, map[string]any{}
	if len(dec.Overrulings) > 0 {
		more["overruled"] = dec.Overrulings
	}
	if c.Reason != "" {
		more["reason"] = c.Reason
	}
	if c.Feedback != "" {
		more["feedback"] = c.Feedback
		note = strings.TrimSpace(note + "\nFeedback: " + c.Feedback)
	}
	if err := q.tellMore(tx, dec, "seconded", c.By.Actor(), note, "review.seconded", more); err != nil {
		return nil, err
	}
	dec.State, dec.HeldUntil = Held, tx.Now.Add(q.policy.Hold)
	dec.Second, dec.SecondAt, dec.SecondSeconds, dec.SecondHasty = c.By, tx.Now, c.seconds, c.hasty()
	if err := changeOne(tx, "review: complete decision "+dec.ID,
		`UPDATE decision SET state = 'held', held_until = $1, second_by = $2, second_name = $3, second_at = $4,
			second_seconds = $5,
			second_hasty = $6, second_confirmation = $7 WHERE id = $8 AND state = 'pending'`,
		db.Ms(dec.HeldUntil), dec.Second.ID, dec.Second.Name, db.Ms(dec.SecondAt), dec.SecondSeconds, dec.SecondHasty,
		dec.SecondConfirmation, dec.ID); err != nil {
		return nil, err
	}
	if err := closeReview(tx, dec); err != nil {
		return nil, err
	}
	return dec, q.holdInteraction(tx, dec)
}

// settle ends a decision that does not go through, and says so in the history and the audit log.
func (q *Queue) settle(tx *db.Tx, d *Decision, state string, by Person, why string) error {
	if err := changeOne(tx, "review: make decision "+d.ID+" "+state,
		`UPDATE decision SET state = $1, settled_at = $2, settled_by = $3, settled_name = $4, settled_why = $5
			WHERE id = $6 AND state = $7`,
		state, tx.NowMs(), by.ID, by.Name, why, d.ID, d.State); err != nil {
		return err
	}
	d.State, d.SettledAt, d.SettledBy, d.SettledWhy = state, tx.Now, by, why
	actor := by.Actor()
	if by.ID == "" {
		actor = audit.System(by.Name)
	}
	note := "was " + d.Verb() + " by " + d.By.Name
	if why != "" {
		note += "; " + why
	}
	action := "review." + state
	if state == Recalled {
		action = "guidance.recalled"
	}
	if err := q.tell(tx, d, state, actor, note, action); err != nil {
		return err
	}
	return after(tx, q.hooks.OnSettled, d)
}

func ownSignature() error {
	return fault.New(fault.Conflict,
		"You approved this. A second supervisor must review it; until then you can withdraw your approval.")
}
