package app

import (
	"preceptor/internal/account"
	"preceptor/internal/approval"
	"preceptor/internal/comment"
	"preceptor/internal/platform/db"
)

// asks are the notices of changes that wait for a second person, and of what became of one's own, by kind.
var asks = map[string]struct{ waits, agreed, refused string }{
	approval.ReviewPolicy.Kind: {comment.Proposal, comment.PolicyAgreed, comment.PolicyRefused},
	approval.CriticalOff.Kind:  {waits: comment.CheckOff},
	approval.ThresholdOn.Kind:  {waits: comment.ThresholdOn},
	approval.JudgeOn.Kind:      {waits: comment.ThresholdOn},
}

// noticeProposed tells those who can agree to a change.
func (a *App) noticeProposed(tx *db.Tx, c approval.Change) error {
	if asks[c.Kind].waits == "" {
		return nil // it is on the list of what waits, and nobody is called
	}
	to, err := a.everybody(tx, account.Admin)
	if err == nil && c.Kind != approval.ReviewPolicy.Kind {
		var experts []string
		experts, err = a.everybody(tx, account.Expert)
		to = append(to, experts...)
	}
	if err != nil {
		return err
	}
	return a.Comments.NoticeTx(tx, to,
		comment.Notice{Kind: asks[c.Kind].waits, ObjectID: c.ID,
			By: comment.Person{ID: c.Proposed.By, Name: c.Proposed.Name}})
}

// noticeAnswered ends the notice of a change, and tells the proposer what others made of it.
func (a *App) noticeAnswered(tx *db.Tx, c approval.Change, others bool) error {
	ask := asks[c.Kind]
	if ask.waits == "" {
		return nil
	}
	if err := a.Comments.OverTx(tx, c.ID, others, ask.waits); err != nil {
		return err
	}
	kind := map[string]string{approval.Agreed: ask.agreed, approval.Refused: ask.refused}[c.State]
	if kind == "" {
		return nil
	}
	return a.Comments.NoticeTx(tx, []string{c.Proposed.By},
		comment.Notice{Kind: kind, ObjectID: c.ID, By: comment.Person{ID: c.Decided.By, Name: c.Decided.Name}})
}

// policyAgreed has what waits go by the new policy.
func (a *App) policyAgreed(tx *db.Tx) error {
	late, err := a.Borderline.RetargetTx(tx)
	if err != nil || late {
		return err
	}
	return a.Comments.OverTx(tx, "", false, comment.Borderline)
}
