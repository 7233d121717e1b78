package knowledge_test

import (
	"strings"
	"testing"

	"preceptor/internal/knowledge"
)

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
		if err := b.d.Writer().QueryRow("EXPLAIN QUERY PLAN "+s, "me", "review", "o").Scan(&id, &parent, &unused, &plan); err != nil || !strings.Contains(plan, "knowledge_case_origin (agent_id=? AND source=? AND origin=?)") {
			t.Errorf("%s, %v: %s", plan, err, s)
		}
	}
	if n == 0 {
		t.Error("no case is looked for by its origin")
	}
}
