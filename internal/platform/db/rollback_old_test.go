package db_test

import (
	"path/filepath"
	"slices"
	"testing"
)

// Migration 00118 makes a rollback what it is: a state that one can go back to, with where it went.
func TestRollbacksOfAnOldFile(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	goose := oldGoose(t, raw)
	if _, err := goose.UpTo(ctx, 117); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		`INSERT INTO knowledge_state VALUES ('s1', 'Good', 'person', 3, 'person', 'edie', 'Edie', 10),
			('s2', 'Before going back to Good', 'automatic', 9, 'person', 'edie', 'Edie', 20)`,
		`INSERT INTO knowledge_rollback VALUES ('k', 's1', 's2', 'It was better.', 'person', 'edie', 'Edie', 4, 1, 20)`,
		`INSERT INTO knowledge_rollback_item VALUES ('k', 'rule', 'r', 2, 1, 'active', 'back')`,
	} {
		if _, err := raw.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if _, err := goose.UpTo(ctx, 118); err != nil {
		t.Fatal(err)
	}
	got := all(t, raw, `SELECT concat_ws('|', id, seq, back_to, reason, changed, left_out) FROM knowledge_state ORDER BY id`)
	if want := []string{"s1|3|||0|0", "s2|9|s1|It was better.|4|1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
