package db_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// Migration 00133 marks the versions of rules that say what was noticed in an agent's sessions as it was noticed, and
// none that a person stated or whose scope a person chose.
func TestNoticedRulesOfAnOldFile(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	goose := oldGoose(t, raw)
	if _, err := goose.UpTo(ctx, 132); err != nil {
		t.Fatal(err)
	}
	text := func(scope, say string) string {
		return fmt.Sprintf(`{"title":"A rule","principle":"P","statement":{"when":[{"kind":"scope","values":[%q]}],`+
			`"do":{"kind":"other","text":%q}}}`, scope, say)
	}
	const said = `Never write "we" in a log.`
	lesson := func(id, origin string, sameAs, sentBack int) {
		if _, err := raw.Exec(`INSERT INTO lesson (id, origin, cause_kind, cause_id, interaction_id, agent_id, agent_name,
			decided_by, task, stage, state, created_at, updated_at, version, rule_id, same_as, sent_back)
			VALUES ($1, $2, 'proposal', $1, '', '', '', '', '', 'accept', 'accepted', 1, 1, 1, $1, $3, $4)`, id, origin,
			sameAs, sentBack); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Exec(`INSERT INTO signal (id, agent_id, agent_name, user_id, talk_id, turn_id, producer, kind,
			category, scope, action, said, content, score, scored, confidence, priority, count, noted, evidence, context,
			expires_at, state, lesson_id, decided_by, created_at, updated_at)
			VALUES ($1, '', '', '', '', '', '', 'proposal', '', 'universal', '', '', $2, 0, 0, 0, 0, 1, 0, '[]', '{}', 0,
				'approved', $1, '', 1, 1)`, id, said); err != nil {
			t.Fatal(err)
		}
	}
	lesson("noticed", "proposal", 0, 0)
	lesson("covered", "proposal", 1, 0)
	lesson("back", "proposal", 0, 1)
	lesson("stated", "revise", 0, 0)
	for i, v := range []struct{ rule, content string }{{"noticed", text("universal", said)},
		{"noticed", text("universal", said)}, {"noticed", text("language:go", said)}, {"noticed", text("universal", "x")},
		{"covered", text("universal", said)}, {"back", text("universal", said)}, {"stated", text("universal", said)}} {
		if _, err := raw.Exec(`INSERT INTO knowledge_rule (id, number, agent_id, status, domain, version, created_at,
			updated_at) VALUES ($1, $2, '', 'active', '', 1, 1, 1) ON CONFLICT (id) DO NOTHING`, v.rule, i+1); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Exec(`INSERT INTO knowledge_rule_version (rule_id, version, status, content, by_kind, by_id, reason,
			created_at, domain) VALUES ($1, $2, 'active', $3, '', '', '', 1, '')`, v.rule, i+1, v.content); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := goose.UpTo(ctx, 133); err != nil {
		t.Fatal(err)
	}
	rows, err := raw.Query(`SELECT rule_id, version, content FROM knowledge_rule_version ORDER BY version`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var rule, content string
		var version int
		if err := rows.Scan(&rule, &version, &content); err != nil {
			t.Fatal(err)
		}
		if marked := strings.HasPrefix(content, `{"noticed":true,"title":"A rule",`); marked != (version <= 2) {
			t.Errorf("%s v%d: %s", rule, version, content)
		}
	}
}
