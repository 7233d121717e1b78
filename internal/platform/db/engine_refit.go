//go:build sqlite_cgo && !sqlite_fts5 && !fts5

// With the tag sqlite_cgo alone, mattn/go-sqlite3 would leave out full-text search, without which no schema can be
// made. This stands in for the engine and says which tag is missing; tests build themselves again with it
// (dbtest.Main).

package db

import (
	"database/sql"
	"database/sql/driver"

	"preceptor/internal/platform/fault"
)

const (
	driverName   = "preceptor"
	schemaDriver = "preceptor-schema"
)

func init() {
	sql.Register(driverName, absent{})
	sql.Register(schemaDriver, absent{})
}

type absent struct{}

func (absent) Open(string) (driver.Conn, error) {
	return nil, fault.New(fault.Unavailable,
		"This program was built without full-text search. Build it with -tags 'sqlite_cgo sqlite_fts5', as `make "+
			"cgo` does.")
}

func writerDSN(path string) string { return path }

func readerDSN(path string) string { return path }

func frozenDSN(path string) string { return path }

func engineCode(error) (int, bool) { return 0, false }
