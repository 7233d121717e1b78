package dbtest

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"preceptor/migrations"
)

// server is the address of a PostgreSQL server for tests, on which they make and drop databases; empty: on files. `make
// test-postgres` sets it.
var server = os.Getenv("PRECEPTOR_TEST_POSTGRES")

// OnServer reports whether tests run on a server.
func OnServer() bool { return server != "" }

// FilesOnly skips a test on a server. why says what of the test is about a file.
func FilesOnly(t testing.TB, why string) {
	t.Helper()
	if OnServer() {
		t.Skip("on PostgreSQL: " + why)
	}
}

var ofSQLite = regexp.MustCompile(`\browid\b|\bREPLACE INTO\b|\bINSERT OR\b|\bPRAGMA\b|\bgroup_concat\b`)

// Unread reports whether the server has no words for a statement that tries a file's guards.
func Unread(statement string) bool { return OnServer() && ofSQLite.MatchString(statement) }

var made atomic.Int64

// spare are databases that tests of this program are done with, clean again: to make one takes a hundred times longer.
var spare = make(chan string, 64)

// ofServer gives the address of an empty database.
func ofServer(t testing.TB) string {
	t.Helper()
	template, err := serverTemplate()
	if err != nil {
		t.Fatalf("make the schema: %v", err)
	}
	var name string
	select {
	case name = <-spare:
	default:
		name = makeOf(t, template)
	}
	t.Cleanup(func() {
		clean, err := askAt(addressOf(name), `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid(); SELECT seed.clean()`)
		if err == nil && clean == "t" {
			select {
			case spare <- name:
				return
			default:
			}
		}
		drop(t, name)
	})
	return addressOf(name)
}

// Empty gives the address of a database without a schema.
func Empty(t testing.TB) string {
	t.Helper()
	name := makeOf(t, "template0")
	t.Cleanup(func() { drop(t, name) })
	return addressOf(name)
}

func makeOf(t testing.TB, template string) string {
	t.Helper()
	name := fmt.Sprintf("t%d_%d", os.Getpid(), made.Add(1))
	if err := onServer("CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY FILE_COPY"); err != nil {
		t.Fatal(err)
	}
	return name
}

func drop(t testing.TB, name string) {
	t.Helper()
	if err := onServer("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
		t.Error(err)
	}
}

// dropLeft drops what programs left that have ended.
func dropLeft() error {
	names, err := ask("SELECT array_to_string(array(SELECT datname FROM pg_database WHERE datname ~ '^t[0-9]+_'), ' ')")
	for _, name := range strings.Fields(names) {
		pid, _, _ := strings.Cut(name[1:], "_")
		if _, gone := os.Stat("/proc/" + pid); gone != nil {
			err = errors.Join(err, onServer("DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"))
		}
	}
	return err
}

// seeds is what has a database made clean: the rows that its tables and sequences had at first. It refuses where a test
// made tables.
//
//go:embed seed.pgsql
var seeds string

// serverTemplate is the name of a migrated, empty database, which the first test program makes.
var serverTemplate = sync.OnceValues(func() (string, error) {
	schema, err := schemaHash()
	if err != nil {
		return "", err
	}
	name := "template_" + schema
	if err := dropLeft(); err != nil {
		return "", err
	}
	there, err := ask("SELECT datname FROM pg_database WHERE datname = '" + name + "'")
	if err != nil || there != "" {
		return name, err
	}
	// Test programs run side by side: each fills one of its own, and the first gives it the name that counts.
	part := fmt.Sprintf("%s_%d", name, os.Getpid())
	if err := onServer("CREATE DATABASE " + part); err != nil {
		return "", err
	}
	err = Make(addressOf(part))
	if err == nil {
		_, err = askAt(addressOf(part), seeds)
	}
	if err != nil {
		return "", errors.Join(err, onServer("DROP DATABASE "+part))
	}
	if onServer("ALTER DATABASE "+part+" RENAME TO "+name) != nil {
		return name, onServer("DROP DATABASE " + part)
	}
	return name, nil
})

// schemaHash names what an empty database is made of, so that one which is there already can be taken.
func schemaHash() (string, error) {
	h := sha256.New()
	h.Write([]byte(migrations.Postgres + seeds))
	files, err := fs.Glob(migrations.Files, "*.sql")
	for _, f := range files {
		b, rerr := migrations.Files.ReadFile(f)
		err = errors.Join(err, rerr)
		h.Write(b)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6]), err
}

// addressOf is the address of a database of the server.
func addressOf(name string) string { return strings.Replace(server, "/postgres?", "/"+name+"?", 1) }

func onServer(statement string) error {
	_, err := ask(statement)
	return err
}

// ask gives the first column of the first row.
func ask(query string) (string, error) { return askAt(server, query) }

// askAt asks a database; of several statements the last one answers.
func askAt(address, query string) (string, error) {
	ctx := context.Background()
	c, err := pgconn.Connect(ctx, address)
	if err != nil {
		return "", err
	}
	defer c.Close(ctx)
	results, err := c.Exec(ctx, query).ReadAll()
	if err != nil || len(results) == 0 || len(results[len(results)-1].Rows) == 0 {
		return "", err
	}
	return string(results[len(results)-1].Rows[0][0]), nil
}
