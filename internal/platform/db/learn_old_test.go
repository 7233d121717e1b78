package db_test

import (
	"path/filepath"
	"slices"
	"testing"
)

// Migration 00113 leaves learning off for every agent that there is, as it was, and only for those.
func TestLearningOfAnOldFile(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	goose := oldGoose(t, raw)
	if _, err := goose.UpTo(ctx, 112); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		`INSERT INTO agent (id, name, name_key, created_at)
			VALUES ('a', 'A', 'a', 1), ('b', 'B', 'b', 2), ('c', 'C', 'c', 3), ('d', 'D', 'd', 4)`,
		`INSERT INTO agent_signal VALUES ('b', '{}', 5), ('c', '{"hold":true}', 6), ('d', '{"learn":"keep"}', 7)`,
	} {
		if _, err := raw.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if _, err := goose.UpTo(ctx, 113); err != nil {
		t.Fatal(err)
	}
	const query = `SELECT concat_ws(' ', agent_id, settings, updated_at) FROM agent_signal ORDER BY agent_id`
	if got, want := all(t, raw, query), []string{`a {"learn":"off"} 1`, `b {"learn":"off"} 5`,
		`c {"learn":"off","hold":true} 6`, `d {"learn":"keep"} 7`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
