package review

import (
	"slices"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
)

// ReassessTx gives a waiting case the assessment of those who took longer: a panel that had to be asked over a network,
// or an expert who ruled. The case moves to where it belongs now, a second pair of eyes is asked for where the policy
// wants it, and what sampling would have let go may go. A case that is decided, signed once or recalled is left as it
// is.
func (q *Queue) ReassessTx(tx *db.Tx, in *interaction.Interaction, a Assessment) error {
	r, err := getRow(tx, in.ID)
	if err != nil {
		return err
	}
	if r.State != "waiting" || r.BaseID != "" || r.First.ID != "" {
		return nil
	}
	p, err := q.policyTx(tx, in.AgentID)
	if err != nil {
		return err
	}
	for _, fact := range r.Assessment.Facts {
		if !slices.Contains(a.Facts, fact) {
			a.Facts = append(a.Facts, fact)
		}
	}
	f := a.facts()
	r.needTwo(p, f)
	err = db.Exec(tx, "review: assess "+in.ID+" again", `UPDATE review SET priority = $1, why = $2, label = $3,
		passed = $4, blocked = $5, borderline = $6, confidence = $7, flags = $8, source = $9,
			two_eyes = $10, two_eyes_why = $11, rules = $12, facts = $13, because = $14, left_out = $15 WHERE id = $16`,
		r.rank(p, f, a), whyHere(f, a), a.Label, a.Passed, a.Blocked, a.Borderline, a.Confidence, marshalList(a.Flags),
		a.Source, r.NeedsTwo, r.TwoEyes, a.Rules, marshalList(a.Facts), marshalList(a.Because), marshalList(a.LeftOut),
		in.ID)
	if err != nil {
		return err
	}
	if err := db.Exec(tx, "review: list "+in.ID+" again", `DELETE FROM review_flag
		WHERE review_id = $1`, in.ID); err != nil {
		return err
	}
	if err := putFlags(tx, in.ID, a.Flags); err != nil {
		return err
	}
	tx.Touch("reviews")
	x, err := q.expertTx(tx, in.ID, in.Guidance)
	if err != nil {
		return err
	}
	if !r.NeedsTwo && x == (Expert{}) && !r.Claim.Active(tx.Now) && mayGoUnread(in, a, p, f) {
		return q.sampleTx(tx, in, a, p)
	}
	return nil
}
