package knowledge

import (
	"context"
	"strings"
	"time"

	"preceptor/internal/platform/db"
)

// Label is what a person said of a rule and a question that they picked: it is for questions like it, or isn't. Rules
// have the question as an example; labels are for those who train encoders.
type Label struct {
	About    string    `json:"about"` // knowledge/rules/ID
	Rule     string    `json:"rule"`  // in words, as it stands
	Question string    `json:"question"`
	Applies  bool      `json:"applies"`
	At       time.Time `json:"at"`
}

// EachLabel gives the labels of every version of a rule, each once.
func (b *Base) EachLabel(ctx context.Context, give func(Label) error) error {
	seen := map[string]bool{}
	return b.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "knowledge: read labels", func(row db.Row) error {
			var about string
			var r RuleText
			var at time.Time
			if err := row.Scan(&about, db.JSON(&r), db.At(&at)); err != nil {
				return err
			}
			for _, c := range r.Statement.When {
				if key := r.Principle + c.Of; c.Of != "" && !seen[key] {
					seen[key] = true
					if err := give(Label{about, r.Principle, strings.Join(c.Values, " "), !c.Not, at}); err != nil {
						return err
					}
				}
			}
			return nil
		}, `SELECT 'knowledge/rules/' || rule_id, content, created_at FROM knowledge_rule_version
			WHERE erased_at = 0 ORDER BY rule_id, version`)
	})
}
