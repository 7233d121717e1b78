package dbtest

import (
	"context"
	"crypto/sha256"
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

// ofServer makes an empty database and gives its address; it's dropped when the test ends.
func ofServer(t testing.TB) string {
	t.Helper()
	template, err := serverTemplate()
	if err != nil {
		t.Fatalf("make the schema: %v", err)
	}
	name := fmt.Sprintf("t%d_%d", os.Getpid(), made.Add(1))
	if err := onServer("CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY FILE_COPY"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := onServer("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return addressOf(name)
}

// serverTemplate is the name of a migrated, empty database, which the first test program makes.
var serverTemplate = sync.OnceValues(func() (string, error) {
	h := sha256.New()
	h.Write([]byte(migrations.Postgres))
	files, err := fs.Glob(migrations.Files, "*.sql")
	for _, f := range files {
		b, rerr := migrations.Files.ReadFile(f)
		err = errors.Join(err, rerr)
		h.Write(b)
	}
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("template_%x", h.Sum(nil)[:6])
	there, err := ask("SELECT datname FROM pg_database WHERE datname = '" + name + "'")
	if err != nil || there != "" {
		return name, err
	}
	// Test programs run side by side: each fills one of its own, and the first gives it the name that counts.
	part := fmt.Sprintf("%s_%d", name, os.Getpid())
	if err := onServer("CREATE DATABASE " + part); err != nil {
		return "", err
	}
	if err := Make(addressOf(part)); err != nil {
		return "", errors.Join(err, onServer("DROP DATABASE "+part))
	}
	if onServer("ALTER DATABASE "+part+" RENAME TO "+name) != nil {
		return name, onServer("DROP DATABASE " + part)
	}
	return name, nil
})

// addressOf is the address of a database of the server.
func addressOf(name string) string { return strings.Replace(server, "/postgres?", "/"+name+"?", 1) }

func onServer(statement string) error {
	_, err := ask(statement)
	return err
}

// ask gives the first column of the first row.
func ask(query string) (string, error) {
	ctx := context.Background()
	c, err := pgconn.Connect(ctx, server)
	if err != nil {
		return "", err
	}
	defer c.Close(ctx)
	results, err := c.Exec(ctx, query).ReadAll()
	if err != nil || len(results) == 0 || len(results[0].Rows) == 0 {
		return "", err
	}
	return string(results[0].Rows[0][0]), nil
}
