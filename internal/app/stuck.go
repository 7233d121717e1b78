package app

import (
	"context"
	"errors"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/dataset"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
)

// stuckAgain is how often managers and administrators are reminded of a stuck while it lasts.
const stuckAgain = 7 * 24 * time.Hour

// experts are all who may answer, label and rule now.
func (a *App) experts(tx *db.Tx) ([]person.Person, error) {
	all, err := a.Accounts.ListTx(tx, account.Expert)
	return lists.Map(all, func(p account.Account) person.Person { return person.Person{ID: p.ID, Name: p.Name} }), err
}

// noticeStuck tells those who decide the cases that no expert can bring further, and ends the notices once there is
// none.
func (a *App) noticeStuck(tx *db.Tx, stuck []borderline.Case) error {
	if len(stuck) == 0 {
		return a.Comments.OverTx(tx, "", false, comment.NoExpert)
	}
	first := stuck[0]
	return a.tellDeciders(tx, comment.Notice{Kind: comment.NoExpert, N: len(stuck), ObjectID: first.ID,
		Task: first.Task})
}

// caseClosed ends the notices of a borderline case that is ruled, closed or decided without a ruling; late: others are
// past their target.
func (a *App) caseClosed(tx *db.Tx, c *borderline.Case, late bool) error {
	return errors.Join(a.Comments.OverTx(tx, c.ID, late, comment.Borderline),
		a.Comments.OverTx(tx, c.ID, true, comment.NoExpert))
}

// noticeUnruled tells them of a gold set with items that wait for one, and ends that notice once it has none.
func (a *App) noticeUnruled(tx *db.Tx, set *dataset.Dataset, n int) error {
	if n == 0 {
		return a.Comments.OverTx(tx, set.ID, true, comment.NoRuler)
	}
	return a.tellDeciders(tx, comment.Notice{Kind: comment.NoRuler, ObjectID: set.ID})
}

// tellStuck looks for both, and for a backup that failed.
func (a *App) tellStuck(ctx context.Context) error {
	_, cases := a.Borderline.TellStuck(ctx)
	_, sets := a.Datasets.TellUnruled(ctx)
	return errors.Join(cases, sets, a.Copies.Tell(ctx))
}

// tellBackup tells administrators, once a day, that a copy failed or is late, until one is made.
func (a *App) tellBackup(tx *db.Tx, wrong bool) error {
	if !wrong {
		return a.Comments.OverTx(tx, "main", true, comment.NoBackup)
	}
	return a.remind(tx, account.Admin, comment.Notice{Kind: comment.NoBackup, ObjectID: "main"}, 24*time.Hour)
}

// tellDeciders gives a notice to the managers and administrators who had none of its kind about its object for a while.
func (a *App) tellDeciders(tx *db.Tx, n comment.Notice) error {
	managers := a.remind(tx, account.Manager, n, stuckAgain)
	return errors.Join(managers, a.remind(tx, account.Admin, n, stuckAgain))
}
