package learning

import (
	"context"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
)

// EachLabel gives what people said of a rule and a question in the preview where they stated it, once they sent it:
// that of lessons, then that of rules which says something else.
func (p *Pipeline) EachLabel(ctx context.Context, give func(knowledge.Label) error) error {
	seen := map[knowledge.Label]bool{}
	once := func(l knowledge.Label) error {
		said := knowledge.Label{Rule: l.Rule, Question: l.Question, Applies: l.Applies}
		if seen[said] {
			return nil
		}
		seen[said] = true
		return give(l)
	}
	if err := p.d.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "learning: read labels", func(row db.Row) error {
			var l Lesson
			var at time.Time
			if err := row.Scan(&l.ID, &l.Pack, db.JSON(&l.Statement), db.At(&at)); err != nil {
				return err
			}
			for _, label := range knowledge.LabelsOf(l.Statement, pack.Of(l.Pack), "learning/"+l.ID, at) {
				if err := once(label); err != nil {
					return err
				}
			}
			return nil
		}, `SELECT id, pack, statement, created_at FROM lesson WHERE statement <> '' AND state <> 'withdrawn'
			ORDER BY created_at, id`)
	}); err != nil {
		return err
	}
	return p.kb.EachLabel(ctx, once)
}
