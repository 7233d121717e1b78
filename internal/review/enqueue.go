package review

import (
	"fmt"
	"slices"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/text"
	"preceptor/internal/policy"
	"preceptor/internal/search"
)

// EnqueueTx puts an interaction that became waiting into the queue, or lets it go at once when the agent's policy
// leaves it to sampling and the draw passes it over; in.Status tells which. A second call for the same one changes
// nothing.
func (q *Queue) EnqueueTx(tx *db.Tx, in *interaction.Interaction, a Assessment) error {
	if there, err := db.Value[bool](tx, "review: look for a case", `SELECT
		EXISTS (SELECT 1 FROM review WHERE id = $1)`, in.ID); err != nil || there {
		return err
	}
	p, err := q.policyTx(tx, in.AgentID)
	if err != nil {
		return err
	}
	a.Facts = append(slices.Clone(a.Facts), policy.Asked(in.Urgent(), in.Live())...)
	f, r := a.facts(), Row{CreatedAt: in.CreatedAt}
	if r.AskedBy, err = q.interactions.AskerTx(tx, in.ID); err != nil {
		return err
	}
	if err := inherit(tx, in, &r); err != nil {
		return err
	}
	r.needTwo(p, f)
	talk, err := talkTx(tx, in)
	if err != nil {
		return err
	}
	turn, err := q.turnTx(tx, in)
	if err != nil {
		return err
	}
	err = db.Exec(tx, "review: queue "+in.ID, `INSERT INTO review (id, agent_id, agent_name, task, state, priority, why,
			who, opening, label, passed, blocked, borderline,
			confidence, flags, source, text_hash, created_at, two_eyes, two_eyes_why, asked_by, planted, rules, facts,
				because, left_out, urgency, channel, expires_at, thread, turn, refers, talk,
				correcting)
		VALUES ($1, $2, $3, $4, 'waiting', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
			$21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33)`,
		in.ID, in.AgentID, in.AgentName, in.Consultation.TaskType, r.rank(p, f, a), whyHere(f, a),
		in.Consultation.Customer.Who(), text.Opening(in.Consultation.Question, openingLength),
		a.Label, a.Passed, a.Blocked, a.Borderline, a.Confidence, marshalList(a.Flags), a.Source, in.GuidanceHash,
		db.Ms(r.CreatedAt),
		r.NeedsTwo, r.TwoEyes, r.AskedBy, in.Planted, a.Rules, marshalList(a.Facts), marshalList(a.Because),
		marshalList(a.LeftOut), in.Urgency, in.Channel, db.Ms(in.ExpiresAt), in.Consultation.Thread,
		turn, refers(in.Consultation), talk, r.Correcting)
	if err != nil {
		return err
	}
	tx.Touch("reviews")
	if err := joinClaimTx(tx, in.ID, in.AgentID, in.Consultation.Thread); err != nil {
		return err
	}
	if err := putFlags(tx, in.ID, a.Flags); err != nil {
		return err
	}
	if err := putFields(tx, in); err != nil {
		return err
	}
	if err := search.PutCaseTx(tx, in.ID, words(in)); err != nil {
		return err
	}
	if err := count(tx, 1, 0); err != nil {
		return err
	}
	x, err := q.expertTx(tx, in.ID, in.Guidance)
	if err != nil {
		return err
	}
	if !r.NeedsTwo && x == (Expert{}) && mayGoUnread(in, a, p, f) {
		return q.sampleTx(tx, in, a, p)
	}
	return nil
}

// inherit gives a new version what the one that was sent back demanded: an agent can't shed a second pair of eyes, or
// who asked, by sending the case again in other words; the customer has waited since their question, and where a text
// went out and was recalled, may have it still.
func inherit(tx *db.Tx, in *interaction.Interaction, r *Row) error {
	if in.Revises == "" {
		return nil
	}
	earlier := Row{}
	found, err := db.One(tx, fmt.Sprintf("review: the version before %s", in.ID), `SELECT two_eyes, two_eyes_why,
		asked_by, created_at, correcting
		FROM review WHERE id = $1`, in.Revises).
		Find(&earlier.NeedsTwo, &earlier.TwoEyes, &earlier.AskedBy, db.At(&earlier.CreatedAt), &r.Correcting)
	if err != nil || !found {
		return err
	}
	r.CreatedAt = earlier.CreatedAt
	r.NeedsTwo, r.TwoEyes = earlier.NeedsTwo, earlier.TwoEyes
	if r.AskedBy == "" {
		r.AskedBy = earlier.AskedBy
	}
	return nil
}

// mayGoUnread reports whether sampling may let a draft go that nobody read. What was sent back is always read again,
// and a planted check is there to be read.
func mayGoUnread(in *interaction.Interaction, a Assessment, p policy.Policy, f policy.Facts) bool {
	return p.Version > 0 && !a.Pending && a.Clean() && a.certain() && !in.Planted && in.Revises == "" &&
		len(in.Actions) == 0 && p.Unread(in.ID, f)
}
