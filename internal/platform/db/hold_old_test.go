package db_test

import (
	"path/filepath"
	"slices"
	"testing"
)

// Migration 00121 lets tool calls pass where answers wait already, as the page has said, and back.
func TestToolCallsOfAnOldFilePass(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	goose := oldGoose(t, raw)
	if _, err := goose.UpTo(ctx, 120); err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec(`INSERT INTO agent_signal VALUES ('a', '{"learn":"off","hold":true}', 1),
		('b', '{"hold":true,"wait":5}', 2), ('c', '{"wait":5,"prompts":[{"prompt":"\"hold\":true"}]}', 3)`); err != nil {
		t.Fatal(err)
	}
	const query = `SELECT settings FROM agent_signal ORDER BY agent_id`
	before := all(t, raw, query)
	if _, err := goose.UpTo(ctx, 121); err != nil {
		t.Fatal(err)
	}
	if got, want := all(t, raw, query), []string{`{"learn":"off","hold":true,"tool_rule":"pass"}`,
		`{"hold":true,"tool_rule":"pass","wait":5}`, before[2]}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := goose.DownTo(ctx, 120); err != nil || !slices.Equal(all(t, raw, query), before) {
		t.Errorf("%v %q", err, all(t, raw, query))
	}
}
