package db

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"preceptor/internal/platform/fault"
)

// minSQLite is the first version without the WAL-reset bug (fixed in 3.51.3) and the journal-rollback bug (3.53.4).
const minSQLite = "3.53.4"

// mostPrepared is how many statements a connection keeps prepared.
const mostPrepared = 256

// knownVec lists the sqlite-vec versions whose tables this program has been tested on: 0.1.9 in the default build,
// 0.1.6 in the cgo build. It is not a 1.0 and breaks between versions, so an unknown one is refused.
var knownVec = map[string]bool{"v0.1.9": true, "v0.1.6": true}

// guarded are the tables of which no row may ever be changed or removed through this program; of emptied ones a row may
// be changed, when the law wants its content gone, and never removed.
var (
	guarded = map[string]bool{"audit": true}
	emptied = map[string]bool{"audit_content": true}
)

// The codes that SQLite gives an authorizer (https://sqlite.org/c3ref/c_alter_table.html), the same in both drivers.
const (
	codeDelete, codeUpdate       = 9, 23
	codeDropTable, codeDropTrig  = 11, 16
	codePragma, codeAttach       = 19, 24
	codeAlterTable               = 26
	codeTransaction              = 22
	codeCreateTable, codeDropVtb = 2, 30
)

// shapes are the codes of statements that change the schema, temporary tables and triggers included, which could stand
// in for real ones, and which of the two arguments is the table.
var shapes = map[int]int{
	// create index, table, the same and trigger and view temporarily, trigger, view
	1: 2, codeCreateTable: 1, 3: 2, 4: 1, 5: 2, 6: 1, 7: 2, 8: 1,
	10: 2, codeDropTable: 1, 12: 2, 13: 1, 14: 2, 15: 1, codeDropTrig: 2, 17: 1, // drop, in the same order
	codeAlterTable: 2, 29: 1, codeDropVtb: 1, // virtual tables
}

// locked are the pragmas that would switch guards off. SQLite's defensive mode ignores the first one anyway.
var locked = map[string]bool{"writable_schema": true, "ignore_check_constraints": true, "schema_version": true,
	"legacy_alter_table": true}

// planned counts what the engine asked the authorizer. It asks while it plans a statement, and at no other time.
var planned atomic.Int64

// Planned grows while this process has statements planned, by about one for each column that they name; the beginnings
// and ends of transactions are left out. A test that reads it before and after something that ran before sees whether
// what is kept prepared is planned anew all the same.
func Planned() int64 { return planned.Load() }

// refuses is the authorizer's rule: what no connection may do to the audit log, and what only those of the schema
// driver may do at all. The index over vectors is the one table that is made anew while the program works, because its
// first vector decides the length; it guards nothing.
func refuses(code int, arg1, arg2 string, schema bool) bool {
	if code != codeTransaction {
		planned.Add(1)
	}
	switch code {
	case codeUpdate:
		return guarded[arg1]
	case codeDelete, codeDropTable:
		if guarded[arg1] || emptied[arg1] {
			return true
		}
	case codeAlterTable: // SQLite gives the database first here
		if guarded[arg2] || emptied[arg2] {
			return true
		}
	case codeDropTrig:
		if strings.HasPrefix(arg1, "audit_") {
			return true
		}
	case codePragma:
		return !schema && arg2 != "" && locked[strings.ToLower(arg1)]
	case codeAttach:
		return !schema
	}
	table, shaping := shapes[code]
	return shaping && !schema && !derived([2]string{arg1, arg2}[table-1])
}

// derived reports whether a table only repeats what others say: the vector index with its parts, and the planner's
// figures.
func derived(table string) bool {
	return table == "entry_vector" || strings.HasPrefix(table, "entry_vector_") ||
		strings.HasPrefix(table, "sqlite_stat")
}

func dsn(path string, pragmas url.Values) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + pragmas.Encode()
}

func checkEngine(ctx context.Context, w *sql.DB) error {
	var lite, vec string
	if err := w.QueryRowContext(ctx, "SELECT sqlite_version(), vec_version()").Scan(&lite, &vec); err != nil {
		return fmt.Errorf("db: ask the engine's version: %w", err)
	}
	if older(lite, minSQLite) {
		return fault.New(fault.Unavailable, "SQLite %s has known bugs that lose data; %s or newer is needed.", lite,
			minSQLite)
	}
	if !knownVec[vec] {
		return fault.New(fault.Unavailable, "sqlite-vec %s is not one this program was tested with.", vec)
	}
	return nil
}

// older compares dotted versions number by number.
func older(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range bs {
		if i >= len(as) {
			return true
		}
		x, _ := strconv.Atoi(as[i])
		y, _ := strconv.Atoi(bs[i])
		if x != y {
			return x < y
		}
	}
	return false
}
