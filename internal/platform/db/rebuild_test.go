package db_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"preceptor/internal/platform/db"
	"preceptor/migrations"
)

// Migration 00008 makes two tables anew, one of which others refer to. These tests run it on a file of the schema
// before it.

// oldFile is a file of schema 7 with rows in the tables that are made anew and in those that refer to them.
func oldFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "old.db")
	raw := rawOpen(t, path)
	defer raw.Close()
	if _, err := oldGoose(t, raw).UpTo(ctx, 7); err != nil {
		t.Fatal(err)
	}
	var statements []string
	for i, status := range []string{"drafting", "waiting", "held", "released", "escalated", "failed"} {
		statements = append(statements, fmt.Sprintf(`INSERT INTO interaction (id, agent_id, agent_name, origin, status,
				task, task_by, question, customer, guidance, guidance_hash, reasoning, model,
			drafter, knowledge_used, steps, metadata, final_text, failure, created_at, released_at, version)
			VALUES ('i%d', 'a', 'Agent', 'api', '%s', 'scams', 'agent', 'It''s a "question"?', '{}', 'Text %d', 'h',
				'r', 'm', 'd', '[]', '[1]', '{}', 'sent %d', '', %d, 9, 3)`, i, status, i, i, i),
			fmt.Sprintf(`INSERT INTO interaction_event
				VALUES ('i%d', 1, 5, 'submitted', 'agent', 'a', 'Agent', '')`, i),
			fmt.Sprintf(`INSERT INTO idempotency VALUES ('t', 'k%d', 'b', 'i%d', 'waiting', 5)`, i, i))
	}
	for i := 1; i < 5; i++ {
		statements = append(statements, fmt.Sprintf(`INSERT INTO review (id, agent_id, agent_name, task, state,
				priority, why, who, opening, label, passed, blocked, borderline, confidence, flags, source, text_hash,
			decision_id, decided_at, created_at)
				VALUES ('i%d', 'a', 'Agent', 'scams', '%s', 4, '', '', 'It', '', 1, 0, 0, 1, '[]', '', 'h', '%s', 7, 6)`,
			i, map[bool]string{true: "decided", false: "waiting"}[i > 1],
			map[bool]string{true: fmt.Sprint("d", i), false: ""}[i > 1]),
			fmt.Sprintf(`INSERT INTO review_skip (id, review_id, by_id, by_name, reason, version, at)
				VALUES ('s%d', 'i%d', 'bob', 'Bob', 'busy', 1, 6)`, i, i),
			fmt.Sprintf(`INSERT INTO decision
				VALUES ('d%d', 'i%d', '%s', '%s', 'ann', 'Ann', 'sent %d', 'h', 1, 'r', '', 'f', 'c', '[]', 30, 7, 8,
					9, '')`, i, i,
				map[bool]string{true: "reject", false: "approve"}[i == 4],
				[]string{"", "undone", "held", "released", "escalated"}[i], i))
	}
	for _, q := range statements {
		if _, err := raw.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	return path
}

func rawOpen(t *testing.T, path string) *sql.DB {
	t.Helper()
	raw, err := sql.Open("preceptor-schema", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	raw.SetMaxOpenConns(1)
	return raw
}

func oldGoose(t *testing.T, raw *sql.DB) *goose.Provider {
	t.Helper()
	p, err := goose.NewProvider(goose.DialectSQLite3, raw, migrations.Files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// asOf7 reads every row as schema 7 knows it.
func asOf7(t *testing.T, pool *sql.DB) (out []string) {
	t.Helper()
	for _, q := range []string{
		`SELECT id, agent_id, agent_name, origin, status, task, task_by, question, customer, guidance, guidance_hash,
			reasoning, model, drafter, knowledge_used, steps, metadata,
			final_text, failure, created_at, released_at, version FROM interaction ORDER BY id`,
		`SELECT id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason, reason_code, feedback,
			confirmation, flags, seconds, decided_at, held_until, settled_at,
			settled_by FROM decision ORDER BY id`,
		`SELECT interaction_id, seq, kind FROM interaction_event
			ORDER BY 1`, `SELECT interaction_id, key FROM idempotency ORDER BY 1`,
		`SELECT id, state, decision_id, version FROM review
			ORDER BY 1`, `SELECT id, review_id, reason FROM review_skip ORDER BY 1`,
	} {
		rows, err := pool.Query(q)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			row := make([]any, len(columns))
			into := make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprint(row...))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		rows.Close()
	}
	return out
}

func before(t *testing.T, path string) []string {
	t.Helper()
	raw := rawOpen(t, path)
	defer raw.Close()
	return asOf7(t, raw)
}

// wantRebuilt opens the file as the program does and wants every row as it was, and no reference broken.
func wantRebuilt(t *testing.T, path string, want []string) {
	t.Helper()
	d, err := db.Open(ctx, path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if diff := cmp.Diff(want, asOf7(t, d.Reader())); diff != "" {
		t.Error(diff)
	}
	checks, err := d.Doctor(ctx)
	for _, c := range checks {
		if !c.OK {
			t.Errorf("%s: %s", c.Name, c.Detail)
		}
	}
	var left int
	if err2 := d.Reader().QueryRow(`SELECT count(*) FROM sqlite_schema
		WHERE name LIKE '%\_new' ESCAPE '\'`).Scan(&left); err != nil || err2 != nil || left != 0 {
		t.Errorf("%d tables are left over (%v, %v)", left, err, err2)
	}
	var decidedBy string
	if err := d.Reader().QueryRow(`SELECT group_concat(decided_by)
		FROM (SELECT decided_by FROM review ORDER BY id)`).Scan(&decidedBy); err != nil || decidedBy != ",ann,ann,ann" {
		t.Errorf("decided by %q, %v", decidedBy, err)
	}
	// The references hold at the new tables, and the old guards with them.
	for _, q := range []string{`INSERT INTO interaction_event VALUES ('nope', 1, 5, 'x', '', '', '', '')`,
		`UPDATE decision SET state = 'released'
		WHERE id = 'd1'`, `UPDATE interaction SET status = 'nonsense'`} {
		if err := d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(q); return err }); err == nil {
			t.Errorf("went through: %s", q)
		}
	}
}

func TestTheRebuildKeepsEveryRow(t *testing.T) {
	path := oldFile(t)
	wantRebuilt(t, path, before(t, path))
}

// Killed after the rebuild was on the disk, and before it was written down that it was.
func TestTheRebuildRunsTwice(t *testing.T) {
	path := oldFile(t)
	want := before(t, path)
	raw := rawOpen(t, path)
	for range 2 {
		if _, err := oldGoose(t, raw).UpTo(ctx, 8); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Exec(`DELETE FROM goose_db_version WHERE version_id = 8`); err != nil {
			t.Fatal(err)
		}
	}
	raw.Close()
	wantRebuilt(t, path, want)
}

// Whatever fails in the middle, the file is as it was.
func TestAFailedRebuildLeavesTheOldTables(t *testing.T) {
	path := oldFile(t)
	want := before(t, path)
	raw := rawOpen(t, path)
	if _, err := raw.Exec(`CREATE VIEW decision_new AS SELECT 1`); err != nil { // in the way of the second table
		t.Fatal(err)
	}
	raw.Close()
	if _, err := db.Open(ctx, path, db.Options{}); err == nil || !strings.Contains(err.Error(), "00008") {
		t.Fatalf("the migration went through: %v", err)
	}
	raw = rawOpen(t, path)
	var columns int
	if err := raw.QueryRow(`SELECT count(*) FROM pragma_table_info('interaction')
		WHERE name IN ('revises', 'planted')`).Scan(&columns); err != nil || columns != 0 {
		t.Errorf("%d of the new columns are there (%v)", columns, err)
	}
	if diff := cmp.Diff(want, asOf7(t, raw)); diff != "" {
		t.Error(diff)
	}
	if _, err := raw.Exec(`DROP VIEW decision_new`); err != nil {
		t.Fatal(err)
	}
	raw.Close()
	wantRebuilt(t, path, want)
}
