package db

import (
	"context"
	"database/sql"
)

// Statements is how many statements ran inside transactions since the database was opened. A test that reads it before
// and after a page sees whether the page asks once per row.
func (d *DB) Statements() int64 { return d.statements.Load() }

// These shadow the methods of sql.Tx to count, and to use what is prepared; each is what its name says there.

// Exec counts and runs a statement.
func (tx *Tx) Exec(query string, args ...any) (sql.Result, error) {
	tx.count()
	if st := tx.stmt(query, false); st != nil {
		return st.Exec(args...)
	}
	return tx.Tx.Exec(query, args...)
}

// ExecContext counts and runs a statement.
func (tx *Tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	tx.count()
	if st := tx.stmt(query, false); st != nil {
		return st.ExecContext(ctx, args...)
	}
	return tx.Tx.ExecContext(ctx, query, args...)
}

// Query counts and runs a query.
func (tx *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	tx.count()
	if st := tx.stmt(query, true); st != nil {
		return st.Query(args...)
	}
	return tx.Tx.Query(query, args...)
}

// QueryContext counts and runs a query.
func (tx *Tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	tx.count()
	if st := tx.stmt(query, true); st != nil {
		return st.QueryContext(ctx, args...)
	}
	return tx.Tx.QueryContext(ctx, query, args...)
}

// QueryRow counts and runs a query for one row.
func (tx *Tx) QueryRow(query string, args ...any) *sql.Row {
	tx.count()
	if st := tx.stmt(query, false); st != nil {
		return st.QueryRow(args...)
	}
	return tx.Tx.QueryRow(query, args...)
}

// QueryRowContext counts and runs a query for one row.
func (tx *Tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	tx.count()
	if st := tx.stmt(query, false); st != nil {
		return st.QueryRowContext(ctx, args...)
	}
	return tx.Tx.QueryRowContext(ctx, query, args...)
}

func (tx *Tx) count() {
	if tx.d != nil {
		tx.d.statements.Add(1)
	}
}
