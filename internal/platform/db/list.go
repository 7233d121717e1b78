package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Row is one row of an answer.
type Row interface{ Scan(dest ...any) error }

// ErrEnough is what take says to Each when it wants no more rows.
var ErrEnough = errors.New("enough rows")

// Each has take read the rows that a query answers with, one after another, and ends at the first error. doing says in
// errors what the query is for, as "review: list claims".
func Each(tx *Tx, doing string, take func(row Row) error, query string, args ...any) error {
	rows, err := tx.Query(query, args...)
	if err == nil {
		defer rows.Close()
		for err == nil && rows.Next() {
			err = take(rows)
		}
	}
	if err == nil {
		err = rows.Err()
	}
	if err != nil && !errors.Is(err, ErrEnough) {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// List gives what read makes of each row, in their order; nil with an error.
func List[T any](tx *Tx, doing string, read func(row Row) (T, error), query string, args ...any) (list []T, err error) {
	err = Each(tx, doing, func(row Row) error {
		one, err := read(row)
		list = append(list, one)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// First is what read makes of the first row; found is false, and the value zero, where there is none.
func First[T any](tx *Tx, doing string, read func(row Row) (T, error), query string,
	args ...any) (one T, found bool, err error) {
	one, err = read(One(tx, doing, query, args...))
	if err != nil {
		var none T
		if errors.Is(err, sql.ErrNoRows) {
			err = nil
		}
		return none, false, err
	}
	return one, true, nil
}

// Column is the List of a query for one column.
func Column[T any](tx *Tx, doing, query string, args ...any) ([]T, error) {
	return List(tx, doing, func(row Row) (one T, err error) {
		err = row.Scan(&one)
		return one, err
	}, query, args...)
}

// Exec runs a statement of which nobody asks how many rows it changed. On a server it may run with the next one, or
// before the commit, which then fails if this one does.
func Exec(tx *Tx, doing, query string, args ...any) error {
	ctx := context.Background()
	if tx.OnServer() {
		ctx = context.WithValue(ctx, unread{}, doing)
	}
	if _, err := tx.ExecContext(ctx, query, args...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// Read is d.Read for what gives one thing.
func Read[T any](ctx context.Context, d *DB, f func(tx *Tx) (T, error)) (v T, err error) {
	err = d.Read(ctx, func(tx *Tx) (err error) {
		v, err = f(tx)
		return err
	})
	return v, err
}

// Write is d.Write for what makes one thing; the zero value with an error.
func Write[T any](ctx context.Context, d *DB, f func(tx *Tx) (T, error)) (T, error) {
	var v, none T
	err := d.Write(ctx, func(tx *Tx) (err error) {
		v, err = f(tx)
		return err
	})
	if err != nil {
		return none, err
	}
	return v, nil
}

// Value is what a query answers with that gives one column of one row.
func Value[T any](tx *Tx, doing, query string, args ...any) (v T, err error) {
	if err := tx.QueryRow(query, args...).Scan(&v); err != nil {
		return v, fmt.Errorf("%s: %w", doing, err)
	}
	return v, nil
}

// Maybe is the Value of a query that may find no row; it gives the zero value then.
func Maybe[T any](tx *Tx, doing, query string, args ...any) (v T, err error) {
	if v, err = Value[T](tx, doing, query, args...); errors.Is(err, sql.ErrNoRows) {
		return v, nil
	}
	return v, err
}

// Change runs a statement and tells how many rows it changed.
func Change(tx *Tx, doing, query string, args ...any) (int, error) {
	res, err := tx.Exec(query, args...)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	n, err := res.RowsAffected()
	return int(n), err
}
