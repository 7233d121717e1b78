package knowledge

import (
	"context"
	"time"

	"preceptor/internal/db"
)

// The seed's model of growth (seed 000, "Learning Dynamics", "Knowledge Base Growth").
const (
	keptOfSuccesses  = 0.8 // the others are too much like a case that is there
	rulesPerFailures = 0.3 // the others are errors that happen once
)

// ExpectedCases is the seed's size of the case base after so many consultations, of which the share succeeded: 3,860 after 5,000 at 96.5 %.
func ExpectedCases(consultations, succeeded int) int {
	return int(float64(succeeded) * keptOfSuccesses)
}

// ExpectedRules is the seed's size of the rules base: 52 after 5,000 consultations at 96.5 %.
func ExpectedRules(consultations, succeeded int) int {
	return int(float64(consultations-succeeded) * rulesPerFailures)
}

// Size is how much of the base was in use at a moment.
type Size struct {
	FromDrafts int // cases made of what supervisors decided
	Documents  int // cases that are sections of documents
	Others     int // cases from gold sets, practice and feedback
	Rules      int
}

// Cases is all cases.
func (s Size) Cases() int { return s.FromDrafts + s.Documents + s.Others }

func (s *Size) add(source string, n int) {
	switch source {
	case "":
		s.Rules += n
	case FromReview:
		s.FromDrafts += n
	case FromDocument:
		s.Documents += n
	default:
		s.Others += n
	}
}

// Beginning is when the first version of anything was written; zero in an empty base.
func (b *Base) Beginning(ctx context.Context) (t time.Time, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		return db.One(tx, "knowledge: read when it began", `SELECT coalesce(min(at), 0) FROM (SELECT min(created_at) AS at FROM knowledge_case_version
			UNION ALL SELECT min(created_at) FROM knowledge_rule_version) AS firsts`).Scan(db.At(&t))
	})
	return t, err
}

// growthSQL sums by period and source what came into use, less what left it. Before a first version is nothing, and nothing is looked for.
const growthSQL = `SELECT (at - $1) / $2 AS period, source, sum(moved) FROM (
		SELECT v.created_at AS at, c.source AS source, CASE WHEN v.status = 'active' THEN 1 ELSE 0 END - CASE WHEN p.status = 'active' THEN 1 ELSE 0 END AS moved
		FROM knowledge_case_version v JOIN knowledge_case c ON c.id = v.case_id
			LEFT JOIN knowledge_case_version p ON p.case_id = v.case_id AND p.version = CASE WHEN v.version > 1 THEN v.version - 1 END
		UNION ALL
		SELECT v.created_at, '', CASE WHEN v.status = 'active' THEN 1 ELSE 0 END - CASE WHEN p.status = 'active' THEN 1 ELSE 0 END
		FROM knowledge_rule_version v LEFT JOIN knowledge_rule_version p ON p.rule_id = v.rule_id AND p.version = CASE WHEN v.version > 1 THEN v.version - 1 END
	) AS moves WHERE moved <> 0 AND at < $3 GROUP BY period, source`

// Growth is the sizes at the ends of n periods of length step that begin at from. What came before is in the first.
func (b *Base) Growth(ctx context.Context, from time.Time, step time.Duration, n int) ([]Size, error) {
	out := make([]Size, n)
	if n == 0 {
		return out, nil
	}
	err := b.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "knowledge: count growth", func(row db.Row) error {
			var period, by int
			var source string
			err := row.Scan(&period, &source, &by)
			out[max(0, period)].add(source, by)
			return err
		}, growthSQL, db.Ms(from), step.Milliseconds(), db.Ms(from)+int64(n)*step.Milliseconds())
	})
	for i := 1; i < n; i++ {
		before, s := out[i-1], &out[i]
		s.FromDrafts, s.Documents, s.Others, s.Rules = s.FromDrafts+before.FromDrafts, s.Documents+before.Documents, s.Others+before.Others, s.Rules+before.Rules
	}
	return out, err
}
