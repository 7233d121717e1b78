package db_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

var ctx = context.Background()

func TestEveryConnectionHasThePragmas(t *testing.T) {
	d := dbtest.New(t)
	want := map[string]string{"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1", "secure_delete": "1",
		"busy_timeout": "5000"}
	for range 4 {
		c, err := d.Reader().Conn(ctx) // held, so that the pool opens the next
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for name, value := range want {
			var got string
			if err := c.QueryRowContext(ctx, "PRAGMA "+name).Scan(&got); err != nil || got != value {
				t.Errorf("reader: PRAGMA %s = %q (%v), want %q", name, got, err, value)
			}
		}
	}
	for name, value := range want {
		var got string
		if err := d.Writer().QueryRowContext(ctx, "PRAGMA "+name).Scan(&got); err != nil || got != value {
			t.Errorf("writer: PRAGMA %s = %q (%v), want %q", name, got, err, value)
		}
	}
}

func TestReadersCannotWrite(t *testing.T) {
	d := dbtest.New(t)
	err := d.Read(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec("CREATE TABLE x (a INTEGER)")
		return err
	})
	if err == nil {
		t.Fatal("a read transaction created a table")
	}
}

// table makes a table as a migration would.
func table(t testing.TB, d *db.DB, statement string) {
	t.Helper()
	if err := d.Schema(ctx, func(ctx context.Context, w *sql.DB) error {
		_, err := w.ExecContext(ctx, statement)
		return err
	}); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func TestAuditTableIsGuardedOnEveryConnection(t *testing.T) {
	d := dbtest.New(t)
	seed := func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO audit (seq, at, actor_kind, actor_id, action, object_kind, object_id,
				content_hash, prev_hash, hash)
			VALUES (1, 1, 'system', '', 'x', 'y', 'z', '', '', '')`)
		return err
	}
	if err := d.Write(ctx, seed); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		"UPDATE audit SET action = 'forged'", "DELETE FROM audit", "DROP TABLE audit", "ALTER TABLE audit RENAME TO a",
		"ALTER TABLE audit ADD COLUMN z TEXT", "DROP TRIGGER audit_no_update", "REPLACE INTO audit SELECT * FROM audit",
	} {
		err := d.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(q); return err })
		if err == nil {
			t.Errorf("%s: went through", q)
		}
	}
	if _, err := d.Writer().Exec("DELETE FROM audit"); !db.IsDenied(err) {
		t.Errorf("outside a transaction: %v, want the authorizer's refusal", err)
	}
}

func TestSecondProcessIsRefusedWithAName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d, err := db.Open(ctx, path, db.Options{Holder: "serve on 127.0.0.1:8080"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Open(ctx, path, db.Options{})
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(fault.Message(err), "serve on 127.0.0.1:8080") {
		t.Fatalf("second open: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d, err = db.Open(ctx, path, db.Options{})
	if err != nil {
		t.Fatalf("open after the first closed: %v", err)
	}
	d.Close()
}

func TestWriteRollsBackAndRunsNothingAfter(t *testing.T) {
	d := dbtest.New(t)
	table(t, d, "CREATE TABLE half (a INTEGER)")
	ran := false
	boom := errors.New("boom")
	err := d.Write(ctx, func(tx *db.Tx) error {
		tx.AfterCommit(func() { ran = true })
		if _, err := tx.Exec("INSERT INTO half VALUES (1)"); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) || ran {
		t.Fatalf("err %v, ran %v", err, ran)
	}
	var n int
	if err := d.Reader().QueryRow("SELECT count(*) FROM half").Scan(&n); err != nil || n != 0 {
		t.Fatalf("%d rolled-back rows are there (%v)", n, err)
	}
}

func TestWriteOutlivesItsCaller(t *testing.T) {
	d := dbtest.New(t)
	table(t, d, "CREATE TABLE kept (a INTEGER)")
	c, cancel := context.WithCancel(ctx)
	err := d.Write(c, func(tx *db.Tx) error {
		cancel()
		_, err := tx.ExecContext(context.WithoutCancel(c), "INSERT INTO kept VALUES (1)")
		return err
	})
	if err != nil {
		t.Fatalf("a cancelled caller aborted the commit: %v", err)
	}
	if err := d.Write(c, func(*db.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Fatalf("a write that had not begun: %v", err)
	}
}

func TestSubscribersHearOfCommits(t *testing.T) {
	d := dbtest.New(t)
	ch, stop := d.Subscribe()
	defer stop()
	if err := d.Write(ctx, func(tx *db.Tx) error { tx.Touch("reviews"); tx.Touch("reviews"); return nil }); err != nil {
		t.Fatal(err)
	}
	if got := <-ch; got != "reviews" {
		t.Fatalf("heard %q", got)
	}
	select {
	case x := <-ch:
		t.Fatalf("heard %q twice", x)
	default:
	}
}

func TestASlowListenerLosesRepeatsAndNoTopic(t *testing.T) {
	d := dbtest.New(t)
	ch, stop := d.Subscribe()
	defer stop()
	touch := func(topic string) {
		if err := d.Write(ctx, func(tx *db.Tx) error { tx.Touch(topic); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		touch("reviews")
	}
	touch("notices")
	heard := map[string]bool{}
	for len(ch) > 0 {
		heard[<-ch] = true
	}
	if !heard["reviews"] || !heard["notices"] {
		t.Errorf("heard %v", heard)
	}
}

func TestManyWritersNeverMeetALockedDatabase(t *testing.T) {
	d := dbtest.New(t)
	table(t, d, "CREATE TABLE n (v INTEGER)")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				if err := d.Write(ctx, func(tx *db.Tx) error {
					_, err := tx.Exec("INSERT INTO n VALUES (1)")
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var n int
	if err := d.Reader().QueryRow("SELECT count(*) FROM n").Scan(&n); err != nil || n != 200 {
		t.Fatalf("%d rows (%v), want 200", n, err)
	}
}

func TestBatchesAndIn(t *testing.T) {
	list := make([]int, 1201)
	b := db.Batches(list)
	if len(b) != 3 || len(b[2]) != 201 {
		t.Fatalf("%d batches", len(b))
	}
	if got := db.In(3, 3); got != "$3,$4,$5" {
		t.Fatalf("In = %q", got)
	}
	if db.Batches([]int(nil)) != nil {
		t.Fatal("an empty list has a batch")
	}
}
