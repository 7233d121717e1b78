//go:build !sqlite_cgo

package db

import (
	"database/sql"
	"errors"
	"net/url"

	"modernc.org/sqlite"
	_ "modernc.org/sqlite/vec" // registers sqlite-vec with every connection
)

// driverName and schemaDriver are our own registrations, so that the hook below meets our connections and nobody
// else's.
const (
	driverName   = "preceptor"
	schemaDriver = "preceptor-schema" // may change the schema
)

func init() {
	for _, name := range []string{driverName, schemaDriver} {
		d := &sqlite.Driver{}
		d.RegisterConnectionHook(func(c sqlite.ExecQuerierContext, _ string) error {
			r, ok := c.(sqlite.AuthorizerRegisterer)
			if !ok {
				return errors.New("db: the driver has no authorizer")
			}
			return r.RegisterAuthorizer(func(code sqlite.AuthorizerActionCode, arg1, arg2, _,
				_ string) sqlite.AuthorizerReturnCode {
				if refuses(int(code), arg1, arg2, name == schemaDriver) {
					return sqlite.AuthorizerDeny
				}
				return sqlite.AuthorizerOK
			})
		})
		sql.Register(name, keeping{d})
	}
}

func common() url.Values {
	return url.Values{
		"_busy_timeout": {"5000"}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_foreign_keys": {"1"},
		"_defensive": {"1"}, "_dqs": {"0"}, "_error_rc": {"1"},
		"_pragma": {"secure_delete(ON)", "journal_size_limit(67108864)"},
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
	return dsn(path, url.Values{"mode": {"ro"}, "immutable": {"1"}, "_query_only": {"1"}, "_error_rc": {"1"}})
}

func engineCode(err error) (int, bool) {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code(), true
	}
	return 0, false
}
