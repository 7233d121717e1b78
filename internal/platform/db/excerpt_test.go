package db_test

import (
	"path/filepath"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// An excerpt has the rows of the tables that were named, although their triggers refuse such rows, and of no others; it
// has no names of people, and one is never written over a file.
func TestExcerpt(t *testing.T) {
	ctx := t.Context()
	d, err := db.Open(ctx, filepath.Join(t.TempDir(), "a.db"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Write(ctx, func(tx *db.Tx) error {
		for _, do := range []string{
			`INSERT INTO agent (id, name, name_key, created_at, pack)
				VALUES ('a', 'Advisor', 'advisor', 1, 'pension'), ('b', 'Shop', 'shop', 1, 'general')`,
			`INSERT INTO account (id, email, email_key, name, password_hash, theme, density, letter_keys, created_at,
					disabled_at, version)
				VALUES ('p', 'ann@example.org', 'ann@example.org', 'Ann', '', 'system', 'comfortable', 1, 1, 0, 1)`,
			`INSERT INTO approval (id, kind, subject, version, base, payload, reason, state, proposed_by, proposed_name,
					proposed_at)
				VALUES ('r', 'rubric', '', 1, 0, 'Be fair.', 'why', 'proposed', 'p', 'Ann', 1)`,
		} {
			if _, err := tx.Exec(do); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "it's [a] copy.db")
	if err := d.Excerpt(ctx, out, []db.Part{{Table: "agent", Where: `pack = 'pension'`}, {Table: "approval"},
		{Table: "check_trial"}}); err != nil {
		t.Fatal(err)
	}
	e, err := db.Open(ctx, out, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for query, want := range map[string]string{
		`SELECT name FROM agent`: "Advisor",
		`SELECT payload || proposed_name || decided_name FROM approval`: "Be fair.",
		`SELECT count(*) FROM account`:                                  "0",
	} {
		got, err := db.Read(ctx, e, func(tx *db.Tx) (string, error) { return db.Value[string](tx, "test", query) })
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", query, got, err, want)
		}
	}
	if err := d.Excerpt(ctx, out, nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("over a file: %v", err)
	}
	if err := d.Excerpt(ctx, filepath.Join(t.TempDir(), "b.db"), []db.Part{{Table: "no_such_table"}}); err == nil {
		t.Error("a table that isn't there was copied")
	}
}
