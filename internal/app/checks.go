package app

import (
	"context"
	"slices"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checkbook"
	"preceptor/internal/db"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// checks makes the checkbook: experts write, try and switch; an administrator can be the second person.
func (a *App) checks(ctx context.Context) error {
	a.Checkbook = checkbook.New(a.DB, a.Validator.Checks(), a.Interactions, a.Datasets, a.Versions, checkbook.Hooks{
		MayWrite: a.holds(account.Expert), MayAgree: a.holds(account.Expert, account.Admin), Decided: a.lastDecided,
		OnAsked: a.noticeAsked,
		Read: func(text string, c interaction.Consultation) []compliance.Issue {
			return a.Validator.Glance(text, c).Issues
		},
		OnAnswered: func(tx *db.Tx, w checkbook.Switch, others bool) error {
			return a.Comments.OverTx(tx, w.CheckID, others, comment.CheckOff)
		},
	}, a.Log)
	return a.Checkbook.Sync(ctx)
}

// lastDecided is what people last decided on an interaction; "" when nobody did, or when it stands no more.
func (a *App) lastDecided(ctx context.Context, id string) (string, error) {
	list, err := a.Reviews.DecisionsFor(ctx, id)
	if err != nil {
		return "", err
	}
	for _, d := range slices.Backward(list) {
		if d.Kind != review.Sampled &&
			!slices.Contains([]string{review.Pending, review.Undone, review.Overruled, review.Recalled}, d.State) {
			return d.Kind, nil
		}
	}
	return "", nil
}

// noticeAsked tells those who can be the second person: the other experts, and the administrators.
func (a *App) noticeAsked(tx *db.Tx, w checkbook.Switch) error {
	return a.noticeSecond(tx, comment.Notice{Kind: comment.CheckOff, ObjectID: w.CheckID,
		By: comment.Person{ID: w.By.ID, Name: w.By.Name}})
}

// noticeSecond gives a notice to everybody who can be the second person.
func (a *App) noticeSecond(tx *db.Tx, n comment.Notice) error {
	var ids []string
	for _, role := range []account.Role{account.Expert, account.Admin} {
		list, err := a.Accounts.ListTx(tx, role)
		if err != nil {
			return err
		}
		for _, p := range list {
			if !slices.Contains(ids, p.ID) {
				ids = append(ids, p.ID)
			}
		}
	}
	return a.Comments.NoticeTx(tx, ids, n)
}
