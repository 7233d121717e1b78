package db

import (
	"context"
	"database/sql"
)

// Statements is how many statements ran inside transactions since the database was opened. A test that reads it before
// and after a page sees whether the page asks once per row.
func (d *DB) Statements() int64 { return d.statements.Load() }

// These shadow the methods of sql.Tx to count; each is what its name says there.

// Exec counts and runs a statement.
func (tx *Tx) Exec(query string, args ...any) (sql.Result, error) {
	tx.count(query)
	return tx.Tx.Exec(query, args...)
}

// ExecContext counts and runs a statement.
func (tx *Tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	tx.count(query)
	return tx.Tx.ExecContext(ctx, query, args...)
}

// Query counts and runs a query.
func (tx *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	tx.count(query)
	return tx.Tx.Query(query, args...)
}

// QueryContext counts and runs a query.
func (tx *Tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	tx.count(query)
	return tx.Tx.QueryContext(ctx, query, args...)
}

// QueryRow counts and runs a query for one row.
func (tx *Tx) QueryRow(query string, args ...any) *sql.Row {
	tx.count(query)
	return tx.Tx.QueryRow(query, args...)
}

// QueryRowContext counts and runs a query for one row.
func (tx *Tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	tx.count(query)
	return tx.Tx.QueryRowContext(ctx, query, args...)
}

func (tx *Tx) count(query string) {
	if tx.d == nil {
		return
	}
	tx.d.statements.Add(1)
	if _, known := tx.d.met.Load(query); !known && tx.d.texts.Add(1) <= mostMet {
		tx.d.met.Store(query, nil)
	}
}
