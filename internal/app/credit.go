package app

import (
	"preceptor/internal/audit"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
)

// credited counts what became of a draft for the knowledge that it was shown.
func (a *App) credited(tx *db.Tx, d *review.Decision) error {
	return a.Credit.RecordTx(tx, credit.Outcome{ID: d.ID, InteractionID: d.InteractionID,
		AgentID: d.Interaction.AgentID,
		Task:    d.Interaction.Consultation.TaskType, Approved: d.Kind == review.Approve})
}

// ticked counts what the author of a decision says misled the draft. The audit log has who answered and how many they
// ticked; which ones is evidence for the reckoning and stands with it.
func (a *App) ticked(tx *db.Tx, d *review.Decision) error {
	if d.Kind == review.Approve || d.Misled == "" {
		return nil
	}
	asked, ticked, err := a.Credit.AnswerTx(tx,
		credit.Answered{OutcomeID: d.ID, InteractionID: d.InteractionID, By: d.By.ID, Answer: d.Misled})
	if err != nil || asked == 0 {
		return err
	}
	return audit.Note(tx, d.By.Actor(), "credit.ticked", "interaction", d.InteractionID,
		map[string]any{"decision": d.ID, "asked": asked, "ticked": ticked})
}
