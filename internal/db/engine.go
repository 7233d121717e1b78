package db

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"preceptor/internal/fault"
)

// minSQLite is the first version without the WAL-reset bug (fixed in 3.51.3) and the journal-rollback bug (3.53.4).
const minSQLite = "3.53.4"

// knownVec lists the sqlite-vec versions whose tables this program has been tested on: 0.1.9 in the default build,
// 0.1.6 in the cgo build. It is not a 1.0 and breaks between versions, so an unknown one is refused.
var knownVec = map[string]bool{"v0.1.9": true, "v0.1.6": true}

// guarded are the tables of which no row may ever be changed or removed through this program; of emptied ones a row may
// be changed, when the law wants its content gone or a policy is agreed on, and never removed.
var (
	guarded = map[string]bool{"audit": true}
	emptied = map[string]bool{"audit_content": true, "policy": true}
)

// forbids is the authorizer's rule, in the engine's own action words, shared by both drivers.
func forbids(op operation, table string) bool {
	if op == opDropTrigger {
		return strings.HasPrefix(table, "audit_") || strings.HasPrefix(table, "policy_")
	}
	return guarded[table] || emptied[table] && op != opUpdate
}

type operation int

const (
	opOther operation = iota
	opUpdate
	opDelete
	opDropTable
	opAlterTable
	opDropTrigger
)

func dsn(path string, pragmas url.Values) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + pragmas.Encode()
}

func checkEngine(ctx context.Context, w *sql.DB) error {
	var lite, vec string
	if err := w.QueryRowContext(ctx, "SELECT sqlite_version(), vec_version()").Scan(&lite, &vec); err != nil {
		return fmt.Errorf("db: ask the engine's version: %w", err)
	}
	if older(lite, minSQLite) {
		return fault.New(fault.Unavailable, "SQLite %s has known faults that lose data; %s or newer is needed.", lite, minSQLite)
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
