package app

import (
	"context"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset"
	"preceptor/internal/db"
)

// precedentsMost is how many of the newest rulings are learned from.
const precedentsMost = 400

// LearnPrecedents tells the judge in the program what experts ruled on drafts of this desk.
func (a *App) LearnPrecedents(ctx context.Context) error {
	list, err := a.rulings(ctx)
	if err != nil {
		return err
	}
	return a.precedents.Learn(ctx, list)
}

// rulings are those to learn from. A ruling that a gold set holds is none, as judges are measured on it, and one on a seeded check
// neither. While a calibrated threshold is on, only what was ruled before it counts: it was measured on a panel that knew no more.
func (a *App) rulings(ctx context.Context) (list []embedded.Ruled, err error) {
	ruled, err := a.Borderline.RuledSince(ctx, time.UnixMilli(0), precedentsMost)
	if err != nil {
		return nil, err
	}
	active, _ := a.Judges.Standing()
	err = a.DB.Read(ctx, func(tx *db.Tx) error {
		for _, c := range ruled {
			if active != nil && !c.Ruling.At.Before(active.ProposedAt) {
				continue
			}
			held, err := a.Datasets.OfSource(tx, dataset.FromRuling, c.Ruling.ID)
			if err != nil {
				return err
			}
			in, err := a.Interactions.GetTx(tx, c.InteractionID)
			if err != nil {
				return err
			}
			if len(held) == 0 && !in.Planted && in.ErasedAt.IsZero() {
				list = append(list, embedded.Ruled{
					Subject: compliance.Subject{Text: c.Text, Situation: in.Consultation.Situation(), Customer: in.Consultation.Customer}, Violation: string(c.Ruling.Label) != measure.Compliant,
				})
			}
		}
		return nil
	})
	return list, err
}
