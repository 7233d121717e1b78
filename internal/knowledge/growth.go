package knowledge

import (
	"context"
	"database/sql"
	"fmt"
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

// Beginning is when the first version of anything was written; zero in an empty base.
func (b *Base) Beginning(ctx context.Context) (t time.Time, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		var first int64
		if err := tx.QueryRow(`SELECT min(at) FROM (SELECT coalesce(min(created_at), $1) AS at FROM knowledge_case
			UNION ALL SELECT coalesce(min(created_at), $2) FROM knowledge_rule) AS both`, tx.NowMs(), tx.NowMs()).Scan(&first); err != nil {
			return fmt.Errorf("knowledge: find the beginning: %w", err)
		}
		if first < tx.NowMs() {
			t = db.Time(first)
		}
		return nil
	})
	return t, err
}

// Growth is the sizes at the ends of n periods of length step that begin at from. What came before is in the first.
func (b *Base) Growth(ctx context.Context, from time.Time, step time.Duration, n int) ([]Size, error) {
	out := make([]Size, n)
	if n == 0 {
		return out, nil
	}
	err := b.db.Read(ctx, func(tx *db.Tx) error {
		args := []any{db.Ms(from), step.Milliseconds()}
		err := each(tx, `SELECT (v.created_at - $1) / $2, c.source, sum(CASE WHEN v.status = 'active' THEN 1 ELSE 0 END) - sum(CASE WHEN p.status = 'active' THEN 1 ELSE 0 END)
			FROM knowledge_case_version v JOIN knowledge_case c ON c.id = v.case_id
				LEFT JOIN knowledge_case_version p ON p.case_id = v.case_id AND p.version = v.version - 1
			GROUP BY 1, 2`, args, func(rows *sql.Rows) error {
			var period, change int
			var source string
			if err := rows.Scan(&period, &source, &change); err != nil {
				return err
			}
			if period >= n {
				return nil
			}
			s := &out[max(0, period)]
			switch source {
			case FromReview:
				s.FromDrafts += change
			case FromDocument:
				s.Documents += change
			default:
				s.Others += change
			}
			return nil
		})
		if err != nil {
			return err
		}
		return each(tx, `SELECT (v.created_at - $1) / $2, sum(CASE WHEN v.status = 'active' THEN 1 ELSE 0 END) - sum(CASE WHEN p.status = 'active' THEN 1 ELSE 0 END)
			FROM knowledge_rule_version v LEFT JOIN knowledge_rule_version p ON p.rule_id = v.rule_id AND p.version = v.version - 1
			GROUP BY 1`, args, func(rows *sql.Rows) error {
			var period, change int
			if err := rows.Scan(&period, &change); err != nil {
				return err
			}
			if period < n {
				out[max(0, period)].Rules += change
			}
			return nil
		})
	})
	for i := 1; i < n; i++ {
		before, s := out[i-1], &out[i]
		s.FromDrafts, s.Documents, s.Others, s.Rules = s.FromDrafts+before.FromDrafts, s.Documents+before.Documents, s.Others+before.Others, s.Rules+before.Rules
	}
	return out, err
}
