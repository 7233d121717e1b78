package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"

	"preceptor/migrations"
)

// schemaOnServer makes the schema in an empty database: the migrations run on an SQLite database in memory, and what
// comes of them is said in PostgreSQL's words, with the rows that migrations wrote. In one that has a schema, the
// migrations that came since run, each statement translated. So there is one set of migrations, written for SQLite.
func (d *DB) schemaOnServer(ctx context.Context, w *sql.DB) error {
	var made bool
	if err := w.QueryRowContext(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL`).Scan(&made); err != nil {
		return fmt.Errorf("db: look for the schema: %w", err)
	}
	if !made {
		return createOnServer(ctx, w, math.MaxInt64)
	}
	tx, err := w.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // servers that start at once go one after another
	if _, err := tx.ExecContext(ctx, `LOCK TABLE lane IN EXCLUSIVE MODE`); err != nil {
		return fmt.Errorf("db: wait for another server's migrations: %w", err)
	}
	lite := d.serverPool(1, connector{schema: true, lite: true})
	defer lite.Close()
	if err := migrateTo(ctx, lite, goose.DialectPostgres, math.MaxInt64); err != nil {
		return err
	}
	if err := besides(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// createOnServer makes the schema of a number.
func createOnServer(ctx context.Context, w *sql.DB, number int64) error {
	lite, err := sql.Open(schemaDriver, "file::memory:?_foreign_keys=1")
	if err != nil {
		return err
	}
	defer lite.Close()
	lite.SetMaxOpenConns(1)
	if err := migrateTo(ctx, lite, goose.DialectSQLite3, number); err != nil {
		return err
	}
	return copyAll(ctx, lite, w)
}

// copyAll makes in an empty database of a server what a file has.
func copyAll(ctx context.Context, lite asked, w *sql.DB) error {
	tx, err := w.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := copySchema(ctx, lite, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// copySchema makes in an empty database what lite has: tables, in an order in which references find theirs, then rows,
// indexes and triggers. River's tables are River's, and the tables that index texts are the engine's.
func copySchema(ctx context.Context, lite asked, tx *sql.Tx) error {
	tables, err := pragmaLines(ctx, lite, `
		SELECT s.sql FROM sqlite_schema s JOIN pragma_table_list l ON l.name = s.name AND l.schema = 'main'
		WHERE s.type = 'table' AND l.type = 'table' AND substr(s.name, 1, 7) <> 'sqlite_'
			AND substr(s.name, 1, 6) <> 'river_' AND substr(s.name, 1, 13) <> 'entry_vector_' ORDER BY s.rowid`)
	if err != nil {
		return err
	}
	var made []string
	for left := tables; len(left) > 0; {
		n := len(left)
		left = slices.DeleteFunc(slices.Clone(left), func(text string) bool {
			name := tableName.FindStringSubmatch(text)[1]
			for _, m := range reference.FindAllStringSubmatch(text, -1) {
				if m[1] != name && !slices.Contains(made, m[1]) {
					return false
				}
			}
			if err == nil {
				err = run(ctx, tx, translate(text))
			}
			made = append(made, name)
			return true
		})
		if err == nil && len(left) == n {
			err = errors.New("tables refer to each other in a circle")
		}
		if err != nil {
			return fmt.Errorf("db: copy the schema: %w", err)
		}
	}
	for _, name := range made {
		if err := fill(ctx, lite, false, tx, name); err != nil {
			return err
		}
	}
	rest, err := pragmaLines(ctx, lite, `SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger')
		AND sql IS NOT NULL AND substr(tbl_name, 1, 6) <> 'river_' ORDER BY type, rowid`)
	if err != nil {
		return err
	}
	for _, text := range rest {
		if err := run(ctx, tx, translate(text)); err != nil {
			return err
		}
	}
	return besides(ctx, tx)
}

// besides makes what a server's database has besides, where it is not there.
func besides(ctx context.Context, tx *sql.Tx) error {
	if err := run(ctx, tx, migrations.Postgres); err != nil {
		return err
	}
	for _, l := range lanes {
		if _, err := tx.ExecContext(ctx, `INSERT INTO lane (name, turn) VALUES ($1, 0) ON CONFLICT (name) DO NOTHING`,
			string(l)); err != nil {
			return err
		}
	}
	return nil
}

// run runs one statement or several.
func run(ctx context.Context, tx *sql.Tx, text string) error {
	if _, err := tx.ExecContext(ctx, text); err != nil {
		return fmt.Errorf("db: %s: %w", text, err)
	}
	return nil
}

var (
	tableName = regexp.MustCompile(`^CREATE TABLE "?(\w+)`)
	reference = regexp.MustCompile(`\bREFERENCES "?(\w+)`)
	remark    = regexp.MustCompile(`--[^\n]*`)
	ending    = regexp.MustCompile(`\)\s*(?:(?:STRICT|WITHOUT ROWID)[\s,]*)+$`)
	// What SQLite calls a row besides its key is guarded there, and is nothing here.
	rowid = regexp.MustCompile(`\s+OR (?:EXISTS \(SELECT 1 FROM \w+ WHERE rowid = NEW\.rowid\)|NEW\.rowid <> OLD\.rowid|` +
		`rowid = NEW\.rowid)|\bNEW\.rowid = OLD\.rowid AND | AND NEW\.rowid = OLD\.rowid`)
	words = []struct {
		re  *regexp.Regexp
		new string
	}{
		{regexp.MustCompile(`\bINTEGER PRIMARY KEY(?: AUTOINCREMENT)?`),
			`bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY`},
		{regexp.MustCompile(`\bINTEGER\b`), `bigint`},
		{regexp.MustCompile(`\bREAL\b`), `double precision`},
		{regexp.MustCompile(`\bBLOB\b`), `bytea`},
		{regexp.MustCompile(`\bTEXT\b`), `text COLLATE "C"`}, // as bytes, wherever the database was made
		{regexp.MustCompile(`\bDATETIME\('now'\)|datetime\('now'\)`), `now()`},
		{regexp.MustCompile(`(?i)\bX''`), `''`},
	}
	shape   = regexp.MustCompile(`^(?:CREATE|ALTER) TABLE`)
	trigger = regexp.MustCompile(`(?s)^CREATE TRIGGER (\w+) (BEFORE (?:INSERT|UPDATE|DELETE) ON \w+)\s*(?:WHEN (.*?))?\s*` +
		`\bBEGIN\b(.*)\bEND;?\s*$`)
	statement = regexp.MustCompile(`(?:[^';]|'[^']*')+`)
	refusal   = regexp.MustCompile(`(?s)SELECT RAISE\(ABORT, ('(?:[^']|'')*')\)(?:\s*WHERE (.*))?$`)
)

// translate says a statement of SQLite's schema in PostgreSQL's words.
func translate(text string) string {
	text = strings.TrimSpace(remark.ReplaceAllString(text, ""))
	if m := trigger.FindStringSubmatch(text); m != nil {
		return guard(m[1], m[2], m[3], m[4])
	}
	if name, ok := strings.CutPrefix(text, "DROP TRIGGER "); ok {
		return "DROP FUNCTION " + strings.TrimRight(name, "; ") + " CASCADE"
	}
	if !shape.MatchString(text) {
		return text
	}
	text = ending.ReplaceAllString(strings.TrimRight(text, "; "), ")")
	for _, w := range words {
		text = w.re.ReplaceAllString(text, w.new)
	}
	return text
}

// guard is a trigger, which only ever refuses: when its condition holds, and then for the first reason that does.
func guard(name, on, when, body string) string {
	var b strings.Builder
	for _, one := range statement.FindAllString(body, -1) {
		m := refusal.FindStringSubmatch(strings.TrimSpace(one))
		switch {
		case strings.TrimSpace(one) == "":
		case m == nil:
			fmt.Fprintf(&b, "%s is no refusal;\n", name) // the server says so
		default:
			if m[2] == "" {
				m[2] = "true"
			}
			fmt.Fprintf(&b, "IF %s THEN RAISE EXCEPTION %s; END IF;\n", m[2], m[1])
		}
	}
	text := b.String()
	if when != "" {
		text = "IF " + when + " THEN\n" + text + "END IF;\n"
	}
	row := "NEW"
	if strings.HasPrefix(on, "BEFORE DELETE") {
		row = "OLD"
	}
	return "CREATE FUNCTION " + name + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN\n" +
		rowid.ReplaceAllString(text, "") + "RETURN " + row + "; END $$;\n" +
		"CREATE TRIGGER " + name + " " + on + " FOR EACH ROW EXECUTE FUNCTION " + name + "();"
}
