package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// connector is the driver for PostgreSQL: pgconn speaks the protocol, and values are read and written as SQLite's
// drivers do. (pgx's own types would make the program larger by two megabytes.) What comes again is kept prepared, but
// where a pooler may stand between: to read and plan it took half of a decision's time.
type connector struct {
	config *pgconn.Config
	schema bool // may change the schema
	lite   bool // its statements are SQLite's
	pooled bool // a pooler may give each transaction another server's connection: nothing is kept prepared
	// Every argument takes the type that the statement gives it, also a number.
	untyped bool
}

func (c connector) Driver() driver.Driver { return nil }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := pgconn.ConnectConfig(ctx, c.config)
	if err != nil {
		return nil, err
	}
	return &serverConn{PgConn: conn, of: c, kept: map[string][]*kept{}}, nil
}

type serverConn struct {
	*pgconn.PgConn
	of    connector
	kept  map[string][]*kept // by their text
	named int                // how many of them are prepared

	waiting []call // to be sent with the next one
}

// kept is a statement that the connection has met, with arguments of some types. name is "" until it's prepared, which
// it is when it comes again.
type kept struct {
	text, name string
	types      []uint32
}

// errUnused is of what database/sql can do without.
var errUnused = errors.New("db: not used with a server")

func (c *serverConn) Prepare(string) (driver.Stmt, error) { return nil, errUnused }
func (c *serverConn) Begin() (driver.Tx, error)           { return nil, errUnused }
func (c *serverConn) Close() error                        { return c.PgConn.Close(context.Background()) }
func (c *serverConn) IsValid() bool                       { return !c.IsClosed() }

func (c *serverConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	begin := "BEGIN"
	switch sql.IsolationLevel(o.Isolation) {
	case sql.LevelSerializable:
		begin += " ISOLATION LEVEL SERIALIZABLE; " + alone
	case sql.LevelRepeatableRead:
		begin += " ISOLATION LEVEL REPEATABLE READ"
	}
	if o.ReadOnly {
		begin += " READ ONLY"
	}
	_, err := c.simple(ctx, begin)
	if broke(err) != nil { // it has done nothing yet, so another connection may begin
		err = driver.ErrBadConn
	}
	if err != nil { // half begun
		_ = c.Close()
	}
	return serverTx{ctx, c}, err
}

// simple runs statements without arguments.
func (c *serverConn) simple(ctx context.Context, text string) (tag pgconn.CommandTag, err error) {
	results, err := c.PgConn.Exec(ctx, unhinted(text)).ReadAll()
	if len(results) > 0 {
		tag = results[len(results)-1].CommandTag
	}
	return tag, c.said(err)
}

// said is a statement's error: database/sql tries on another connection what did not reach the server, and a connection
// that broke is a lost one.
func (c *serverConn) said(err error) error {
	switch {
	case err == nil || !c.IsClosed() || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
	case pgconn.SafeToRetry(err):
		return driver.ErrBadConn
	default:
		return &lost{err}
	}
	return err
}

// lost is what a statement gets whose connection broke.
type lost struct{ error }

func (l *lost) Unwrap() error { return l.error }

// broke is the connection that an error is about; nil when it's about something else.
func broke(err error) *lost {
	l, _ := errors.AsType[*lost](err)
	return l
}

type serverTx struct {
	ctx context.Context
	c   *serverConn
}

func (tx serverTx) Commit() error {
	if len(tx.c.waiting) > 0 {
		if _, err := tx.c.send(tx.ctx); err != nil {
			if !tx.c.IsClosed() {
				err = errors.Join(err, tx.Rollback())
			}
			return err
		}
	}
	tag, err := tx.c.simple(tx.ctx, "COMMIT")
	if err == nil && tag.String() != "COMMIT" {
		err = errors.New("db: a statement failed, so the transaction was rolled back")
	}
	if broke(err) != nil {
		err = unsure(err)
	}
	return err
}

func (tx serverTx) Rollback() error {
	tx.c.waiting = nil
	_, err := tx.c.simple(context.WithoutCancel(tx.ctx), "ROLLBACK")
	return err
}

// plain is how statements begin that neither change the schema nor switch a guard off, behind remarks.
var plain = regexp.MustCompile(`(?is)^(?:\s|--[^\n]*\n|/\*.*?\*/)*(?:SELECT|INSERT|UPDATE|DELETE|WITH|LOCK|SAVEPOINT|` +
	`RELEASE|ROLLBACK|EXPLAIN)\b`)

// What is said to SQLite's planner alone: a plus before a column keeps it from an index, a CROSS JOIN with a condition
// keeps the order of tables.
var (
	hint    = regexp.MustCompile(`([\s(])\+([a-z])`)
	ordered = regexp.MustCompile(`\bCROSS JOIN (\w+(?: \w+)?) ON\b`)
)

func unhinted(query string) string {
	return ordered.ReplaceAllString(hint.ReplaceAllString(query, "$1$2"), "JOIN $1 ON")
}

// errDenied is what a statement gets that a connection may not run. There is one statement in a text with arguments or
// on a connection that is not the schema's.
var errDenied = errors.New("db: not authorized: only the schema's connection changes the schema")

func (c *serverConn) run(ctx context.Context, query string, args []driver.NamedValue) (*pgconn.Result, error) {
	if c.IsClosed() {
		return nil, driver.ErrBadConn
	}
	values, types := make([][]byte, len(args)), make([]uint32, len(args))
	for i, a := range args {
		if values[i], types[i] = written(a.Value); c.of.untyped {
			types[i] = 0
		}
	}
	k, err := c.keep(ctx, query, types)
	if err != nil {
		return nil, c.said(err)
	}
	doing, waits := ctx.Value(unread{}).(string)
	c.waiting = append(c.waiting, call{doing, k.name, k.text, values, types})
	if waits && !c.of.pooled && len(c.waiting) < mostWaiting {
		return &pgconn.Result{}, nil
	}
	return c.send(ctx)
}

// keep is what the connection keeps of a statement.
func (c *serverConn) keep(ctx context.Context, query string, types []uint32) (*kept, error) {
	at := slices.IndexFunc(c.kept[query], func(k *kept) bool { return slices.Equal(k.types, types) })
	if at < 0 {
		if !c.of.schema && !plain.MatchString(query) {
			return nil, errDenied
		}
		if len(c.kept) >= mostMet {
			maps.DeleteFunc(c.kept, func(_ string, list []*kept) bool {
				return !slices.ContainsFunc(list, func(k *kept) bool { return k.name != "" })
			})
		}
		k := &kept{text: unhinted(query), types: types}
		c.kept[query] = append(c.kept[query], k)
		return k, nil
	}
	k := c.kept[query][at]
	if k.name == "" && !c.of.schema && !c.of.pooled && c.named < mostPrepared {
		name := "s" + strconv.Itoa(c.named)
		if _, err := c.PgConn.Prepare(ctx, name, k.text, types); err != nil {
			return nil, err
		}
		k.name = name
		c.named++
	}
	return k, nil
}

// CheckNamedValue makes an argument one of database/sql's own kinds.
func (c *serverConn) CheckNamedValue(v *driver.NamedValue) (err error) {
	v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value)
	return err
}

func (c *serverConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.of.lite {
		query = translate(query)
	}
	if c.of.schema && len(args) == 0 {
		_, err := c.simple(ctx, query)
		return driver.RowsAffected(0), err
	}
	r, err := c.run(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return driver.RowsAffected(r.CommandTag.RowsAffected()), nil
}

// QueryContext reads the whole answer, so that the connection is free for what is asked while its rows are walked.
func (c *serverConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	r, err := c.run(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return &answer{r}, nil
}

// The numbers of PostgreSQL's types that are not read as texts.
const (
	typeBool, typeBytes, typeInt8, typeInt2, typeInt4 = 16, 17, 20, 21, 23
	typeFloat4, typeFloat8, typeTime, typeNumeric     = 700, 701, 1184, 1700
	typeJSON, typeJSONB                               = 114, 3802
)

// noNul stands in texts for the character 0, which PostgreSQL keeps in none; it is a code that Unicode gives no
// character.
const noNul = "\U0010FFFE"

// written is a value as an argument. Texts and truths take the type of what they meet: a truth is 0 or 1 there.
func written(v driver.Value) (text []byte, kind uint32) {
	switch v := v.(type) {
	case int64:
		return strconv.AppendInt(nil, v, 10), typeInt8
	case float64:
		return strconv.AppendFloat(nil, v, 'g', -1, 64), typeFloat8
	case bool:
		if v {
			return []byte("1"), 0
		}
		return []byte("0"), 0
	case []byte:
		if v == nil {
			return nil, typeBytes
		}
		return []byte(`\x` + hex.EncodeToString(v)), typeBytes
	case time.Time:
		return []byte(v.UTC().Format(time.RFC3339Nano)), typeTime
	case string:
		return []byte(strings.ReplaceAll(v, "\x00", noNul)), 0
	}
	return nil, 0
}

// answer is the rows of a query, all of them.
type answer struct{ *pgconn.Result }

func (a *answer) Columns() []string {
	names := make([]string, len(a.FieldDescriptions))
	for i, f := range a.FieldDescriptions {
		names[i] = f.Name
	}
	return names
}

func (a *answer) Close() error { return nil }

func (a *answer) Next(into []driver.Value) error {
	if len(a.Rows) == 0 {
		return io.EOF
	}
	for i, text := range a.Rows[0] {
		var err error
		if into[i], err = read(text, a.FieldDescriptions[i].DataTypeOID); err != nil {
			return fmt.Errorf("db: read column %s: %w", a.FieldDescriptions[i].Name, err)
		}
	}
	a.Rows = a.Rows[1:]
	return nil
}

// read is the value that a column says.
func read(text []byte, kind uint32) (driver.Value, error) {
	if text == nil {
		return nil, nil
	}
	s := string(text)
	switch kind {
	case typeBool:
		if s == "t" {
			return int64(1), nil
		}
		return int64(0), nil
	case typeInt2, typeInt4, typeInt8:
		return strconv.ParseInt(s, 10, 64)
	case typeNumeric: // of sums and means
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n, nil
		}
		return strconv.ParseFloat(s, 64)
	case typeFloat4, typeFloat8:
		return strconv.ParseFloat(s, 64)
	case typeBytes:
		return hex.DecodeString(strings.TrimPrefix(s, `\x`))
	case typeTime:
		return time.Parse("2006-01-02 15:04:05.999999999-07", s)
	case typeJSON, typeJSONB:
		return text, nil
	}
	return strings.ReplaceAll(s, noNul, "\x00"), nil
}
