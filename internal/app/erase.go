package app

import (
	"context"

	"preceptor/internal/db"
	"preceptor/internal/erase"
)

// joinErase makes the erasure, once every part that has texts stands. What is in memory follows the tables after it.
func (a *App) joinErase() {
	a.Erase = erase.New(a.DB, erase.Parts{
		Interactions: a.Interactions, Reviews: a.Reviews, Comments: a.Comments, Verdicts: a.Compliance, Judging: a.Judging, Borderline: a.Borderline,
		Judges: a.Judges, Datasets: a.Datasets, Learning: a.Learning, Knowledge: a.Knowledge, Delivery: a.Delivery, Jobs: a.Jobs, Privacy: a.Privacy,
	}, a.Log)
	a.Erase.Also = append(a.Erase.Also, erase.Also{Place: "What agents remember, and insights", EraseTx: func(tx *db.Tx, g erase.Gone) (int, error) {
		return a.Stream.EraseTx(tx, g.Interaction, g.Known)
	}})
	a.Erase.After = []func(context.Context) error{a.Search.Follow}
}
