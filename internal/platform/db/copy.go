package db

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"

	"preceptor/internal/platform/fault"
)

// asked is a pool or a transaction.
type asked interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Tally is what a copy has of one table.
type Tally struct {
	Table string `json:"table"`
	Rows  int    `json:"rows"`
	Sum   string `json:"sum"` // of its rows in any order
}

// ours are the tables that both engines have, but for River's and goose's.
const ours = `SELECT l.name FROM sqlite_schema s JOIN pragma_table_list l ON l.name = s.name AND l.schema = 'main'
	WHERE s.type = 'table' AND l.type = 'table' AND substr(s.name, 1, 7) <> 'sqlite_'
		AND substr(s.name, 1, 6) <> 'river_' AND substr(s.name, 1, 13) <> 'entry_vector_'
		AND s.name <> 'goose_db_version' ORDER BY s.rowid`

// CopyTo copies a file to an empty database of a server, or a server's database to a new file, in one transaction, and
// compares each table afterwards. What indexes texts and vectors must be rebuilt there, and jobs are River's.
func (d *DB) CopyTo(ctx context.Context, to string) ([]Tally, error) {
	if d.OnServer() == IsServer(to) {
		return nil, fault.New(fault.Invalid,
			"A copy goes from a file to a PostgreSQL database, or from one to a file.")
	}
	file := d
	var out *DB
	var err error
	if d.OnServer() {
		if out, err = d.toFile(ctx, to, nil); err != nil {
			return nil, err
		}
		file = out
	} else if out, err = d.toServer(ctx, to); err != nil {
		return nil, err
	}
	defer out.Close()
	tables, err := pragmaLines(ctx, file.reader, ours)
	if err != nil {
		return nil, err
	}
	from, done, err := d.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	copied, doneToo, err := out.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer doneToo()
	tallies := make([]Tally, len(tables))
	for i, table := range tables {
		columns, err := columnsOf(ctx, file.reader, table)
		if err != nil {
			return nil, err
		}
		here, err := d.tally(ctx, from, table, columns)
		if err != nil {
			return nil, err
		}
		there, err := out.tally(ctx, copied, table, columns)
		if err != nil {
			return nil, err
		}
		if here != there {
			return nil, fault.New(fault.Internal, "The copy differs in %s: %d rows and %d. Don't use it.", table,
				here.Rows, there.Rows)
		}
		tallies[i] = here
	}
	return tallies, nil
}

func (d *DB) toServer(ctx context.Context, url string) (*DB, error) {
	if err := wantEmpty(ctx, url); err != nil {
		return nil, err
	}
	from, done, err := d.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	out := &DB{clock: d.clock}
	if err = out.dial(ctx, url); err == nil {
		err = out.Schema(ctx, func(ctx context.Context, w *sql.DB) error { return copyAll(ctx, from, w) })
	}
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

// toFile copies these tables, or all, to a new file, which has no triggers meanwhile, since they guard who may decide.
func (d *DB) toFile(ctx context.Context, path string, tables []string) (_ *DB, err error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, fault.New(fault.Conflict, "%s already exists.", path)
	}
	out, err := Open(ctx, path, Options{Clock: d.clock, Holder: "copy"})
	if err != nil {
		return nil, err
	}
	from, done, err := d.snapshot(ctx)
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	defer done()
	err = out.Schema(ctx, func(ctx context.Context, w *sql.DB) error {
		if tables == nil {
			if tables, err = pragmaLines(ctx, w, ours); err != nil {
				return err
			}
		}
		if _, err := w.ExecContext(ctx, `PRAGMA foreign_keys = OFF`); err != nil {
			return err
		}
		tx, err := w.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		for _, table := range tables {
			if err := refill(ctx, from, tx, table); err != nil {
				return err
			}
		}
		return tx.Commit()
	})
	if err != nil {
		return nil, errors.Join(err, out.Close(), Remove(path))
	}
	return out, nil
}

// refill puts a server's rows of a table in the place of those that a new file has.
func refill(ctx context.Context, from, tx *sql.Tx, table string) error {
	guards, err := pragmaLines(ctx, tx, `SELECT sql FROM sqlite_schema
		WHERE type = 'trigger' AND tbl_name = '`+table+`' AND substr(name, 1, 6) <> 'audit_'`)
	if err != nil {
		return err
	}
	for _, g := range guards {
		if err := run(ctx, tx, "DROP TRIGGER "+trigger.FindStringSubmatch(g)[1]); err != nil {
			return err
		}
	}
	there, err := pragmaLines(ctx, tx, `SELECT 1 FROM "`+table+`" LIMIT 1`)
	if err == nil && len(there) > 0 {
		err = run(ctx, tx, `DELETE FROM "`+table+`"`)
	}
	if err == nil {
		err = fill(ctx, from, true, tx, table)
	}
	for _, g := range guards {
		if err == nil {
			err = run(ctx, tx, g)
		}
	}
	return err
}

func columnsOf(ctx context.Context, file asked, table string) ([]string, error) {
	return pragmaLines(ctx, file, `SELECT name FROM pragma_table_info('`+table+`')`)
}

// snapshot is a transaction that may read everything, and on a server walk.
func (d *DB) snapshot(ctx context.Context) (*sql.Tx, func(), error) {
	pool, o := d.reader, &sql.TxOptions{}
	if d.OnServer() {
		pool = d.serverPool(1, connector{schema: true})
		o.Isolation, o.ReadOnly = sql.LevelRepeatableRead, true
	}
	tx, err := pool.BeginTx(ctx, o)
	return tx, func() {
		if tx != nil {
			_ = tx.Rollback()
		}
		if pool != d.reader {
			_ = pool.Close()
		}
	}, err
}

// tally reads a table.
func (d *DB) tally(ctx context.Context, tx *sql.Tx, table string, columns []string) (Tally, error) {
	t, sum := Tally{Table: table}, [16]byte{}
	err := walk(ctx, tx, d.OnServer(), `SELECT "`+strings.Join(columns, `", "`)+`" FROM "`+table+`"`,
		func(_ []string, values []any) error {
			t.Rows++
			h := fnv.New128a()
			for _, v := range values {
				fmt.Fprintf(h, "%T %v\x00", v, v)
			}
			carry := 0
			for i, b := range slices.Backward(h.Sum(nil)) {
				carry += int(sum[i]) + int(b)
				sum[i], carry = byte(carry), carry>>8
			}
			return nil
		})
	t.Sum = hex.EncodeToString(sum[:])
	return t, err
}

// walk reads an answer of any size: a server's comes through a cursor of the transaction, since the driver reads each
// answer whole.
func walk(ctx context.Context, from asked, server bool, query string,
	take func(columns []string, values []any) error) error {
	page := func(query string) (n int, err error) {
		rows, err := from.QueryContext(ctx, query)
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			return 0, err
		}
		into := make([]any, len(columns))
		for ; rows.Next(); n++ {
			values := make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				return n, err
			}
			if err := take(columns, values); err != nil {
				return n, err
			}
		}
		return n, rows.Err()
	}
	if !server {
		_, err := page(query)
		return err
	}
	if _, err := page(`DECLARE walk CURSOR FOR ` + query); err != nil {
		return err
	}
	for {
		if n, err := page(`FETCH 500 FROM walk`); err != nil || n == 0 {
			_, cerr := page(`CLOSE walk`)
			return errors.Join(err, cerr)
		}
	}
}

// fill copies a table's rows, some hundred values at once, and has a server's numbers go on where they were.
func fill(ctx context.Context, from asked, fromServer bool, to *sql.Tx, table string) error {
	var insert string
	var n int
	var args []any
	put := func(all bool) error {
		for len(args) > 0 && (all || len(args) >= 900) {
			m := min(len(args), max(1, 900/n)*n)
			var b strings.Builder
			for i := 0; i < m; i += n {
				b.WriteString(", (" + In(i+1, n) + ")")
			}
			if _, err := to.ExecContext(ctx, insert+b.String()[1:], args[:m]...); err != nil {
				return fmt.Errorf("db: copy %s: %w", table, err)
			}
			args = args[m:]
		}
		return nil
	}
	if err := walk(ctx, from, fromServer, `SELECT * FROM "`+table+`"`, func(columns []string, values []any) error {
		if n == 0 {
			n, insert = len(columns), `INSERT INTO "`+table+`" ("`+strings.Join(columns, `", "`)+`") VALUES`
		}
		args = append(args, values...)
		return put(false)
	}); err != nil {
		return err
	}
	if err := put(true); err != nil || fromServer {
		return err
	}
	var number string
	err := to.QueryRowContext(ctx, `SELECT column_name FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'YES'`, table).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = run(ctx, to, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%s', '%s'), coalesce(max(%[2]s), 0) + 1,
			false) FROM "%[1]s"`, table, number))
	}
	return err
}
