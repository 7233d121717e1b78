//go:build sqlite_cgo && (sqlite_fts5 || fts5)

// The second engine: upstream's C SQLite (mattn/go-sqlite3) with upstream's sqlite-vec, under the same rules as the
// default one. It keeps the file honest: what the default build wrote must be readable by the original. It needs both
// tags, sqlite_cgo and sqlite_fts5, and the header that sqlite-vec includes; `make cgo` and `make cgo-test` see to
// that.

package db

/*
// Declared here, so that no system header is needed. mattn/go-sqlite3 links the library.
typedef struct sqlite3 sqlite3;
int sqlite3_auto_extension(void (*entry)(void));
int sqlite3_db_config(sqlite3 *db, int op, ...);

enum { config_defensive = 1010, config_dqs_dml = 1013, config_dqs_ddl = 1014 };

// harden runs for every new connection: mattn/go-sqlite3 has no setting for these.
static int harden(sqlite3 *db, char **err, const void *api) {
	int rc = sqlite3_db_config(db, config_defensive, 1, (int*)0);
	if (rc == 0) rc = sqlite3_db_config(db, config_dqs_dml, 0, (int*)0);
	if (rc == 0) rc = sqlite3_db_config(db, config_dqs_ddl, 0, (int*)0);
	return rc;
}

static int harden_all(void) { return sqlite3_auto_extension((void (*)(void))harden); }
*/
import "C"

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	vec "github.com/asg017/sqlite-vec-go-bindings/cgo"
	"github.com/mattn/go-sqlite3"
)

// driverName and schemaDriver are our own registrations, so that the hook below meets our connections and nobody
// else's.
const (
	driverName   = "preceptor"
	schemaDriver = "preceptor-schema" // may change the schema
)

func init() {
	vec.Auto()
	if rc := C.harden_all(); rc != 0 {
		panic(fmt.Sprintf("db: sqlite3_auto_extension: %d", rc))
	}
	for _, name := range []string{driverName, schemaDriver} {
		sql.Register(name, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
			c.RegisterAuthorizer(func(code int, arg1, arg2, _ string) int {
				if refuses(code, arg1, arg2, name == schemaDriver) {
					return sqlite3.SQLITE_DENY
				}
				return sqlite3.SQLITE_OK
			})
			_, err := c.Exec("PRAGMA journal_size_limit = 67108864", nil)
			return err
		}})
	}
}

func common() url.Values {
	return url.Values{
		"_busy_timeout": {"5000"}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_foreign_keys": {"1"},
		"_secure_delete": {"true"}, "_stmt_cache_size": {strconv.Itoa(mostPrepared)},
	}
}

func writerDSN(path string) string {
	v := common()
	v.Set("_txlock", "immediate")
	return dsn(path, v)
}

func readerDSN(path string) string {
	v := common()
	v.Set("_query_only", "1")
	return dsn(path, v)
}

// frozenDSN opens a finished copy: nothing may be written, not even a log beside it.
func frozenDSN(path string) string {
	return dsn(path, url.Values{"mode": {"ro"}, "immutable": {"1"}, "_query_only": {"1"}})
}

func engineCode(err error) (int, bool) {
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		return int(e.ExtendedCode), true
	}
	return 0, false
}
