package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"preceptor/internal/platform/fault"
)

// Part is rows of a table: all, or those of which a condition in SQL is true, which may ask tables that were copied
// before.
type Part struct{ Table, Where string }

// Excerpt writes a new database file of the same schema to path, with these rows and no others: a table that is added
// later is left out until somebody names it. Names of people in these rows are emptied. Their triggers, which guard who
// may decide, are not in the file, since nobody decides in it. What indexes the rows must be rebuilt.
func (d *DB) Excerpt(ctx context.Context, path string, parts []Part) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return fault.New(fault.Conflict, "%s already exists.", path)
	}
	source := d.path
	if d.OnServer() {
		source = path + ".rows"
		var tables []string
		for _, p := range parts {
			tables = append(tables, p.Table)
		}
		rows, err := d.toFile(ctx, source, tables)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close(), Remove(source)) }()
	}
	out, err := Open(ctx, path, Options{Clock: d.clock})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return out.Schema(ctx, func(ctx context.Context, w *sql.DB) error {
		var do []string
		for _, p := range parts {
			statements, err := copying(ctx, w, p)
			if err != nil {
				return err
			}
			do = append(do, statements...)
		}
		// ATTACH can't stand in a transaction and belongs to a connection: w has one.
		if _, err := w.ExecContext(ctx, `ATTACH $1 AS source`, source); err != nil {
			return err
		}
		tx, err := w.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		for _, statement := range do {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("db: copy rows (%s): %w", statement, err)
			}
		}
		return tx.Commit()
	})
}

// copying are the statements that fill a table of an excerpt.
func copying(ctx context.Context, w *sql.DB, p Part) (do []string, err error) {
	triggers, err := pragmaLines(ctx, w, `SELECT name FROM sqlite_master
		WHERE type = 'trigger' AND tbl_name = '`+p.Table+`'`)
	if err != nil {
		return nil, err
	}
	for _, t := range triggers {
		do = append(do, `DROP TRIGGER main.`+t)
	}
	columns, err := pragmaLines(ctx, w, `SELECT name FROM pragma_table_info('`+p.Table+`')`)
	if err != nil {
		return nil, err
	}
	values := slices.Clone(columns)
	for i, c := range columns {
		if strings.HasSuffix(c, "_name") && c != "agent_name" {
			values[i] = `''`
		}
	}
	return append(do, `DELETE FROM main.`+p.Table, `INSERT INTO main.`+p.Table+` (`+strings.Join(columns, ", ")+
		`) SELECT `+
		strings.Join(values, ", ")+` FROM source.`+p.Table+` WHERE `+cmp.Or(p.Where, `1 = 1`)), nil
}

// Remove removes a file that no process holds, with what lies beside it; none is fine.
func Remove(file string) error {
	lock, err := acquire(file, "")
	if err != nil {
		return err
	}
	defer release(lock)
	for _, end := range []string{"", "-wal", "-shm", ".lock"} {
		if rerr := os.Remove(file + end); rerr != nil && !errors.Is(rerr, os.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	return err
}
