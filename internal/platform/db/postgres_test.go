package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

// onServer skips a test that is about a PostgreSQL server where there is none.
func onServer(t *testing.T) {
	t.Helper()
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
}

// A database of a server has the tables and columns of a file, in types that hold the same.
func TestTheSchemasAgree(t *testing.T) {
	onServer(t)
	file := columns(t, dbtest.OfFile(t), `
		SELECT l.name || '.' || c.name || ' ' || lower(c.type) || ' ' || (c."notnull" OR c.pk > 0)
		FROM pragma_table_list l JOIN pragma_table_info(l.name) c
		WHERE l.type = 'table' AND l.schema = 'main' AND l.name NOT LIKE 'sqlite%' AND l.name NOT LIKE 'river%'
			AND l.name NOT LIKE 'goose%'`)
	server := columns(t, dbtest.New(t), `
		SELECT table_name || '.' || column_name || ' ' || CASE data_type WHEN 'bigint' THEN 'integer'
			WHEN 'double precision' THEN 'real' WHEN 'bytea' THEN 'blob' ELSE data_type END || ' ' ||
			CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END
		FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'river%'
			AND table_name NOT LIKE 'goose%' AND table_name NOT IN ('lane', 'server', 'server_lease', 'server_pace',
				'server_file', 'topic', 'entry_size', 'entry_word', 'case_word')`)
	if len(file) < 500 {
		t.Errorf("%d columns: next to none were compared", len(file))
	}
	for _, c := range file {
		if !slices.Contains(server, c) {
			t.Errorf("the server lacks %s", c)
		}
	}
	for _, c := range server {
		if !slices.Contains(file, c) {
			t.Errorf("the file lacks %s", c)
		}
	}
}

// Migrations that come later bring a database that is in use to where a new one is.
func TestALaterMigrationRunsOnAServer(t *testing.T) {
	onServer(t)
	for _, c := range []struct{ from, to int64 }{{121, 128}, {131, math.MaxInt64}} {
		var schema [2][]string
		for i, from := range []int64{c.from, c.to} {
			var err error
			if schema[i], err = db.SchemaAt(ctx, dbtest.Empty(t), from, c.to, `
				SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' ||
					coalesce(column_default, '') || coalesce(collation_name, '')
				FROM information_schema.columns WHERE table_schema = 'public'
				UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
				UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
				UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
				UNION ALL SELECT proname || prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
				UNION ALL SELECT 'at ' || max(version_id) FROM goose_db_version ORDER BY 1`); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(schema[1], schema[0]); diff != "" || len(schema[0]) < 900 {
			t.Errorf("from %d to %d, %d lines: %s", c.from, c.to, len(schema[0]), diff)
		}
	}
}

// A file's rows go to a server and back, each with all of its values, and numbers go on behind them.
func TestACopyHasEveryRow(t *testing.T) {
	onServer(t)
	file := dbtest.OfFile(t)
	if err := file.Write(ctx, func(tx *db.Tx) error {
		const n = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) `
		if err := errors.Join(db.Exec(tx, "x", n+`INSERT INTO agent (id, name, name_key, created_at, pack)
				SELECT 'a' || i, 'it''s\' || char(0, 10) || 'é' || i, 'a' || i, i - 5, 'pension' FROM n`),
			db.Exec(tx, "x", n+`INSERT INTO search_entry (kind, item_id, agent_id, task, title, body, active)
				SELECT 'case', i, '', '', '', '', 1 FROM n`),
			db.Exec(tx, "x", `INSERT INTO embedding (entry_id, model, dims, vector)
				SELECT id, 'm', 1, CAST(x'00ff' || id AS BLOB) FROM search_entry`)); err != nil {
			return err
		}
		return errors.Join(db.Exec(tx, "x", `INSERT INTO account (id, email, email_key, name, password_hash, theme,
				density, letter_keys, created_at, disabled_at, version)
			VALUES ('p', 'ann@example.org', 'ann@example.org', 'Ann', '', 'system', 'comfortable', 1, 1, 0, 1)`),
			db.Exec(tx, "x", `INSERT INTO approval (id, kind, subject, version, base, payload, reason, state, proposed_by,
				proposed_name, proposed_at) VALUES ('r', 'rubric', '', 1, 0, 'Be fair.', 'why', 'proposed', 'p', 'Ann', 1)`))
	}); err != nil {
		t.Fatal(err)
	}
	address, again := dbtest.Empty(t), filepath.Join(t.TempDir(), "again.db")
	first, err := file.CopyTo(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.CopyTo(ctx, address); !fault.Is(err, fault.Conflict) {
		t.Errorf("over a database that is in use: %v", err)
	}
	server, err := db.Open(ctx, address, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	second, err := server.CopyTo(ctx, again)
	if diff := cmp.Diff(first, second); err != nil || diff != "" || len(first) < 100 {
		t.Errorf("%d tables, %v, %s", len(first), err, diff)
	}
	if n, err := db.Write(ctx, server, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "x", `INSERT INTO search_entry (kind, item_id, agent_id, task, title, body, active)
			VALUES ('case', 'next', '', '', '', '', 1) RETURNING id`)
	}); err != nil || n != 1201 {
		t.Errorf("the next number is %d, %v", n, err)
	}
	back, err := db.Open(ctx, again, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	if got := columns(t, back, `SELECT name FROM agent WHERE id = 'a7'`); got[0] != "it's\\\x00\né7" {
		t.Errorf("%q", got)
	}
	if err := back.Write(ctx, func(tx *db.Tx) error { return db.Exec(tx, "x", `UPDATE approval SET payload = ''`) }); err == nil {
		t.Error("the copy's approvals are not guarded")
	}
}

func columns(t *testing.T, d *db.DB, query string) []string {
	t.Helper()
	list, err := db.Read(ctx, d, func(tx *db.Tx) ([]string, error) { return db.Column[string](tx, "columns", query) })
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Each trigger and each index that is somebody's stands on both.
func TestTheGuardsAgree(t *testing.T) {
	onServer(t)
	for file, server := range map[string]string{
		`SELECT name FROM sqlite_schema WHERE type = 'trigger'`: `SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`,
		`SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name NOT LIKE 'river%'`: `
			SELECT indexname FROM pg_indexes WHERE schemaname = 'public'`,
	} {
		have := columns(t, dbtest.New(t), server)
		want := columns(t, dbtest.OfFile(t), file)
		if len(want) < 30 {
			t.Errorf("%d of %s", len(want), file)
		}
		for _, name := range want {
			if !slices.Contains(have, name) {
				t.Errorf("the server lacks %s", name)
			}
		}
	}
}

// Two servers count on one row, read before they write, and number rows: nothing is lost and no number given twice.
func TestTwoServersLoseNothing(t *testing.T) {
	onServer(t)
	address := dbtest.At(t)
	const each = 40
	var wg sync.WaitGroup
	for s := range 2 {
		d, err := db.Open(ctx, address, db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if s == 0 {
			table(t, d, `CREATE TABLE x (n bigint PRIMARY KEY, sum bigint NOT NULL)`)
		}
		for range 4 {
			wg.Go(func() {
				for i := range each {
					if err := d.Write(ctx, func(tx *db.Tx) error {
						var n, sum int
						if err := db.One(tx, "read", `SELECT coalesce(max(n), 0), coalesce(max(sum), 0)
							FROM x`).Scan(&n, &sum); err != nil {
							return err
						}
						return db.Exec(tx, "write", `INSERT INTO x (n, sum) VALUES ($1, $2)`, n+1, sum+1)
					}); err != nil {
						t.Errorf("write %d: %v", i, err)
					}
				}
			})
		}
		defer func() {
			if got := fmt.Sprint(columns(t, d, `SELECT count(*) || ' ' || max(n) || ' ' || max(sum) FROM x`)); got !=
				fmt.Sprintf("[%d %d %d]", 2*4*each, 2*4*each, 2*4*each) {
				t.Errorf("rows, number and sum: %s", got)
			}
		}()
	}
	wg.Wait()
}

// A server hears what another one commits, and of its own commits at once.
func TestAServerHearsOfTheOthers(t *testing.T) {
	onServer(t)
	for _, poll := range []bool{false, true} {
		t.Run(fmt.Sprint("poll ", poll), func(t *testing.T) { hears(t, db.Options{Poll: poll}) })
	}
}

func hears(t *testing.T, o db.Options) {
	address := dbtest.At(t)
	var servers [2]*db.DB
	var heard [2]<-chan string
	for i := range servers {
		d, err := db.Open(ctx, address, o)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		servers[i] = d
		heard[i], _ = d.Subscribe()
	}
	touch := func(topics ...string) {
		t.Helper()
		if err := servers[0].Write(ctx, func(tx *db.Tx) error {
			for _, topic := range topics {
				tx.Touch(topic)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for listens := false; !listens; { // what is committed before it listens is not told
		touch("early")
		select {
		case <-heard[1]:
			listens = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	touch("reviews", "learning", "reviews")
	for i, c := range heard {
		got := map[string]int{}
		for topic := range c {
			if got[topic]++; topic == "reviews" {
				break
			}
		}
		for len(c) > 0 {
			got[<-c]++
		}
		if got["reviews"] != 1 || i == 1 && got["learning"] != 1 {
			t.Errorf("server %d heard %v", i, got)
		}
	}
	if servers[1].Touched("reviews").IsZero() {
		t.Error("the other server doesn't know when")
	}
}

// What a server keeps in memory is looked at again once another one changed it, before it is used; and only then.
func TestWhatIsKeptIsReadAgainOnceAnotherServerChangedIt(t *testing.T) {
	onServer(t)
	address := dbtest.At(t)
	var servers [2]*db.DB
	for i := range servers {
		d, err := db.Open(ctx, address, db.Options{Poll: i == 1})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		servers[i] = d
	}
	reads, failing := 0, error(nil)
	w := servers[1].NewWatch("checks", slog.New(slog.DiscardHandler), func(ctx context.Context) error {
		reads++
		return errors.Join(failing, servers[1].Read(ctx, func(*db.Tx) error { return nil }))
	})
	touch := func(topic string) {
		t.Helper()
		if err := servers[0].Write(ctx, func(tx *db.Tx) error { tx.Touch(topic); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	want := func(n int) {
		t.Helper()
		if w.Look(); reads != n {
			t.Errorf("read %d times, want %d", reads, n)
		}
	}
	want(0)
	touch("checks")
	want(1)
	want(1)
	touch("reviews")
	want(1)
	failing = errors.New("no")
	touch("checks")
	want(2)
	want(3) // until it succeeds
	failing = nil
	want(4)
	want(4)
	// Who looks may hold every connection that reads.
	var held []func()
	for range 4 {
		in, out := make(chan bool), make(chan bool)
		go servers[1].Read(ctx, func(*db.Tx) error { close(in); <-out; return nil })
		<-in
		held = append(held, func() { close(out) })
	}
	touch("checks")
	want(5)
	for _, free := range held {
		free()
	}
}

// What a write tells after its commit is told once, however often it ran; and not at all when it failed.
func TestHooksRunOnceAfterTheCommit(t *testing.T) {
	onServer(t)
	address := dbtest.At(t)
	d, err := db.Open(ctx, address, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	other, err := db.Open(ctx, address, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	table(t, d, `CREATE TABLE x (id bigint PRIMARY KEY, n bigint NOT NULL)`)
	if err := d.Write(ctx, func(tx *db.Tx) error { return db.Exec(tx, "make", `INSERT INTO x VALUES (1, 0)`) }); err != nil {
		t.Fatal(err)
	}
	runs, told := 0, 0
	if err := d.Write(ctx, func(tx *db.Tx) error {
		runs++
		tx.AfterCommit(func() { told++ })
		n, err := db.Value[int](tx, "read", `SELECT n FROM x`)
		if runs == 1 { // another server's job comes between
			_, jerr := other.Queue().Exec(`UPDATE x SET n = n + 1`)
			err = errors.Join(err, jerr)
		}
		return errors.Join(err, db.Exec(tx, "write", `UPDATE x SET n = $1`, n+10))
	}); err != nil {
		t.Fatal(err)
	}
	if got := columns(t, d, `SELECT CAST(n AS TEXT) FROM x`); runs != 2 || told != 1 || got[0] != "11" {
		t.Errorf("ran %d times, told %d times, n = %s", runs, told, got)
	}
	want := errors.New("no")
	if err := d.Write(ctx, func(tx *db.Tx) error {
		tx.AfterCommit(func() { told++ })
		return want
	}); !errors.Is(err, want) || told != 1 {
		t.Errorf("%v, told %d times", err, told)
	}
}

// Servers that start at once on an empty database both find a schema.
func TestServersStartAtOnce(t *testing.T) {
	onServer(t)
	address := dbtest.Empty(t)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			d, err := db.Open(ctx, address, db.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			d.Close()
		})
	}
	all.Wait()
}

// What breaks a connection breaks what is under way on it, which says so in words; the next read and write go through.
func TestALostConnectionIsMadeAnew(t *testing.T) {
	onServer(t)
	address := dbtest.At(t)
	var servers [2]*db.DB
	for i := range servers {
		d, err := db.Open(ctx, address, db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		servers[i] = d
	}
	d := servers[0]
	cut := func() error {
		var n int
		return servers[1].Writer().QueryRow(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&n)
	}
	add := func(tx *db.Tx) error {
		return db.Exec(tx, "add", `INSERT INTO topic (name, n) VALUES ($1, 1)`, fmt.Sprint(tx.Now.UnixNano()))
	}
	for range 2 {
		if err := errors.Join(d.Write(ctx, add), d.Read(ctx, func(*db.Tx) error { return nil }), cut()); err != nil {
			t.Fatal(err)
		}
	}
	sent := func(tx *db.Tx) error {
		_, err := db.Value[int](tx, "count", `SELECT count(*) FROM topic`)
		return err
	}
	for i, f := range []func(tx *db.Tx) error{
		func(tx *db.Tx) error { return errors.Join(cut(), add(tx)) },
		func(tx *db.Tx) error { return errors.Join(add(tx), cut()) }, // it isn't sent yet
		func(tx *db.Tx) error { return errors.Join(add(tx), sent(tx), cut()) },
	} {
		said := []string{"Nothing was saved", "Nothing was saved", "can't tell"}[i]
		err := d.Write(ctx, f)
		if !fault.Is(err, fault.Unavailable) || fault.RetryAfter(err) == 0 || !strings.Contains(fault.Message(err), said) {
			t.Errorf("%s: %v", said, err)
		}
	}
	if err := d.Write(ctx, add); err != nil {
		t.Error(err)
	}
}

func TestValuesComeBackAsTheyWent(t *testing.T) {
	d := dbtest.New(t)
	made := `CREATE TABLE x (id INTEGER, s TEXT, r REAL, b BLOB)`
	if dbtest.OnServer() {
		made = `CREATE TABLE x (id bigint, s text, r double precision, b bytea)`
	}
	table(t, d, made)
	for i, s := range []string{"", "plain", "a\x00b", "it's $1 and \\x", "日本語 🙂", strings.Repeat("x", 100_000)} {
		blob := []byte{0, 1, 255, byte(i)}
		if err := d.Write(ctx, func(tx *db.Tx) error {
			return db.Exec(tx, "put", `INSERT INTO x (id, s, r, b) VALUES ($1, $2, $3, $4)`, int64(1)<<40+int64(i), s, .1, blob)
		}); err != nil {
			t.Fatal(err)
		}
		var n int64
		var got string
		var r float64
		var b []byte
		var yes, no bool
		if err := d.Read(ctx, func(tx *db.Tx) error {
			return db.One(tx, "get", `SELECT id, s, r, b, s = $1, 1 = 2 FROM x WHERE id = $2`, s,
				int64(1)<<40+int64(i)).Scan(&n, &got, &r, &b, &yes, &no)
		}); err != nil || got != s || r != .1 || string(b) != string(blob) || !yes || no {
			t.Errorf("%.20q came back as %d %.20q %v %v %v %v: %v", s, n, got, r, b, yes, no, err)
		}
	}
}

func TestAnAddressThatIsNoneSaysNoPassword(t *testing.T) {
	for _, a := range []string{"postgres://u:secret@[::1", "postgres://u:secret@h:port/x",
		"postgres://u:secret@127.0.0.1:1/x?connect_timeout=1"} {
		_, err := db.Open(context.Background(), a, db.Options{})
		if err == nil || strings.Contains(fault.Message(err), "secret") {
			t.Errorf("%s: %v", a, err)
		}
	}
}

func TestOnlyTheSchemasConnectionShapesAServer(t *testing.T) {
	onServer(t)
	d := dbtest.New(t)
	for _, q := range []string{"DROP TRIGGER decision_update ON decision", "DROP TABLE decision", "TRUNCATE audit",
		"ALTER TABLE decision DISABLE TRIGGER ALL", "/* x */ DROP TABLE audit", "-- x\nDROP TABLE audit",
		"SET session_replication_role = replica", "DO $$ BEGIN DELETE FROM audit; END $$", "SELECT 1; DROP TABLE audit"} {
		if _, err := d.Writer().Exec(q); err == nil {
			t.Errorf("outside a transaction: %s", q)
		}
		if err := d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(q); return err }); err == nil {
			t.Errorf("in a transaction: %s", q)
		}
	}
	if err := d.Write(ctx, func(tx *db.Tx) error {
		return errors.Join(db.Exec(tx, "x", `INSERT INTO audit (seq, at, actor_kind, actor_id, action, object_kind,
			object_id, content_hash, prev_hash, hash) VALUES (1, 1, 's', '', 'x', 'y', 'z', '', '', '')`),
			db.Exec(tx, "x", `INSERT INTO audit_content (seq, salt, actor_name, content) VALUES (1, '', '', '')`))
	}); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"DELETE FROM audit_content", "TRUNCATE audit_content", "DELETE FROM audit"} {
		if err := d.Schema(ctx, func(ctx context.Context, w *sql.DB) error { _, err := w.ExecContext(ctx, q); return err }); err ==
			nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", q, err)
		}
	}
}

// What nobody reads the result of goes with the next statement, or with the commit; one that fails undoes the write and
// is named.
func TestStatementsThatWaitOnAServer(t *testing.T) {
	onServer(t)
	d := dbtest.New(t)
	put := func(tx *db.Tx, name string) error {
		return db.Exec(tx, "put "+name, `INSERT INTO server_lease (name, owner, until) VALUES ($1, 'o', now())`, name)
	}
	names := func() (list []string) {
		t.Helper()
		if err := d.Read(ctx, func(tx *db.Tx) (err error) {
			list, err = db.Column[string](tx, "list", `SELECT name FROM server_lease ORDER BY name`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return list
	}
	if err := d.Write(ctx, func(tx *db.Tx) error {
		for i := range 40 {
			if err := put(tx, fmt.Sprintf("n%02d", i)); err != nil {
				return err
			}
		}
		if n, err := db.Value[int](tx, "count", `SELECT count(*) FROM server_lease`); err != nil || n != 40 {
			t.Errorf("%d, %v", n, err)
		}
		return put(tx, "n40")
	}); err != nil || len(names()) != 41 {
		t.Errorf("%v, %v", names(), err)
	}
	for _, then := range []func(tx *db.Tx) error{
		func(*db.Tx) error { return nil },
		func(tx *db.Tx) error { return put(tx, "other") },
		func(tx *db.Tx) error {
			_, err := db.Value[int](tx, "count", `SELECT count(*) FROM server_lease`)
			return err
		},
	} {
		err := d.Write(ctx, func(tx *db.Tx) error {
			return errors.Join(put(tx, "more"), put(tx, "n07"), then(tx))
		})
		if !fault.Is(err, fault.Conflict) || !strings.Contains(fmt.Sprint(errors.Unwrap(err)), "put n07") {
			t.Errorf("%v", err)
		}
		if list := names(); len(list) != 41 {
			t.Errorf("%v", list)
		}
	}
	undo := errors.New("undo")
	if err := d.Write(ctx, func(tx *db.Tx) error { return errors.Join(put(tx, "more"), undo) }); !errors.Is(err, undo) {
		t.Error(err)
	}
	if err := d.Write(ctx, func(tx *db.Tx) error { return put(tx, "last") }); err != nil || len(names()) != 42 {
		t.Errorf("%v, %v", names(), err)
	}
}
