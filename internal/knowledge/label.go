package knowledge

import (
	"context"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

// Label is what a person said of a rule and a question that they picked: it is for questions like it, or isn't. Rules
// have the question as an example; labels are for those who train encoders.
type Label struct {
	About    string    `json:"about"` // where it was stated: learning/ID, knowledge/rules/ID
	Rule     string    `json:"rule"`  // in words, as it stands
	Question string    `json:"question"`
	Applies  bool      `json:"applies"`
	At       time.Time `json:"at"`
}

// LabelsOf are the labels that are in a statement.
func LabelsOf(st rule.Statement, p *pack.Pack, about string, at time.Time) (out []Label) {
	for _, c := range st.When {
		for _, q := range c.Values {
			if c.Of != "" {
				out = append(out, Label{about, rule.Sentence(st, p), q, !c.Not, at})
			}
		}
	}
	return out
}

// EachLabel gives the labels of rules, in every version.
func (b *Base) EachLabel(ctx context.Context, give func(Label) error) error {
	return b.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "knowledge: read labels", func(row db.Row) error {
			var about, agent string
			var r RuleText
			var at time.Time
			if err := row.Scan(&about, &agent, db.JSON(&r), db.At(&at)); err != nil {
				return err
			}
			packName, err := b.packOf(tx, agent)
			for _, l := range LabelsOf(r.Statement, pack.Of(packName), about, at) {
				if err == nil {
					err = give(l)
				}
			}
			return err
		}, `SELECT 'knowledge/rules/' || v.rule_id, r.agent_id, v.content, v.created_at
			FROM knowledge_rule_version v JOIN knowledge_rule r ON r.id = v.rule_id
			WHERE v.erased_at = 0 ORDER BY v.rule_id, v.version`)
	})
}
