package app

import (
	"context"
	"sync"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/compliance/ruled"
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

// AdoptRuled has the validator follow what experts ruled on sentences: at the start, after every change, and now and then, as another
// server may have written one. Rulings on seeded checks don't count.
func (a *App) AdoptRuled(ctx context.Context) error {
	a.adopting.Lock()
	defer a.adopting.Unlock()
	var list []compliance.RuledSentence
	err := a.DB.Read(ctx, func(tx *db.Tx) error {
		ruled, err := ruled.ListTx(tx)
		if err != nil {
			return err
		}
		for _, r := range ruled {
			in, err := a.Interactions.GetTx(tx, r.InteractionID)
			if err != nil {
				return err
			}
			if in.Planted || !in.ErasedAt.IsZero() {
				continue
			}
			c := in.Consultation
			list = append(list, compliance.RuledSentence{ID: r.ID, CaseID: r.CaseID, Code: r.Code, Severity: r.Severity, Sentence: r.Sentence, Right: r.Right, People: r.By, At: r.At,
				Pack: c.Pack, Kind: sync.OnceValue(func() string { return c.Situation().Asked().Kind })})
		}
		return nil
	})
	if err == nil {
		a.Validator.AdoptRuled(list)
	}
	return err
}

// resentenced follows a change of the ruled sentences.
func (a *App) resentenced() {
	if err := a.AdoptRuled(context.Background()); err != nil {
		a.Log.Error("what was ruled on sentences can't be read; it is tried again within minutes", "error", err)
	}
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
