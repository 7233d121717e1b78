package db

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// scanner reads a column into what is not stored as it is used.
type scanner func(column any) error

func (f scanner) Scan(column any) error { return f(column) }

// At reads a stored time, as Ms wrote it; NULL is the zero time.
func At(t *time.Time) sql.Scanner {
	return scanner(func(column any) error {
		var ms sql.NullInt64
		err := ms.Scan(column)
		*t = Time(ms.Int64)
		return err
	})
}

// JSON reads a column of JSON into v, a pointer; an empty one leaves it as it is.
func JSON(v any) sql.Scanner {
	return scanner(func(column any) error {
		var text sql.RawBytes
		switch c := column.(type) {
		case string:
			text = sql.RawBytes(c)
		case []byte:
			text = c
		}
		if len(text) == 0 {
			return nil
		}
		return json.Unmarshal(text, v)
	})
}

// Keys takes rows of one column into a set.
func Keys[K comparable](into map[K]bool) func(row Row) error {
	return func(row Row) error {
		var k K
		err := row.Scan(&k)
		into[k] = err == nil
		return err
	}
}

// Pairs takes rows of two columns into a map.
func Pairs[K comparable, V any](into map[K]V) func(row Row) error {
	return func(row Row) error {
		var k K
		var v V
		err := row.Scan(&k, &v)
		into[k] = v
		return err
	}
}

// Rows is the List of a query whose columns go into the fields that fields names, in their order.
func Rows[T any](tx *Tx, doing string, fields func(one *T) []any, query string, args ...any) ([]T, error) {
	return List(tx, doing, func(row Row) (one T, err error) {
		err = row.Scan(fields(&one)...)
		return one, err
	}, query, args...)
}

// More is a row with more columns behind those of the Scan that it is handed to.
func More(row Row, dest ...any) Row { return more{row, dest} }

type more struct {
	row  Row
	dest []any
}

func (m more) Scan(dest ...any) error { return m.row.Scan(append(dest, m.dest...)...) }

// Asked is a query for one row.
type Asked struct {
	row   *sql.Row
	doing string
	none  error
}

// One asks for one row. doing says in errors what the query is for.
func One(tx *Tx, doing, query string, args ...any) Asked {
	return Asked{row: tx.QueryRow(query, args...), doing: doing}
}

// Or says what the error is when there is no row.
func (a Asked) Or(none error) Asked {
	a.none = none
	return a
}

// Scan reads the row. Where there is none, that is an error.
func (a Asked) Scan(dest ...any) error {
	found, err := a.Find(dest...)
	switch {
	case err != nil || found:
		return err
	case a.none != nil:
		return a.none
	}
	return fmt.Errorf("%s: %w", a.doing, sql.ErrNoRows)
}

// Find reads the row, if there is one.
func (a Asked) Find(dest ...any) (found bool, err error) {
	switch err := a.row.Scan(dest...); {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%s: %w", a.doing, err)
	}
	return true, nil
}
