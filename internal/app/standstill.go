package app

import (
	"context"
	"errors"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/dataset"
	"preceptor/internal/db"
	"preceptor/internal/lists"
	"preceptor/internal/person"
)

const (
	standstillEvery = 30 * time.Minute
	standstillAgain = 7 * 24 * time.Hour // while it lasts, administrators are reminded of it as often
)

// joinStandstill tells administrators what waits for an expert who is not there: they alone can make one.
func (a *App) joinStandstill() {
	b, d := a.Borderline, a.Datasets
	experts := func(tx *db.Tx) ([]person.Person, error) {
		all, err := a.Accounts.ListTx(tx, account.Expert)
		return lists.Map(all, func(p account.Account) person.Person { return person.Person{ID: p.ID, Name: p.Name} }), err
	}
	b.Experts, d.Experts = experts, experts
	b.OnStuck = func(tx *db.Tx, stuck []borderline.Case) error {
		return a.tellAdmins(tx, comment.Notice{Kind: comment.NoExpert, N: len(stuck), ObjectID: stuck[0].ID, Task: stuck[0].Task})
	}
	d.OnUnruled = func(tx *db.Tx, set *dataset.Dataset, n int) error {
		return a.tellAdmins(tx, comment.Notice{Kind: comment.NoRuler, N: n, ObjectID: set.ID})
	}
	a.Jobs.Periodic("expert.missing", standstillEvery, func(ctx context.Context) error {
		_, cases := b.TellStuck(ctx)
		_, sets := d.TellUnruled(ctx)
		return errors.Join(cases, sets)
	})
}

// tellAdmins gives a notice to the administrators who had none of its kind about its object for a while.
func (a *App) tellAdmins(tx *db.Tx, n comment.Notice) error {
	ids, err := a.everybody(tx, account.Admin)
	if err != nil {
		return err
	}
	return a.Comments.RemindTx(tx, ids, n, standstillAgain)
}
