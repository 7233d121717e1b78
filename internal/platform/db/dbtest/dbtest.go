// Package dbtest opens real databases for tests: migrated, empty, in the test's own folder, with a clock that the test
// moves.
//
// The schema is made once per test program and copied. In the sqlite_cgo build the file that is copied comes from the
// default build, so that every test there runs on a file that the other engine wrote; see template_cgo.go.
package dbtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
)

// Start is the time at which every test's clock stands first.
var Start = time.Date(2026, time.November, 2, 9, 0, 0, 0, time.UTC)

// Clock is a clock that stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock stands at Start.
func NewClock() *Clock { return &Clock{now: Start} }

// Now is the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on by d.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// New opens an empty database whose clock stands at Start.
func New(t testing.TB) *db.DB {
	t.Helper()
	return NewAt(t, NewClock())
}

// NewAt opens an empty database on the given clock.
func NewAt(t testing.TB, c *Clock) *db.DB {
	t.Helper()
	path := At(t)
	d, err := db.Open(context.Background(), path, db.Options{Clock: c.Now, Holder: t.Name()})
	if err != nil {
		t.Fatalf("open a test database: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close the test database: %v", err)
		}
	})
	return d
}

// At is what --db names for an empty database that is the test's own.
func At(t testing.TB) string {
	t.Helper()
	if OnServer() {
		return ofServer(t)
	}
	path := filepath.Join(t.TempDir(), "test.db")
	Lay(t, path)
	return path
}

// OfFile opens an empty database of a file, whatever engine the tests run on.
func OfFile(t testing.TB) *db.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.db")
	Lay(t, path)
	d, err := db.Open(context.Background(), path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// Lay writes a copy of the migrated, empty database to the new file path, which is quicker than making one.
func Lay(t testing.TB, path string) {
	t.Helper()
	empty, err := template()
	if err != nil {
		t.Fatalf("make the schema: %v", err)
	}
	if err := os.WriteFile(path, empty, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Make writes a migrated, empty database to the new file path.
func Make(path string) error {
	ctx := context.Background()
	d, err := db.Open(ctx, path, db.Options{Holder: "dbtest"})
	if err != nil {
		return err
	}
	return errors.Join(job.Migrate(ctx, d), d.Close())
}
