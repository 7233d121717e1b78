package app

import (
	"preceptor/internal/account"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/dataset/version"
	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// datasets makes the gold sets: experts label and rule, experts and managers look after the sets.
func (a *App) datasets() {
	a.Datasets = dataset.New(a.DB)
	expert := func(tx *db.Tx, personID string) error { return a.Accounts.MustHoldTx(tx, personID, account.Expert) }
	a.Datasets.MayLabel, a.Datasets.MayAdjudicate = expert, expert
	a.Datasets.MayManage = func(tx *db.Tx, personID string) error {
		for _, r := range []account.Role{account.Expert, account.Manager, account.Admin} {
			if err := a.Accounts.MustHoldTx(tx, personID, r); !fault.Is(err, fault.Denied) {
				return err
			}
		}
		return fault.New(fault.Denied, "Datasets are looked after by experts, managers and administrators. Ask an administrator for one of these roles.")
	}
	a.Datasets.Elsewhere = a.gather
	a.Versions = version.New(a.DB, a.Datasets)
	a.Versions.Agreement = a.agreementForCard
	a.Transfer = transfer.New(a.DB, a.Datasets, a.Versions)
}
