package app

import (
	"context"
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/ruled"
	"preceptor/internal/platform/db"
)

// AdoptRuled has the validator follow what experts ruled on sentences: at the start, after every change, and now and
// then, as another server may have written one. Rulings on seeded checks don't count.
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
			list = append(list, compliance.RuledSentence{ID: r.ID, CaseID: r.CaseID, Code: r.Code, Severity: r.Severity,
				Sentence: r.Sentence, Right: r.Right, People: r.By, At: r.At,
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
