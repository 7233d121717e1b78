package db_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

// numbers is a database with a table of the numbers below n.
func numbers(t *testing.T, n int) *db.DB {
	t.Helper()
	d := dbtest.New(t)
	exec := func(sql string, args ...any) {
		t.Helper()
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(sql, args...)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Schema(t.Context(), func(ctx context.Context, w *sql.DB) error {
		_, err := w.ExecContext(ctx,
			`CREATE TABLE number (n INTEGER PRIMARY KEY, text TEXT NOT NULL DEFAULT '') STRICT`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		exec(`INSERT INTO number (n) VALUES ($1)`, i)
	}
	return d
}

// Statements that are kept prepared give what they gave before, however often and in whatever order they run.
func TestPreparedStatementsAnswerAlike(t *testing.T) {
	d := numbers(t, 10)
	for round := range 5 {
		if err := d.Read(t.Context(), func(tx *db.Tx) error {
			for i := range 10 {
				var n int
				if err := tx.QueryRow(`SELECT COUNT(*) FROM number WHERE n < $1`, i).Scan(&n); err != nil || n != i {
					return fmt.Errorf("round %d: %d numbers are below %d (%v)", round, n, i, err)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// The same query inside the rows of itself sees all of its rows, and the outer one goes on where it was.
func TestAQueryInsideItsOwnRows(t *testing.T) {
	d := numbers(t, 4)
	const query = `SELECT n FROM number ORDER BY n`
	for range 4 { // prepared at first, kept later
		pairs := 0
		if err := d.Read(t.Context(), func(tx *db.Tx) error {
			outer, err := tx.Query(query)
			if err != nil {
				return err
			}
			defer outer.Close()
			for want := 0; outer.Next(); want++ {
				var n, first int
				if err := outer.Scan(&n); err != nil || n != want {
					return fmt.Errorf("%d after %d (%v)", n, want-1, err)
				}
				if err := tx.QueryRow(query).Scan(&first); err != nil || first != 0 {
					return fmt.Errorf("the first is %d (%v)", first, err)
				}
				inner, err := tx.Query(query)
				if err != nil {
					return err
				}
				for inner.Next() {
					pairs++
				}
				if err := inner.Close(); err != nil {
					return err
				}
			}
			return outer.Err()
		}); err != nil {
			t.Fatal(err)
		}
		if pairs != 16 {
			t.Fatalf("%d pairs of 4 numbers", pairs)
		}
	}
}

// A statement that fails, fails each time and spoils nothing; more texts than are kept run as well.
func TestPreparedStatementsThatFailAndTooMany(t *testing.T) {
	d := numbers(t, 1)
	for range 4 {
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			if _, err := tx.Exec(`INSERT INTO nowhere (n) VALUES (1)`); err == nil {
				t.Error("a table that is not there took a row")
			}
			if _, err := tx.Exec(`INSERT INTO number (n) VALUES ($1)`, 0); err == nil {
				t.Error("a number was inserted twice")
			}
			_, err := tx.Exec(`UPDATE number SET text = $1 WHERE n = $2`, "kept", 0)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		if err := d.Read(t.Context(), func(tx *db.Tx) error {
			for i := range 600 {
				var text string
				if err := tx.QueryRow(fmt.Sprintf(`SELECT text FROM number WHERE n + %d = $1`, i),
					i).Scan(&text); err != nil || text != "kept" {
					return fmt.Errorf("%d: %q (%v)", i, text, err)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// Readers and the writer share the prepared statements of their pools.
func TestPreparedStatementsAtTheSameTime(t *testing.T) {
	d := numbers(t, 3)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 30 {
				if err := d.Read(t.Context(), func(tx *db.Tx) error {
					var n int
					return tx.QueryRow(`SELECT COUNT(*) FROM number`).Scan(&n)
				}); err != nil {
					t.Error(err)
				}
				if err := d.Write(t.Context(), func(tx *db.Tx) error {
					_, err := tx.Exec(`UPDATE number SET text = text || 'x' WHERE n = 1`)
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var text string
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT text FROM number WHERE n = 1`).Scan(&text)
	}); err != nil || len(text) != 240 {
		t.Errorf("%d updates of 240 are there (%v)", len(text), err)
	}
}

// planned is what a read has planned.
func planned(t *testing.T, d *db.DB, texts ...string) (n int64) {
	t.Helper()
	before := db.Planned()
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		for _, text := range texts {
			if _, err := db.Column[int](tx, "read numbers", text); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return db.Planned() - before
}

// What ran once is planned no more, in the same transaction and later; texts without end keep none from being kept.
func TestAStatementIsPlannedOnce(t *testing.T) {
	d := numbers(t, 2)
	const text = `SELECT n FROM number ORDER BY n`
	if n := planned(t, d, text); n == 0 {
		t.Fatal("nothing was planned")
	}
	if n := planned(t, d, text, text, text); n > 0 {
		t.Errorf("planned anew: %d columns", n)
	}
	for i := range 600 {
		planned(t, d, fmt.Sprintf(`SELECT n FROM number WHERE n = %d`, i))
		if n := planned(t, d, text); n > 0 {
			t.Fatalf("planned anew after %d other texts", i)
		}
	}
	if n := planned(t, d, `SELECT n FROM number WHERE n = 0`); n == 0 {
		t.Error("all texts are kept")
	}
}
