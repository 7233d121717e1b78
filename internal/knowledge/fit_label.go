package knowledge

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
)

// FitLabel is what a person said of a rule and a question: it is for questions like it, or isn't. The rule's own
// conditions have the question as an example; labels are for those who train encoders.
type FitLabel struct {
	About         string    `json:"about"` // where it was picked: reviews/ID, learning/ID, knowledge/rules/ID
	InteractionID string    `json:"-"`
	Rule          string    `json:"rule"`     // in words, as it stood
	Question      string    `json:"question"` // without what belongs to its customer
	Applies       bool      `json:"applies"`
	By            string    `json:"by"` // account
	At            time.Time `json:"at"`
}

// Label keeps a label; a later one of the same rule and question takes its place.
func (b *Base) Label(ctx context.Context, l FitLabel) error {
	return b.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "knowledge: label a question", `DELETE FROM fit_label
			WHERE about = $1 AND interaction_id = $2`, l.About, l.InteractionID); err != nil {
			return err
		}
		return db.Exec(tx, "knowledge: label a question", `INSERT INTO fit_label
			(about, interaction_id, rule, question, applies, by_id, at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			l.About, l.InteractionID, l.Rule, l.Question, l.Applies, l.By, tx.NowMs())
	})
}

// Unlabel takes back what was last said of a question; another customer's of the same words stays.
func (b *Base) Unlabel(ctx context.Context, about, question string) error {
	return b.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "knowledge: take a label back", `DELETE FROM fit_label WHERE about = $1
			AND interaction_id = (SELECT interaction_id FROM fit_label WHERE about = $2 AND question = $3
				ORDER BY at DESC, interaction_id LIMIT 1)`, about, about, question)
	})
}

// EraseLabelsTx removes the labels of a customer's question, and those that were picked where a rule was stated about
// it: their sentences have what was typed there.
func (b *Base) EraseLabelsTx(tx *db.Tx, interactionID string, lessons []string) (int, error) {
	n, err := changed(tx, `DELETE FROM fit_label WHERE interaction_id = $1 OR about = $2`, interactionID,
		"reviews/"+interactionID)
	for _, id := range lessons {
		if err == nil {
			var more int
			more, err = changed(tx, `DELETE FROM fit_label WHERE about = $1`, "learning/"+id)
			n += more
		}
	}
	return n, err
}

// EachLabel gives every label, in the order of the rules.
func (b *Base) EachLabel(ctx context.Context, give func(FitLabel) error) error {
	return b.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "knowledge: read labels", func(row db.Row) error {
			var l FitLabel
			var at int64
			if err := row.Scan(&l.About, &l.Rule, &l.Question, &l.Applies, &l.By, &at); err != nil {
				return err
			}
			l.At = db.Time(at)
			return give(l)
		}, `SELECT about, rule, question, applies, by_id, at FROM fit_label ORDER BY about, interaction_id`)
	})
}
