package app

import (
	"slices"

	"preceptor/internal/account"
	"preceptor/internal/approval"
	"preceptor/internal/comment"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/platform/db"
)

// noticeProposed tells those who can agree to a change.
func (a *App) noticeProposed(tx *db.Tx, c approval.Change) error {
	to, err := a.everybody(tx, account.Admin)
	if err == nil && c.Kind != approval.ReviewPolicy.Kind {
		var experts []string
		experts, err = a.everybody(tx, account.Expert)
		to = append(to, experts...)
	}
	if err != nil {
		return err
	}
	slices.Sort(to)
	return a.Comments.NoticeTx(tx, slices.Compact(to), comment.Notice{Kind: comment.Proposal, ObjectID: c.ID,
		Task: c.Label(), By: comment.Person{ID: c.Proposed.By, Name: c.Proposed.Name}})
}

// noticeAnswered ends the notice of a change, and tells the proposer what others made of it.
func (a *App) noticeAnswered(tx *db.Tx, c approval.Change) error {
	if err := a.Comments.OverTx(tx, c.ID, true, comment.Proposal); err != nil {
		return err
	}
	if c.Kind == approval.PromptFile.Kind {
		return nil // the program proposed it
	}
	kind := map[string]string{approval.Agreed: comment.Agreed, approval.Refused: comment.Refused}[c.State]
	if kind == "" {
		return nil
	}
	return a.Comments.NoticeTx(tx, []string{c.Proposed.By}, comment.Notice{Kind: kind, ObjectID: c.ID,
		Task: c.Label(), By: comment.Person{ID: c.Decided.By, Name: c.Decided.Name}})
}

// noticeOff tells who wanted a threshold, or a version of the judge, that another switched it off.
func (a *App) noticeOff(tx *db.Tx, t evaluate.Threshold) error {
	to := []string{t.Switched.ID}
	if t.Asked != nil {
		to = append(to, t.Asked.Proposed.By)
	}
	slices.Sort(to)
	label := approval.Change{Kind: t.Kind}.Label()
	return a.Comments.NoticeTx(tx, slices.Compact(to), comment.Notice{Kind: comment.SwitchedOff, ObjectID: t.ID,
		Task: label, By: comment.Person{ID: t.Ended.ID, Name: t.Ended.Name}})
}

// policyAgreed has what waits go by the new policy of an agent.
func (a *App) policyAgreed(tx *db.Tx, agentID string, stricter bool) error {
	if stricter {
		if err := a.Reviews.NeedTwoTx(tx, agentID); err != nil {
			return err
		}
	}
	late, err := a.Borderline.RetargetTx(tx)
	if err != nil || late {
		return err
	}
	return a.Comments.OverTx(tx, "", false, comment.Borderline)
}
