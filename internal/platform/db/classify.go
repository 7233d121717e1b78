package db

import (
	"context"
	"database/sql"
	"errors"

	"preceptor/internal/platform/fault"
)

// SQLite's result codes that mean something to the domain (https://sqlite.org/rescode.html).
const (
	codeBusy       = 5
	codeLocked     = 6
	codeFull       = 13
	codeUnique     = 2067
	codePrimaryKey = 1555
	codeIOErr      = 10
	codeCorrupt    = 11
)

// Classify gives an engine's error its kind, by code and never by text. Faults, nil and unknown errors pass unchanged.
func Classify(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Wrap(fault.NotFound, err, "There is nothing here, or you don't have access to it.")
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.Wrap(fault.Unavailable, err, "The database did not answer in time. Try again.")
	}
	if f := away(err); f != nil {
		return f
	}
	code, ok := codeOf(err)
	if !ok {
		return err
	}
	switch primary := code & 0xff; {
	case code == codeUnique || code == codePrimaryKey:
		return fault.Wrap(fault.Conflict, err, "This already exists.")
	case primary == codeBusy || primary == codeLocked:
		return fault.Wrap(fault.Unavailable, err, "The database is busy. Try again in a moment.")
	case primary == codeFull:
		return fault.Wrap(fault.Unavailable, err, "The disk is full. Nothing was saved; free some space and try again.")
	case primary == codeIOErr:
		return fault.Wrap(fault.Unavailable, err,
			"The disk can't be read or written. Nothing was saved; have the administrator check the disk.")
	case primary == codeCorrupt:
		return fault.Wrap(fault.Unavailable, err,
			"The database file is damaged. Nothing was saved; have the administrator restore a backup.")
	}
	return err
}

// IsUnique reports whether err is a broken UNIQUE or PRIMARY KEY constraint. Ask it of tx.Exec or a query: Exec's error
// may come later (postgres_batch.go).
func IsUnique(err error) bool {
	code, ok := codeOf(err)
	return ok && (code == codeUnique || code == codePrimaryKey)
}

func isCorrupt(err error) bool {
	code, ok := codeOf(err)
	return ok && code&0xff == codeCorrupt
}
