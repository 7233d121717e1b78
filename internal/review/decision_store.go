package review

import (
	"fmt"
	"maps"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/rule"
)

func insertDecision(tx *db.Tx, d *Decision) error {
	if err := interaction.RefuseErasedTx(tx, d.taught()); err != nil {
		return err
	}
	err := db.Exec(tx, "review: store the decision on "+d.InteractionID, `INSERT INTO decision (id, review_id, kind,
			state, by_id, by_name, text, final_hash, text_hash, version, base_id, reason, reason_code,
			feedback, confirmation, flags, seconds, characters, hasty, decided_at, held_until, needs_second,
				policy_version, misled, taught, actions)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23, $24, $25, $26)`,
		d.ID, d.InteractionID, d.Kind, d.State, d.By.ID, d.By.Name, d.Text, d.FinalHash, d.TextHash, d.Version,
		d.BaseID, d.Reason, d.ReasonCode,
		d.Feedback, d.Confirmation, marshalList(d.Flags), d.SecondsOnCase, d.Characters, d.Hasty, db.Ms(d.DecidedAt),
		db.Ms(d.HeldUntil), d.NeedsSecond, d.PolicyVersion, d.Misled, d.taught(),
		d.Actions.Column())
	if err != nil {
		return err
	}
	written := d.Text
	if d.Kind == Approve || d.Kind == Sampled { // the draft, whose words are there
		written = ""
	}
	return findable(tx, d.InteractionID, written, d.Reason, d.Feedback)
}

// tell writes a line of history and an audit row about a decision.
func (q *Queue) tell(tx *db.Tx, d *Decision, event string, by audit.Actor, note, action string) error {
	return q.tellMore(tx, d, event, by, note, action, nil)
}

// tellMore is tell with more to say in the audit row.
func (q *Queue) tellMore(tx *db.Tx, d *Decision, event string, by audit.Actor, note, action string,
	more map[string]any) error {
	if err := q.interactions.NoteTx(tx, d.InteractionID, event, by, note); err != nil {
		return err
	}
	tx.Touch("reviews")
	content := d.content(action)
	maps.Copy(content, more)
	return audit.Note(tx, by, action, "interaction", d.InteractionID, content)
}

// content is what an audit row says of a decision: everything when it is made, and later what is new.
func (d *Decision) content(action string) map[string]any {
	c := map[string]any{"decision": d.ID, "kind": d.Kind}
	switch {
	case action == d.action():
		c["version"], c["text_hash"], c["base"], c["text"], c["final_hash"] = d.Version, d.TextHash, d.BaseID, d.Text,
			interaction.TextHash(d.Text)
		c["reason"], c["reason_code"], c["feedback"], c["confirmation"] = d.Reason, d.ReasonCode, d.Feedback,
			d.Confirmation
		c["seconds"], c["needs_second"], c["policy"] = d.SecondsOnCase, d.NeedsSecond, d.PolicyVersion
		if len(d.Statements) > 0 || d.OnlyCustomer {
			// others' questions, which an erasure finds with the decision, stay out of the log
			c["statements"] = lists.Map(d.Statements, func(st rule.Statement) rule.Statement { return st.Without("") })
			c["only_customer"] = d.OnlyCustomer
		}
		if len(d.Actions) > 0 {
			c["actions"] = d.Actions
		}
		if len(d.Overrulings) > 0 {
			c["overruled"] = d.Overrulings
		}
		if d.State == Held {
			c["held_until"] = d.HeldUntil
		}
	case action == "review.seconded":
		c["first"], c["final_hash"], c["confirmation"] = d.By.ID, d.FinalHash, d.SecondConfirmation
		if len(d.Actions) > 0 {
			c["actions"] = d.Actions
		}
	case d.SettledWhy != "":
		c["why"] = d.SettledWhy
	}
	return c
}

// note is the reason of a decision as the history shows it.
func (d *Decision) note() string {
	r, ok := ReasonByCode(d.ReasonCode)
	switch {
	case !ok:
		return d.Reason
	case d.Reason == "":
		return r.Label
	}
	return r.Label + ": " + d.Reason
}

// event is how the history names the making of a decision, and action how the audit log does.
func (d *Decision) event() string {
	if d.Kind == Return {
		return "sent back"
	}
	return actions[d.Kind]
}

func (d *Decision) action() string { return "review." + actions[d.Kind] }

var actions = map[string]string{Approve: "approved", Revise: "revised", Reject: "rejected", Return: "returned",
	Sampled: "sampled"}

// actor is the author of a decision.
func (d *Decision) actor() audit.Actor {
	if d.Kind == Sampled {
		return audit.System(d.By.Name)
	}
	return d.By.Actor()
}

// changeOne runs a statement that has to change exactly one row.
func changeOne(tx *db.Tx, doing, query string, args ...any) error {
	n, err := db.Change(tx, doing, query, args...)
	if err == nil && n != 1 {
		err = fmt.Errorf("%s: %d rows instead of one: the case and its decision disagree", doing, n)
	}
	return err
}
