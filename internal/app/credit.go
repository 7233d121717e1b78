package app

import (
	"preceptor/internal/db"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/review"
)

// joinCredit counts what became of drafts for the knowledge that they were shown. A recalled text was no success that
// knowledge may claim, and no failure that a person decided on either: it counts no more.
func (a *App) joinCredit() {
	a.Reviews.OnDecided = append(a.Reviews.OnDecided, func(tx *db.Tx, d *review.Decision) error {
		return a.Credit.RecordTx(tx, credit.Outcome{ID: d.ID, Evidence: credit.Real, InteractionID: d.InteractionID, AgentID: d.Interaction.AgentID,
			Task: d.Interaction.Consultation.TaskType, Approved: d.Kind == review.Approve})
	})
	undo := func(tx *db.Tx, d *review.Decision) error { return a.Credit.UndoTx(tx, d.ID) }
	a.Reviews.OnUndone = append(a.Reviews.OnUndone, undo)
	a.Reviews.OnRecalled = append(a.Reviews.OnRecalled, undo)
}
