package db_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

func TestOpenRefusesWithAReason(t *testing.T) {
	dir := t.TempDir()
	garbage := filepath.Join(dir, "garbage.db")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("this is not a database. ", 300)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path, says string
		kind             fault.Kind
	}{
		{"a folder", dir, "is a folder", fault.Invalid},
		{"a missing folder", filepath.Join(dir, "no", "such", "x.db"), "does not exist", fault.Invalid},
		{"another kind of file", garbage, "can't be opened as a database", fault.Unavailable},
	} {
		_, err := db.Open(ctx, c.path, db.Options{})
		if fault.KindOf(err) != c.kind || !strings.Contains(fault.Message(err), c.says) {
			t.Errorf("%s: %v: %q", c.name, fault.KindOf(err), fault.Message(err))
		}
	}
	if b, _ := os.ReadFile(garbage); !strings.HasPrefix(string(b), "this is not") {
		t.Error("a file that is not ours was changed")
	}
}

func TestOpenTakesAnyFileName(t *testing.T) {
	for _, name := range []string{"with space.db", "what?mode=ro.db", "50%.db", "a#b.db", "ünïcode.db"} {
		path := filepath.Join(t.TempDir(), name)
		d, err := db.Open(ctx, path, db.Options{})
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if st, err := os.Stat(path); err != nil || st.Size() == 0 {
			t.Errorf("%q: the file is not where it was asked for: %v", name, err)
		} else if st.Mode().Perm() != 0o600 {
			t.Errorf("%q: mode %v lets others read it", name, st.Mode())
		}
	}
}

func TestOlderProgramRefusesNewerSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d, err := db.Open(ctx, path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	_, err = db.Open(ctx, path, db.Options{})
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(fault.Message(err), "schema 99999") {
		t.Fatalf("open with an older program: %v", err)
	}
}

func TestUniqueConstraintIsAConflict(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d, err := db.Open(ctx, path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	table(t, d, "CREATE TABLE u (a INTEGER PRIMARY KEY, b TEXT UNIQUE)")
	err = d.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec("INSERT INTO u VALUES (1, 'x')"); err != nil {
			return err
		}
		_, err := tx.Exec("INSERT INTO u VALUES (2, 'x')")
		if !db.IsUnique(err) {
			t.Errorf("IsUnique(%v) = false", err)
		}
		return err
	})
	if fault.KindOf(err) != fault.Conflict {
		t.Fatalf("%v, want a conflict", err)
	}
}

func TestAFileHasNoReplica(t *testing.T) {
	_, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), db.Options{Replica: "postgres://replica/desk"})
	if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "--db-read") {
		t.Errorf("a replica of a file: %v", err)
	}
}
