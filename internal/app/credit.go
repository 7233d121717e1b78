package app

import (
	"preceptor/internal/audit"
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
	}, a.ticked)
	undo := func(tx *db.Tx, d *review.Decision) error { return a.Credit.UndoTx(tx, d.ID) }
	a.Reviews.OnUndone = append(a.Reviews.OnUndone, undo)
	a.Reviews.OnRecalled = append(a.Reviews.OnRecalled, undo)
	a.Jobs.Periodic("credit.reckon", credit.ReckonEvery, a.Credit.Reckon)
}

// ticked counts what the author of a decision says misled the draft. The audit log has who answered and how many they ticked; which
// ones is evidence for the reckoning and stands with it.
func (a *App) ticked(tx *db.Tx, d *review.Decision) error {
	if d.Kind == review.Approve || d.Misled == "" {
		return nil
	}
	asked, ticked, err := a.Credit.AnswerTx(tx, credit.Answered{OutcomeID: d.ID, InteractionID: d.InteractionID, By: d.By.ID, Answer: d.Misled})
	if err != nil || asked == 0 {
		return err
	}
	return audit.Record(tx, audit.Entry{Actor: d.By.Actor(), Action: "credit.ticked", ObjectKind: "interaction", ObjectID: d.InteractionID,
		Content: map[string]any{"decision": d.ID, "asked": asked, "ticked": ticked}})
}
