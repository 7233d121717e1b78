package db

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"preceptor/internal/platform/fault"
)

// IsServer reports whether a --db names a PostgreSQL server and no file.
func IsServer(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// openServer opens a database of a PostgreSQL server, and makes the schema in an empty one.
//
// A server of ours has one connection that writes, as with a file: what Go code relies on within one process stays
// true. Between servers a lock does the same (lane.go), and SERIALIZABLE where something goes on beside it.
func (d *DB) openServer(ctx context.Context, url string) error {
	if err := d.dial(ctx, url); err != nil {
		return err
	}
	return d.Schema(ctx, d.schemaOnServer)
}

func (d *DB) dial(ctx context.Context, url string) error {
	c, err := pgconn.ParseConfig(url)
	if err != nil { // its text has the password
		return fault.New(fault.Invalid, "--db is not a PostgreSQL address such as postgres://user@host:5432/preceptor.")
	}
	c.RuntimeParams["timezone"] = "UTC"
	d.server, d.hears.self = c, crand.Text()
	d.writer, d.reader = d.serverPool(1, connector{}), d.serverPool(readers, connector{})
	d.queue, d.beside = d.serverPool(readers, connector{untyped: true}), d.serverPool(readers, connector{})
	if err := d.writer.PingContext(ctx); err != nil {
		return fault.Wrap(fault.Unavailable, err, "PostgreSQL on %s doesn't answer, or refuses %s.", c.Host, c.User)
	}
	return nil
}

func (d *DB) serverPool(n int, c connector) *sql.DB {
	c.config, c.pooled = cmp.Or(c.config, d.server), d.poll
	pool := sql.OpenDB(c)
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(n)
	return pool
}

// wantEmpty refuses a server's database that is in use.
func wantEmpty(ctx context.Context, url string) error {
	c, err := pgconn.Connect(ctx, url)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "PostgreSQL doesn't answer.")
	}
	defer c.Close(context.WithoutCancel(ctx))
	r := c.ExecParams(ctx, `SELECT to_regclass('audit') IS NULL`, nil, nil, nil, nil).Read()
	if r.Err == nil && string(r.Rows[0][0]) != "t" {
		return fault.New(fault.Conflict, "This database has a desk already, so it is left alone. Make an empty one.")
	}
	return r.Err
}

// doctorOnServer looks at what a server promises. Its pages and its copies are PostgreSQL's own to check.
func (d *DB) doctorOnServer(ctx context.Context) ([]Check, error) {
	var version, commit, sync string
	if err := d.reader.QueryRowContext(ctx, `SELECT current_setting('server_version'),
		current_setting('synchronous_commit'), current_setting('fsync')`).Scan(&version, &commit, &sync); err != nil {
		return nil, Classify(fmt.Errorf("db: doctor: %w", err))
	}
	checks := []Check{{Name: "durability", OK: commit != "off" && sync == "on",
		Detail: fmt.Sprintf("PostgreSQL %s: synchronous_commit %s, fsync %s; wanted on and on.", version, commit,
			sync)}}
	if d.replica != nil {
		checks = append(checks, d.checkReplica(ctx))
	}
	return checks, nil
}

// serverCodes are PostgreSQL's codes that mean something to the domain, as SQLite's that mean the same.
var serverCodes = map[string]int{"23505": codeUnique, "40001": codeBusy, "40P01": codeBusy, "55P03": codeBusy,
	"53300": codeBusy, "53100": codeFull, "58030": codeIOErr,
	"XX001": codeCorrupt, "XX002": codeCorrupt}

func codeOf(err error) (int, bool) {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		code, ok := serverCodes[e.Code]
		return code, ok
	}
	return engineCode(err)
}

// reconnect is how long a caller waits before it asks again for a database that is away.
const reconnect = 3 * time.Second

// away gives what a server that can't be reached says its kind; nil for another error.
func away(err error) error {
	_, refused := errors.AsType[*pgconn.ConnectError](err)
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !refused && broke(err) == nil && !errors.Is(err, driver.ErrBadConn) && !(ok && leaving[e.Code]) {
		return nil
	}
	return reconnecting(err, "The database can't be reached. Nothing was saved. Try again in a few seconds.")
}

// leaving are the codes of a server that stops, starts, or only reads since another one has taken over.
var leaving = map[string]bool{"57P01": true, "57P02": true, "57P03": true, "25006": true}

// unsure is of a commit whose answer was lost.
func unsure(err error) error {
	return reconnecting(err, "The database can't be reached, so we can't tell whether this was saved. Look in a few "+
		"seconds, then try again.")
}

func reconnecting(err error, said string) error {
	f := fault.Wrap(fault.Unavailable, err, "%s", said)
	f.Title, f.RetryAfter = "Reconnecting…", reconnect
	return f
}

// tries bounds how often a write is begun that met something.
const tries = 12

// again reports whether a write that failed may succeed when it's done anew.
func again(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == "40001" || e.Code == "40P01") || stale(err)
}

// raced reports whether somebody else made what was to be made.
func raced(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == "42P07" || e.Code == "42710" || e.Code == "23505") || again(err)
}

// stale reports whether a prepared statement doesn't fit any more.
func stale(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == "0A000" || e.Code == "26000")
}

// writeServer runs f alone (lane.go); and again where it met what goes on beside writes, as River's own.
func (d *DB) writeServer(ctx context.Context, f func(tx *Tx) error) error {
	for n := 1; ; n++ {
		err := d.writeOnce(ctx, f, &sql.TxOptions{Isolation: sql.LevelSerializable})
		if !again(err) || n == tries {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("db: write again: %w", ctx.Err())
		case <-time.After(time.Duration(rand.IntN(n*2_000)) * time.Microsecond):
		}
	}
}
