package db_test

import (
	"path/filepath"
	"slices"
	"testing"
)

// Migration 00130 gives documents that were imported before sources were kept a source each.
func TestDocumentsOfAnOldFileHaveASource(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	goose := oldGoose(t, raw)
	if _, err := goose.UpTo(ctx, 118); err != nil {
		t.Fatal(err)
	}
	for i, c := range [][4]string{{"a", "", "tax.md#How much", "active"}, {"b", "", "tax.md#When", "active"},
		{"c", "ag", "tax.md#When", "active"}, {"d", "", "old.md#Gone", "retired"}, {"e", "", "no section", "active"},
		{"f", "", "known.md#One", "active"}} {
		if _, err := raw.Exec(`INSERT INTO knowledge_case (id, number, agent_id, source, origin, status, task, domain, exemplar,
			approved, flagged, version, created_at, updated_at)
			VALUES ($1, $2, $3, 'document', $4, $5, '', '', 0, 1, 0, 2, $6, 9)`, c[0], i, c[1], c[2], c[3], 5-i); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Exec(`INSERT INTO knowledge_case_version (case_id, version, status, content, hash, by_kind, by_id,
			reason, created_at) VALUES ($1, 1, 'active', '{"pack":"old"}', '', '', '', '', 1),
			($1, 2, 'active', '{"pack":"general"}', '', '', '', '', 1)`, c[0]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := raw.Exec(`INSERT INTO knowledge_source (id, agent_id, pack, path, folder, hash, read_at, looked_at)
		VALUES ('k', '', 'general', 'known.md', '/docs', 'h', 8, 9)`); err != nil {
		t.Fatal(err)
	}
	if _, err := goose.UpTo(ctx, 130); err != nil {
		t.Fatal(err)
	}
	got := all(t, raw, `SELECT concat_ws('|', id, agent_id, pack, path, folder, hash, read_at) FROM knowledge_source ORDER BY id`)
	if want := []string{"a||general|tax.md|||4", "c|ag||tax.md|||3", "k||general|known.md|/docs|h|8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
