package app

import (
	"preceptor/internal/account"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// datasets makes the gold sets: experts label and rule, or a manager where none is left.
func (a *App) datasets() {
	expert, manage := a.holds(account.Expert), a.holds(account.Expert, account.Manager, account.Admin)
	decide := a.holds(account.Manager, account.Admin)
	guards := dataset.Guards{MayLabel: expert, MayAdjudicate: expert, MayDecide: decide}
	guards.MayManage = func(tx *db.Tx, personID string) error {
		err := manage(tx, personID)
		if fault.Is(err, fault.Denied) {
			return fault.New(fault.Denied,
				"Only experts, managers and administrators can manage datasets. Ask an administrator for one of "+
					"these roles.")
		}
		return err
	}
	a.Datasets = dataset.New(a.DB, guards,
		dataset.Hooks{Experts: a.experts, Elsewhere: a.gather, OnUnruled: a.noticeUnruled})
	a.Versions = version.New(a.DB, a.Datasets)
	a.Versions.Agreement = a.agreementForCard
	a.Transfer = transfer.New(a.DB, a.Datasets, a.Versions)
}
