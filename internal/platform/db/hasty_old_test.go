package db_test

import (
	"path/filepath"
	"slices"
	"testing"
)

// Migration 00194 counts approvals in no time as rapid, however short the text, and has their cases counted anew.
func TestApprovalsInNoTimeOfAnOldFileAreRapid(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	goose := oldGoose(t, raw)
	if _, err := goose.UpTo(ctx, 190); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{`PRAGMA foreign_keys = OFF`,
		`INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason, reason_code,
				feedback, confirmation, flags, seconds, characters, hasty, decided_at, held_until, second_by, second_seconds)
			SELECT column1, 'r' || column1, column2, 'released', 'ann', 'Ann', '', '', 1, '', '', '', '', '[]', column3, 198,
				0, 1, 0, column4, column5
			FROM (VALUES ('short', 'approve', 0, '', 0), ('read', 'approve', 60, '', 0), ('revised', 'revise', 0, '', 0),
				('second', 'approve', 60, 'bob', 0), ('both', 'approve', 60, 'bob', 60))`,
	} {
		if _, err := raw.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if _, err := goose.UpTo(ctx, 194); err != nil {
		t.Fatal(err)
	}
	if got := all(t, raw, `SELECT id || hasty || second_hasty FROM decision WHERE hasty + second_hasty > 0
		ORDER BY id`); !slices.Equal(got, []string{"second01", "short10"}) {
		t.Error(got)
	}
	if got := all(t, raw, `SELECT case_id FROM stat_due ORDER BY 1`); !slices.Equal(got, []string{"rsecond", "rshort"}) {
		t.Error(got)
	}
}
