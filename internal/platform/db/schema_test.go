package db_test

import (
	"context"
	"database/sql"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

// After start no connection of the program can take a guard away: not the table, not the trigger, not the engine's
// checks, and not by a temporary table that would stand in for the real one. Both engines keep to it.
func TestTheSchemaCannotBeChangedOnceTheProgramRuns(t *testing.T) {
	d := dbtest.New(t)
	for _, q := range []string{
		"DROP TRIGGER decision_update", "DROP TRIGGER interaction_released", "DROP TRIGGER approval_update",
		"DROP TABLE decision", "DROP INDEX decision_standing",
		"ALTER TABLE review ADD COLUMN x TEXT", "ALTER TABLE review DROP COLUMN two_eyes",
		"ALTER TABLE account RENAME TO old", "ALTER TABLE review RENAME COLUMN two_eyes TO x",
		"CREATE TABLE x (a INTEGER)", "CREATE TABLE x AS SELECT * FROM decision", "CREATE VIEW v AS SELECT 1",
		"CREATE INDEX i ON decision (text)",
		"CREATE TRIGGER z BEFORE UPDATE ON decision BEGIN SELECT 1; END",
		"CREATE TEMP TABLE account (id TEXT)", "CREATE TEMP VIEW account_role AS SELECT 1",
		`CREATE TEMP TRIGGER z BEFORE UPDATE ON decision
			BEGIN SELECT 1; END`,
		"CREATE VIRTUAL TABLE x USING fts5 (a)", "DROP TABLE entry", "ATTACH ':memory:' AS other",
		"PRAGMA writable_schema = ON", "PRAGMA writable_schema = RESET", "PRAGMA Writable_Schema(1)",
		"PRAGMA main.writable_schema = 1",
		"PRAGMA ignore_check_constraints = ON", "PRAGMA schema_version = 7", "PRAGMA legacy_alter_table = ON",
		"UPDATE sqlite_schema SET sql = ''", "DELETE FROM sqlite_master WHERE type = 'trigger'",
	} {
		if _, err := d.Writer().Exec(q); err == nil {
			t.Errorf("outside a transaction: %s", q)
		}
		if err := d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(q); return err }); err == nil {
			t.Errorf("in a transaction: %s", q)
		}
		if _, err := d.Reader().Exec(q); err == nil && q[:6] != "PRAGMA" {
			// a reader's pragma is refused or changes nothing that it could write
			t.Errorf("on a reader: %s", q)
		}
	}
	for _, q := range []string{"PRAGMA writable_schema = ON", "DROP TRIGGER decision_update",
		"CREATE TEMP TABLE account (id TEXT)"} {
		if _, err := d.Writer().Exec(q); !db.IsDenied(err) {
			t.Errorf("%s: %v, want the authorizer's refusal", q, err)
		}
	}
	var triggers int
	if err := d.Reader().QueryRow(`SELECT count(*) FROM sqlite_schema
		WHERE type = 'trigger' AND name LIKE 'decision%'`).Scan(&triggers); err != nil || triggers < 5 {
		t.Errorf("%d triggers guard decisions (%v)", triggers, err)
	}
}

func TestOnlyMigrationsChangeTheSchema(t *testing.T) {
	d := dbtest.New(t)
	table(t, d, "CREATE TABLE x (a INTEGER)")
	for _, q := range []string{"DROP TRIGGER audit_no_update", "DROP TABLE audit",
		"ALTER TABLE audit_content ADD COLUMN x TEXT"} {
		err := d.Schema(ctx, func(ctx context.Context, w *sql.DB) error { _, err := w.ExecContext(ctx, q); return err })
		if !db.IsDenied(err) {
			t.Errorf("a migration: %s: %v", q, err)
		}
	}
	if _, err := d.Writer().Exec("INSERT INTO x VALUES (1)"); err != nil {
		t.Errorf("the writer does not know the new table: %v", err)
	}
	if _, err := d.Writer().Exec("ANALYZE"); err != nil {
		t.Errorf("the planner's figures: %v", err)
	}
}
