package db_test

import (
	"path/filepath"
	"testing"
)

// Migration 00100 gives rubrics and borderline cases a pack. What there was stays pensions', version by version, and a
// case has the pack of its interaction.
func TestRubricsOfAnOldFile(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	if _, err := oldGoose(t, raw).UpTo(ctx, 99); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		`INSERT INTO rubric (kind, version, state, text, reason, by_id, by_name, at)
			VALUES ('rubric', 1, 'in_force', 'Shipped.', '', '', 'Preceptor', 1),
				('rubric', 2, 'in_force', 'Ours.', 'So.', 'eve', 'Eve', 2),
				('rubric', 3, 'proposed', 'Next.', 'So.', 'eve', 'Eve', 3)`,
		`INSERT INTO interaction (id, agent_id, agent_name, pack, origin, status, task, task_by, question, customer,
				guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
			SELECT 'i-' || p, 'a', 'A', p, 'api', 'waiting', '', 'agent', '', '{}', '', '', '', '', '', '[]', '', '', 1
			FROM (SELECT 'pension' AS p UNION SELECT 'general')`,
		`INSERT INTO borderline_case (id, interaction_id, agent_id, agent_name, task, who, opening, text, text_hash,
				cause, verdict, codes, state, wanted, most, target_at, created_at)
			SELECT 'c-' || i, i, 'a', 'A', '', '', '', '', '', 'sent', '{}', '', 'waiting', 1, 1, 1, 1
			FROM (SELECT 'i-pension' AS i UNION SELECT 'i-general' UNION SELECT 'i-gone')`,
	} {
		if _, err := raw.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if _, err := oldGoose(t, raw).Up(ctx); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		`SELECT group_concat(subject || version || state || payload) FROM (
			SELECT * FROM approval WHERE kind = 'rubric' ORDER BY version)`: //
		"pension1madeShipped.,pension2madeOurs.,pension3proposedNext.",
		`SELECT group_concat(id || ' ' || pack) FROM (SELECT * FROM borderline_case ORDER BY id)`://
		"c-i-general general,c-i-gone pension,c-i-pension pension",
	} {
		var got string
		if err := raw.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
}
