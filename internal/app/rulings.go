package app

import (
	"context"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/compliance/refit"
	"preceptor/internal/dataset"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
)

// rulingsMost is how many of the newest rulings of a pack teach the judge in the program.
const rulingsMost = 400

// taught is what a firm's labels taught the judge in the program and people accepted.
func (a *App) taught(packName string) (*refit.Head, int) {
	if a.Judges == nil { // while the program is put together
		return nil, 0
	}
	return a.Judges.Taught(packName)
}

// rulings are those that teach. One that a gold set holds teaches with that set, if at all, as judges are measured on
// it; one on a seeded check doesn't, and neither does an erased one.
func (a *App) rulings(ctx context.Context) (list []evaluate.Labelled, err error) {
	var ruled []borderline.RuledCase
	for _, name := range pack.Names() {
		some, _, err := a.Borderline.RuledSince(ctx, name, time.UnixMilli(0), rulingsMost)
		if err != nil {
			return nil, err
		}
		ruled = append(ruled, some...)
	}
	err = a.DB.Read(ctx, func(tx *db.Tx) error {
		for _, c := range ruled {
			held, err := a.Datasets.OfSource(tx, dataset.FromRuling, c.Ruling.ID)
			if err != nil {
				return err
			}
			in, err := a.Interactions.GetTx(tx, c.InteractionID)
			if err != nil {
				return err
			}
			if len(held) == 0 && !in.Planted && in.ErasedAt.IsZero() {
				about := in.Consultation
				list = append(list, evaluate.Labelled{
					ID:        c.Ruling.ID,
					Subject:   compliance.Subject{Text: c.Text, Situation: about.Situation(), Customer: about.Customer},
					Violation: string(c.Ruling.Label) != measure.Compliant,
					Keys:      evaluate.HeldBy(in, c.Text),
				})
			}
		}
		return nil
	})
	return list, err
}
