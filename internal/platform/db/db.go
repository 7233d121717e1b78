// Package db opens the one SQLite file and is the only way to it; or a database of a PostgreSQL server (postgres.go),
// behind the same Read and Write.
//
// What it promises. A commit that Write reported is on the disk (WAL with synchronous=FULL: a simulated power cut lost
// 26 to 57 acknowledged commits with NORMAL and none with FULL). Exactly one process holds the file (flock on a lock
// file beside it). There is one writer connection, whose transactions are immediate: Go's pool queues writers fairly,
// where SQLite's busy handler fails upgrades at once and starves the rest; and a few query-only readers.
// Every pooled connection has the same pragmas, from its DSN, and the same authorizer, which refuses to change or drop
// the audit log, and to change the schema: tables and the triggers that guard them are made at start, by connections
// that do nothing else (Schema). Deleted text is overwritten (secure_delete), because erasure must reach the file.
//
// A transaction carries its own time (Tx.Now): rows written together agree, and tests set the clock.
//
// What it decided against: an ORM or a storage layer (SQL lives with the domain that owns the table), mmap (it turned a
// WAL race into corruption elsewhere), _time_integer_format (it breaks River's rows), and passing a request's context
// to a commit (a closed tab must not abort a decision).
package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"preceptor/internal/platform/fault"
)

// writeTimeout bounds a write transaction, which does not follow the caller's cancellation.
const writeTimeout = 30 * time.Second

// readers is how many query-only connections there are: enough for two cores at 2 MB of cache each.
const readers = 4

// Clock tells the time; tests pass their own.
type Clock func() time.Time

// DB is the open file.
type DB struct {
	path    string         // of the file; empty on a server
	server  *pgconn.Config // of a PostgreSQL server; nil: a file
	writer  *sql.DB
	reader  *sql.DB
	queue   *sql.DB // of a server
	beside  *sql.DB // of a server
	replica *replica
	lock    *os.File
	clock   Clock
	changes changes
	hears   hearing // of a server
	leases  leases  // of a server
	poll    bool    // Options.Poll
	closed  sync.Once
	room    lastRoom

	statements  atomic.Int64
	met         sync.Map // Met
	texts       atomic.Int64
	holds, held atomic.Int64 // Held
}

// Options of Open; the zero value is what serve uses.
type Options struct {
	Clock  Clock  // time.Now when nil
	Poll   bool   // a server is asked each second what others changed, and tells nobody
	Holder string // who holds the lock, for the text of a second process's refusal, as "serve on 127.0.0.1:8080"

	Replica    string        // the address of a server's replica, for ReadBehind and ReadWhole
	MostBehind time.Duration // how late ReadBehind reads it; a minute when 0
}

// Open opens or creates the file at path, takes its lock, checks the engine's version and brings the schema up to date.
// A second process gets a Conflict that names the first.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if IsServer(path) {
		d := &DB{clock: o.Clock, poll: o.Poll}
		err := d.openReplica(o)
		if err == nil {
			err = d.openServer(ctx, path)
		}
		if err != nil {
			d.Close()
			return nil, err
		}
		return d, nil
	}
	if o.Replica != "" {
		return nil, fault.New(fault.Invalid, "A file has no replica: leave --db-read out, or give the address of a "+
			"PostgreSQL database as --db.")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "%q is not a usable file name.", path)
	}
	if st, err := os.Stat(abs); err == nil && st.IsDir() {
		return nil, fault.New(fault.Invalid, "%s is a folder; --db needs a file in it, such as %s.", path,
			filepath.Join(path, "preceptor.db"))
	}
	if _, err := os.Stat(filepath.Dir(abs)); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "The folder %s does not exist; make it first.", filepath.Dir(abs))
	}
	lock, err := acquire(abs, o.Holder)
	if err != nil {
		return nil, err
	}
	d := &DB{path: abs, lock: lock, clock: o.Clock}
	if err := d.connect(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (d *DB) connect(ctx context.Context) error {
	var err error
	if d.writer, err = sql.Open(driverName, writerDSN(d.path)); err != nil {
		return fmt.Errorf("db: open writer: %w", err)
	}
	d.writer.SetMaxOpenConns(1)
	d.writer.SetMaxIdleConns(1)
	if err := d.writer.PingContext(ctx); err != nil {
		if _, ok := errors.AsType[*fault.Error](err); ok {
			return err
		}
		return fault.Wrap(fault.Unavailable, err,
			"%s can't be opened as a database. If it is a Preceptor file, restore it from a backup; otherwise give "+
				"--db another name.", d.path)
	}
	if err := os.Chmod(d.path, 0o600); err != nil {
		return fmt.Errorf("db: restrict %s to its owner: %w", d.path, err)
	}
	if err := checkEngine(ctx, d.writer); err != nil {
		return err
	}
	if !current(ctx, d.writer) {
		if err := d.Schema(ctx, migrate); err != nil {
			return err
		}
	}
	if d.reader, err = sql.Open(driverName, readerDSN(d.path)); err != nil {
		return fmt.Errorf("db: open readers: %w", err)
	}
	d.reader.SetMaxOpenConns(readers)
	d.reader.SetMaxIdleConns(readers)
	return d.reader.PingContext(ctx)
}

// Schema runs f with a connection that may change the schema, which is closed afterwards. For migrations at start,
// before anything else writes. Where another server makes the same at the same time, f runs again.
func (d *DB) Schema(ctx context.Context, f func(ctx context.Context, w *sql.DB) error) error {
	w, err := d.schemaPool()
	if err != nil {
		return err
	}
	err = f(ctx, w)
	for n := 1; n < tries && raced(err); n++ {
		time.Sleep(time.Duration(n) * 50 * time.Millisecond)
		err = f(ctx, w)
	}
	if closing := w.Close(); err == nil {
		err = closing
	}
	return err
}

func (d *DB) schemaPool() (*sql.DB, error) {
	if d.OnServer() {
		return d.serverPool(1, connector{schema: true}), nil
	}
	w, err := sql.Open(schemaDriver, writerDSN(d.path))
	if err != nil {
		return nil, fmt.Errorf("db: open for the schema: %w", err)
	}
	w.SetMaxOpenConns(1)
	w.SetMaxIdleConns(1)
	return w, nil
}

// Close closes the file and gives up its lock.
func (d *DB) Close() error {
	var errs []error
	d.closed.Do(func() {
		d.deafen()
		d.leases.end()
		if d.reader != nil {
			errs = append(errs, d.reader.Close())
		}
		if d.queue != nil {
			errs = append(errs, d.queue.Close(), d.beside.Close())
		}
		if d.replica != nil {
			errs = append(errs, d.replica.Close())
		}
		if d.writer != nil {
			errs = append(errs, d.writer.Close())
		}
		d.changes.close()
		errs = append(errs, release(d.lock))
	})
	return errors.Join(errs...)
}

// OnServer reports whether the database is a PostgreSQL server's, for what has an engine's own driver.
func (d *DB) OnServer() bool { return d.server != nil }

// Path is the absolute name of the file; empty on a server.
func (d *DB) Path() string { return d.path }

// Writer is the writer pool, for River alone, which brings its own transactions.
func (d *DB) Writer() *sql.DB { return d.writer }

// Queue is the pool for River: the writer, and on a server connections of its own, which leave the types of arguments
// to its statements.
func (d *DB) Queue() *sql.DB { return cmp.Or(d.queue, d.writer) }

// Reader is the query-only pool, for checks that want no transaction.
func (d *DB) Reader() *sql.DB { return d.reader }

// Now is the clock's time, UTC, cut to the millisecond that is stored.
func (d *DB) Now() time.Time { return d.clock().UTC().Truncate(time.Millisecond) }

// Tx is a transaction with its own time.
type Tx struct {
	*sql.Tx
	// Now is the time of everything this transaction writes, UTC to the millisecond.
	Now    time.Time
	d      *DB
	after  []func()
	topics []string
}

// OnServer reports whether the transaction is a PostgreSQL server's.
func (tx *Tx) OnServer() bool { return tx.d != nil && tx.d.OnServer() }

// MayCopy is the database's.
func (tx *Tx) MayCopy() error { return tx.d.MayCopy() }

// NowMs is Now in milliseconds since 1970, the form in which times are stored.
func (tx *Tx) NowMs() int64 { return tx.Now.UnixMilli() }

// AfterCommit has f called once the transaction is on the disk; never if it rolls back.
func (tx *Tx) AfterCommit(f func()) { tx.after = append(tx.after, f) }

// Touch tells subscribers, after the commit, that something under topic changed ("reviews", "learning", ...).
func (tx *Tx) Touch(topic string) { tx.topics = append(tx.topics, topic) }

// Read runs f in a read transaction: one consistent view, no writes.
func (d *DB) Read(ctx context.Context, f func(tx *Tx) error) error {
	var o *sql.TxOptions
	pool := d.reader
	if d.OnServer() {
		o = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
		if ctx.Value(beside{}) != nil {
			pool = d.beside
		}
	}
	stx, err := pool.BeginTx(ctx, o)
	if err != nil {
		return Classify(fmt.Errorf("db: begin read: %w", err))
	}
	defer stx.Rollback()
	return Classify(f(&Tx{Tx: stx, Now: d.Now(), d: d}))
}

// Write runs f in the one write transaction. It commits if f returns nil and otherwise rolls back; on a server f may
// run more than once, so that it changes nothing but the database and variables that it sets anew. Once begun it does
// not follow ctx's cancellation, so a closed browser tab can't leave a decision half made; it has its own time limit.
// No network, model or slow client may be waited for inside f.
func (d *DB) Write(ctx context.Context, f func(tx *Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	if d.OnServer() {
		return Classify(d.writeServer(ctx, f))
	}
	return Classify(d.writeOnce(ctx, f, nil))
}

func (d *DB) writeOnce(ctx context.Context, f func(tx *Tx) error, o *sql.TxOptions) error {
	stx, err := d.writer.BeginTx(ctx, o)
	if err != nil {
		return fmt.Errorf("db: begin write: %w", err)
	}
	began := time.Now()
	defer stx.Rollback()
	tx := &Tx{Tx: stx, Now: d.Now(), d: d}
	if err := f(tx); err != nil {
		return err
	}
	if err := tx.tell(); err != nil {
		return err
	}
	if err := stx.Commit(); err != nil {
		return fmt.Errorf("db: commit: %w", err)
	}
	d.holds.Add(1)
	d.held.Add(int64(time.Since(began)))
	for _, g := range tx.after {
		g()
	}
	d.changes.publish(tx.topics, d.Now())
	return nil
}
