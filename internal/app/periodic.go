package app

import (
	"context"
	"errors"
	"time"

	"preceptor/internal/feedback/nightly"
	"preceptor/internal/knowledge/credit"
)

const (
	countEvery      = time.Minute // what a page of statistics would have to catch up with
	remindEvery     = 5 * time.Minute
	backupEvery     = 10 * time.Minute
	sentencesEvery  = 10 * time.Minute
	pruneEvery      = time.Hour
	revalidateEvery = 6 * time.Hour // of rules on trial, beside what each new case does
	sweepEvery      = 24 * time.Hour
)

// periodic names the work across packages that runs at its times; a package registers what is its own alone.
func (a *App) periodic() {
	a.Jobs.Periodic("review.remind", remindEvery, func(ctx context.Context) error {
		_, err := a.Reviews.Remind(ctx)
		return err
	})
	a.Jobs.Periodic("borderline.remind", remindEvery, func(ctx context.Context) error {
		_, kept := a.Borderline.KeepForgotten(ctx)
		_, late := a.Borderline.Remind(ctx)
		return errors.Join(kept, late)
	})
	a.Jobs.PeriodicUnhurried("backup.make", backupEvery, a.Copies.Run)
	a.Jobs.PeriodicUnhurried("judges.refit", sweepEvery, a.Judges.Refit)
	a.Jobs.Periodic("judges.sentences", sentencesEvery, a.AdoptRuled)
	a.Jobs.Periodic("expert.missing", remindEvery, a.tellStuck)
	a.Jobs.Periodic("feedback.prune", pruneEvery, a.Feedback.Prune)
	a.Jobs.Periodic("feedback.nightly", nightly.Every, a.Nightly.Run)
	a.Jobs.Periodic("learning.revalidate", revalidateEvery, a.Learning.Revalidate)
	a.Jobs.PeriodicUnhurried("learning.missed", pruneEvery, a.Learning.AgainAll)
	a.Jobs.PeriodicUnhurried("knowledge.sources", pruneEvery, a.Knowledge.RereadDue)
	a.Jobs.Periodic("unanswered.reread", sentencesEvery, a.Unanswered.Reread)
	a.Jobs.Periodic("credit.reckon", credit.ReckonEvery, a.Credit.Reckon)
	a.Jobs.Periodic("comment.sweep", sweepEvery, a.Comments.Sweep)
	a.Jobs.Periodic("stats.count", countEvery, a.Counter.CatchUp)
	a.Jobs.Periodic("stats.fall", fallEvery, a.tellFall)
	a.Jobs.Periodic("practice.nightly", nightEvery, a.PractiseNightly)
	a.Jobs.Periodic("account.sweep", sweepEvery, a.Accounts.Sweep)
	a.Jobs.Periodic("practice.prune", sweepEvery, a.Drill.Prune)
}
