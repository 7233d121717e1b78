package knowledge_test

import (
	"errors"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/knowledge"
)

// sizesHold fails the test when what is counted from versions is not what stands there. Every write of a test is followed by a count, so
// that what is counted bit by bit is held against a count of everything.
func (b bench) sizesHold() {
	b.t.Helper()
	got, err := b.Sizes(ctx)
	if err != nil {
		b.t.Error(err)
		return
	}
	want := knowledge.Sizes{BySource: map[string]int{}}
	r := b.d.Reader()
	if err := errors.Join(
		r.QueryRow(`SELECT count(*), coalesce(sum(status = 'active'), 0), coalesce(sum(status = 'candidate'), 0), coalesce(sum(status = 'quarantined'), 0) FROM knowledge_rule`).
			Scan(&want.AllRules, &want.ActiveRules, &want.CandidateRules, &want.QuarantinedRules),
		r.QueryRow(`SELECT count(*), coalesce(sum(exemplar), 0), coalesce(sum(flagged), 0) FROM knowledge_case WHERE status = 'active'`).Scan(&want.Cases, &want.Exemplars, &want.Flagged),
	); err != nil {
		b.t.Error(err)
		return
	}
	rows, err := r.Query(`SELECT source, count(*) FROM knowledge_case WHERE status = 'active' GROUP BY source`)
	if err != nil {
		b.t.Error(err)
		return
	}
	defer rows.Close()
	for rows.Next() {
		var source string
		var n int
		if err := rows.Scan(&source, &n); err != nil {
			b.t.Error(err)
		}
		want.BySource[source] = n
	}
	if d := cmp.Diff(want, got); d != "" {
		b.t.Errorf("the sizes are not what stands there: %s", d)
	}
}
