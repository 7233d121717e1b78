package knowledge_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/knowledge"
)

// sizesHold fails the test when what is counted from versions is not what stands there. Every write of a test is
// followed by a count, so that what is counted bit by bit is held against a count of everything.
func (b bench) sizesHold() {
	b.t.Helper()
	got, err := b.Sizes(ctx)
	if err != nil {
		b.t.Error(err)
		return
	}
	var want knowledge.Size
	if err := b.d.Reader().QueryRow(`SELECT (SELECT count(*) FROM knowledge_rule WHERE status = 'active'),
			coalesce(sum(source = 'review'), 0), coalesce(sum(source = 'document'), 0),
				coalesce(sum(source NOT IN ('review', 'document')), 0), coalesce(sum(flagged * (source = 'document')), 0),
				coalesce(sum(source = 'practice'), 0)
		FROM knowledge_case WHERE status = 'active'`).Scan(&want.Rules, &want.FromDrafts, &want.Documents, &want.Others,
		&want.Flagged, &want.Practised); err != nil {
		b.t.Error(err)
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		b.t.Errorf("the sizes are not what stands there: %s", d)
	}
}

// What a case was made from is found by all of it, and not by its source, of which there are as many as cases.
func TestACaseIsFoundByItsOrigin(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	b.addCase(knowledge.Case{AgentID: "me", Origin: "o", CaseText: text("A", "B", "C")})
	n := 0
	for _, s := range b.d.Met() {
		if !strings.Contains(s, "c.origin = $3") {
			continue
		}
		n++
		var id, parent, unused int
		var plan string
		if err := b.d.Writer().QueryRow("EXPLAIN QUERY PLAN "+s, "me", "review", "o").Scan(&id, &parent, &unused,
			&plan); err != nil ||
			!strings.Contains(plan, "knowledge_case_origin (agent_id=? AND source=? AND origin=?)") {
			t.Errorf("%s, %v: %s", plan, err, s)
		}
	}
	if n == 0 {
		t.Error("no case is looked for by its origin")
	}
}
