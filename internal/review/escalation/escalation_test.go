package escalation_test

import (
	"testing"

	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review/escalation"
)

// The list is read page by page, each case once, who has waited longest first; and the count has an end.
func TestTheListHasPages(t *testing.T) {
	const all = escalation.MostCounted + escalation.PageOf/2
	d := dbtest.New(t)
	for _, sql := range []string{
		`INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question, customer, guidance,
			guidance_hash, reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
		SELECT '00000000-0000-0000-0000-' || (100000000000 + i), 'a', 'Agent', 'api', 'escalated', 'task', 'agent', 'A question?', '{}', 'Text.', '',
			'', '', '', '[]', '', '', i FROM n`,
		`INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label, passed, blocked,
			borderline, confidence, flags, source, text_hash, created_at)
		SELECT '00000000-0000-0000-0000-' || (100000000000 + i), 'a', 'Agent', 'task', 'decided', 1, '', '', 'A question?', '', 1, 0, 0, 1, '[]', '',
			'', i FROM n`,
		`INSERT INTO escalation (interaction_id, decision_id, asked_at, created_at)
		SELECT '00000000-0000-0000-0000-' || (100000000000 + i), 'd' || i, i / 7, i FROM n`,
	} {
		if _, err := d.Writer().Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) `+
			sql, all); err != nil {
			t.Fatal(err)
		}
	}
	q := escalation.New(d, nil, escalation.Hooks{})
	seen, last, cursor, pages := map[string]bool{}, "", "", 0
	for {
		list, next, err := q.Open(t.Context(), cursor)
		if err != nil || len(list) == 0 || len(list) > escalation.PageOf {
			t.Fatalf("%d cases, %v", len(list), err)
		}
		for _, c := range list {
			if seen[c.ID] || c.ID <= last {
				t.Fatalf("%s comes after %s", c.ID, last)
			}
			seen[c.ID], last = true, c.ID
		}
		if pages, cursor = pages+1, next; next == "" {
			break
		}
	}
	if len(seen) != all || pages != (all+escalation.PageOf-1)/escalation.PageOf {
		t.Errorf("%d cases on %d pages", len(seen), pages)
	}
	if _, _, err := q.Open(t.Context(), "x"); !fault.Is(err, fault.Invalid) {
		t.Errorf("a bent cursor: %v", err)
	}
	if n, any, err := q.Count(t.Context()); n != escalation.MostCounted || !any || err != nil {
		t.Errorf("%d, %t, %v", n, any, err)
	}
}
