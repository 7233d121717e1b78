package db_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// Migration 00116 writes out what the recipes of old prompts made, as the renderers and the templates of that day did.
func TestPromptsOfAnOldFile(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	goose := oldGoose(t, raw)
	if _, err := goose.UpTo(ctx, 115); err != nil {
		t.Fatal(err)
	}
	long := `{"title":"A\n  case","situation":" of\t two","guidance":" Say \"this\" & <that>.\u2028\n","outcome":"well\u00a0done",` +
		`"success_factors":["b","a"],"flags":[{"severity":"minor","why":"old  age"},{"severity":"major","why":"x"}]}`
	rule := func(confidence, more string) string {
		return `{"title":"A rule","principle":"When it\nrains","confidence":` + confidence + more + `}`
	}
	for _, q := range []struct {
		query string
		args  []any
	}{
		{query: `PRAGMA foreign_keys = OFF`},
		{`INSERT INTO knowledge_case (id, number, agent_id, source, origin, status, task, domain, exemplar, approved, flagged,
			version, created_at, updated_at) VALUES ('c1', 7, '', 'review', '', 'active', '', '', 0, 0, 0, 2, 1, 1),
			('c2', 1234, '', 'review', '', 'active', '', '', 0, 0, 0, 1, 1, 1)`, nil},
		{`INSERT INTO knowledge_case_version (case_id, version, status, content, hash, by_kind, by_id, reason, created_at,
			erased_at) VALUES ('c1', 1, 'active', $1, '', '', '', '', 1, 0), ('c1', 2, 'active', '{}', '', '', '', '', 1, 0),
			('c2', 1, 'retired', '{"title":"Erased"}', '', '', '', '', 1, 99)`, []any{long}},
		{`INSERT INTO knowledge_rule (id, number, agent_id, status, domain, version, created_at, updated_at)
			VALUES ('r1', 3, '', 'active', 'fees', 3, 1, 1)`, nil},
		{`INSERT INTO knowledge_rule_version (rule_id, version, status, content, by_kind, by_id, reason, created_at, domain)
			VALUES ('r1', 1, 'active', $1, '', '', '', 1, 'fees'), ('r1', 2, 'active', $2, '', '', '', 1, 'fees'),
			('r1', 3, 'active', $3, '', '', '', 1, 'fees')`, []any{rule("0.125", `,"fca_compliant":true`),
			rule("0.285", `,"provisional":true`), rule("1", "")}},
		{`INSERT INTO knowledge_prompt_text VALUES ('h1', 'system.txt', 'Be kind {{.Nobody}} to {{.Who}}', 1),
			('h2', 'draft.txt', '{{.Data}}', 1)`, nil},
		{`INSERT INTO knowledge_prompt VALUES
			('i1', 'model', 'hybrid', 'e', 0, 9, 2, 'bh', $1, 'ph', $2, '["<Ann> {{.Data}}","{\"q\":1,","}"]', 0, 50),
			('i2', 'embedded', 'hybrid', '', 5, 9, 1, 'b2', $3, '', '[]', '[]', 0, 51),
			('i3', 'model', 'seed', '', 0, 9, 3, 'b3', $4, 'p3', $5, '', 77, 52)`, []any{
			`[{"kind":"case","id":"c1","version":1},{"kind":"rule","id":"r1","version":1,"evidence":[7,1234]}]`,
			`[{"name":"system.txt","hash":"h1","args":{"Who":[{"own":0}]}},` +
				`{"name":"draft.txt","hash":"h2","args":{"Data":[{"own":1},{"item":"c1"},{"own":2}]}}]`,
			`[{"kind":"rule","id":"r1","version":2}]`,
			`[{"kind":"case","id":"c2","version":1},{"kind":"rule","id":"r1","version":3}]`,
			`[{"name":"draft.txt","hash":"h2","args":{"Data":[{"own":0},{"item":"c2"}]}}]`}},
	} {
		if _, err := raw.Exec(q.query, q.args...); err != nil {
			t.Fatalf("%s: %v", q.query, err)
		}
	}
	if _, err := goose.UpTo(ctx, 116); err != nil {
		t.Fatal(err)
	}
	type part struct {
		Text, ItemID string
		Own          bool
	}
	type content struct {
		Items []struct {
			Kind, ID, Block string
			Version         int
		}
		Messages []struct {
			Name, Hash string
			Parts      []part
		}
	}
	got := map[string]content{}
	rows, err := raw.Query(`SELECT interaction_id, content, erased_at FROM knowledge_prompt`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var body []byte
		var erased int
		var c content
		if err := rows.Scan(&id, &body, &erased); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(body, &c); err != nil || (erased == 77) != (id == "i3") {
			t.Fatalf("%s: %v, erased %d: %s", id, err, erased, body)
		}
		got[id] = c
	}
	is := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s:\n%q\nwant\n%q", what, got, want)
		}
	}
	items := func(id string) (all string) {
		for _, it := range got[id].Items {
			all += "[" + it.Block + "]"
		}
		return all
	}
	texts := func(id string) (all string) {
		for _, m := range got[id].Messages {
			all += m.Name + " " + m.Hash + ":"
			for _, p := range m.Parts {
				all += p.Text
				if p.Own {
					all += "|own"
				}
				all += p.ItemID
			}
			all += ";"
		}
		return all
	}
	is("blocks", items("i1"), "[Case #007: A case\nCustomer situation: of two\nGuidance provided: Say \"this\" & "+
		"<that>.\nOutcome: well done\nSuccess factors: b, a\nCheck before use: old age]"+
		"[Rule #003: A rule\nPrinciple: \"When it rains\"\nDomain: fees\nConfidence: 0.12 | FCA Compliant: ✓\n"+
		"Evidence: Successfully applied in cases 007, 1234]")
	is("messages", texts("i1"), "system.txt h1:Be kind {{.Nobody}} to <Ann> {{.Data}}|own;"+
		`draft.txt h2:{"q":1,|own" Say \"this\" & <that>.\u2028\n"c1}|own;`)
	is("the first format", items("i2"), "[Rule #003: A rule\nPrinciple: \"When it rains\"\nDomain: fees\n"+
		"Confidence: 0.28 | FCA Compliant: ✗\nEvidence: provisional, tested on few cases so far]")
	is("erased", items("i3"), "[][Rule #003: A rule\nPrinciple: \"When it rains\"\nDomain: fees\nConfidence: 1.00]")
	is("erased parts", strings.ReplaceAll(texts("i3"), `""`, ""), "draft.txt h2:|ownc2;")
}
