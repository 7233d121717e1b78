package db_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

func fill(t *testing.T, d *db.DB, n int) {
	t.Helper()
	table(t, d, "CREATE TABLE IF NOT EXISTS filler (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
	err := d.Write(ctx, func(tx *db.Tx) error {
		for range n {
			if _, err := tx.Exec("INSERT INTO filler (text) VALUES ($1)", strings.Repeat("pension ", 40)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, d *db.DB) (n int) {
	t.Helper()
	if err := d.Reader().QueryRow("SELECT count(*) FROM filler").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func backup(t *testing.T, rows int) string {
	t.Helper()
	d := dbtest.New(t)
	fill(t, d, rows)
	out := filepath.Join(t.TempDir(), "backup.db")
	if _, err := d.Backup(ctx, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBackupRestoresWhatWasCommitted(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 500)
	out := filepath.Join(t.TempDir(), "backup.db")
	c, err := d.Backup(ctx, out)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, d, 1) // after the backup: not in it
	if st, err := os.Stat(out); err != nil || st.Size() != c.Bytes || st.Mode().Perm() != 0o600 {
		t.Fatalf("backup file %v (%v), reported %d bytes", st, err, c.Bytes)
	}
	to := filepath.Join(t.TempDir(), "restored.db")
	r, err := db.Restore(ctx, out, to)
	if err != nil {
		t.Fatal(err)
	}
	if r.Sum != c.Sum || r.Path != to {
		t.Fatalf("restored %+v from %+v", r, c)
	}
	again, err := db.Open(ctx, to, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if n := count(t, again); n != 500 {
		t.Fatalf("%d rows came back, want 500", n)
	}
	if checks, err := again.Doctor(ctx); err != nil || !checks[0].OK {
		t.Fatalf("%+v (%v)", checks, err)
	}
}

func TestBackupRunsBesideWriters(t *testing.T) {
	d := dbtest.New(t)
	fill(t, d, 2000)
	stop, stopped := make(chan struct{}), make(chan error)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
				err := d.Write(ctx, func(tx *db.Tx) error {
					_, err := tx.Exec("INSERT INTO filler (text) VALUES ('x')")
					return err
				})
				if err != nil {
					stopped <- err
					return
				}
			}
		}
	}()
	for i := range 5 {
		out := filepath.Join(t.TempDir(), fmt.Sprint(i))
		if _, err := d.Backup(ctx, out); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Fatalf("a writer met the backup: %v", err)
	}
}

func TestBackupNeverOverwrites(t *testing.T) {
	d := dbtest.New(t)
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Backup(ctx, taken); fault.KindOf(err) != fault.Conflict {
		t.Errorf("onto a file: %v", err)
	}
	if b, err := os.ReadFile(taken); err != nil || string(b) != "mine" {
		t.Errorf("the file was touched: %q (%v)", b, err)
	}
	if _, err := d.Backup(ctx, filepath.Join(dir, "no", "such", "folder")); fault.KindOf(err) != fault.Invalid {
		t.Errorf("into no folder: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	half := filepath.Join(dir, "half")
	if _, err := d.Backup(ended, half); err == nil {
		t.Error("a cancelled backup went through")
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("a cancelled backup left a file")
	}
}

func TestRestoreRefuses(t *testing.T) {
	good := backup(t, 300)
	content, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(good + ".sha256")
	if err != nil {
		t.Fatal(err)
	}
	flip := func(at int) []byte {
		b := append([]byte(nil), content...)
		b[at] ^= 0x40
		return b
	}
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	raw, err := sql.Open("preceptor-schema", foreign)
	if err == nil {
		_, err = raw.Exec("CREATE TABLE x (a)")
	}
	if err != nil {
		t.Fatal(err)
	}
	raw.Close()
	foreignBytes, err := os.ReadFile(foreign)
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name    string
		content []byte
		sum     []byte
		taken   string
		kind    fault.Kind
		says    string
	}{
		{"a flipped bit in the middle", flip(len(content) / 2), sum, "", fault.Invalid, "checksum differs"},
		{"a flipped bit at the end", flip(len(content) - 1), sum, "", fault.Invalid, "checksum differs"},
		{"half a file", content[:len(content)/2], sum, "", fault.Invalid, "checksum differs"},
		{"half a file with its own checksum", content[:len(content)/2], own(content[:len(content)/2]), "",
			fault.Invalid, "damaged"},
		{"a text with its own checksum", []byte("not a database"), own([]byte("not a database")), "", fault.Invalid,
			"damaged"},
		{"another program's database", foreignBytes, own(foreignBytes), "", fault.Invalid, "but not Preceptor's"},
		{"no checksum", content, nil, "", fault.Invalid, "is missing"},
		{"a checksum that is none", content, []byte("hello\n"), "", fault.Invalid, "write it again: sha256sum"},
		{"a file that exists", content, sum, "", fault.Conflict, "already exists"},
		{"a log left behind", content, sum, "-wal", fault.Conflict, "already exists"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			in, to := filepath.Join(dir, "in.db"), filepath.Join(dir, "to.db")
			if err := os.WriteFile(in, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
			if c.sum != nil {
				if err := os.WriteFile(in+".sha256", c.sum, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.kind == fault.Conflict {
				if err := os.WriteFile(to+c.taken, []byte("mine"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := db.Restore(ctx, in, to)
			if fault.KindOf(err) != c.kind || !strings.Contains(fault.Message(err), c.says) {
				t.Fatalf("Restore = %v, want %v with %q", err, c.kind, c.says)
			}
			if _, err := os.Stat(to); err == nil && c.kind != fault.Conflict {
				t.Error("a refused restore left a file")
			}
			if left, _ := filepath.Glob(to + ".restoring*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	if _, err := db.Restore(ctx, filepath.Join(t.TempDir(), "none"),
		filepath.Join(t.TempDir(), "to.db")); fault.KindOf(err) != fault.NotFound {
		t.Errorf("no backup: %v", err)
	}
}

// A checksum is read as other programs write it.
func TestRestoreReadsAnyChecksumFile(t *testing.T) {
	in := backup(t, 1)
	b, err := os.ReadFile(in + ".sha256")
	if err != nil {
		t.Fatal(err)
	}
	sum := strings.ToUpper(string(b[:64]))
	for i, text := range []string{"\ufeff" + sum + " *in.db\r\n", "SHA2-256(in.db)= " + sum, "\xff\xfeH\x00a\x00s\x00h\x00 \x00:\x00 \x00" +
		strings.Join(strings.Split(sum, ""), "\x00") + "\x00\r\x00\n\x00"} {
		if err := os.WriteFile(in+".sha256", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Restore(ctx, in, filepath.Join(t.TempDir(), "to.db")); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestRestoreRefusesAFileInUse(t *testing.T) {
	in := backup(t, 1)
	d := dbtest.New(t)
	if _, err := db.Restore(ctx, in, d.Path()); fault.KindOf(err) != fault.Conflict ||
		!strings.Contains(fault.Message(err), "in use") {
		t.Fatalf("Restore onto an open file: %v", err)
	}
}

func TestDoctorFindsBrokenReferences(t *testing.T) {
	d := dbtest.New(t)
	checks, err := d.Doctor(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if !c.OK {
			t.Errorf("a new file: %+v", c)
		}
	}
	c, err := d.Writer().Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"PRAGMA foreign_keys = OFF", `INSERT INTO audit_content
		VALUES (7, '', '', '', 0)`, "PRAGMA foreign_keys = ON"} {
		if _, err := c.ExecContext(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	checks, err = d.Doctor(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if r := checks[1]; r.Name != "references" || r.OK ||
		!strings.Contains(r.Detail, "audit_content to audit (first in row 7)") {
		t.Fatalf("%+v", r)
	}
}

func TestDoctorFindsADamagedPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	d, err := db.Open(ctx, path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, d, 500)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	st, _ := f.Stat()
	if _, err := f.WriteAt([]byte(strings.Repeat("\xff", 64)), st.Size()-3*4096); err != nil {
		t.Fatal(err)
	}
	f.Close()
	d, err = db.Open(ctx, path, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if checks, err := d.Doctor(ctx); err != nil || checks[0].OK ||
		!strings.Contains(checks[0].Detail, "Restore a backup") {
		t.Fatalf("%+v (%v)", checks, err)
	}
}

func TestStatementsAreCounted(t *testing.T) {
	d := dbtest.New(t)
	table(t, d, "CREATE TABLE c (a INTEGER)")
	before := d.Statements()
	err := d.Write(ctx, func(tx *db.Tx) error {
		for range 3 {
			var n int
			if err := tx.QueryRow("SELECT 1").Scan(&n); err != nil {
				return err
			}
		}
		_, err := tx.Exec("INSERT INTO c VALUES (1)")
		return err
	})
	if err != nil || d.Statements()-before != 4 {
		t.Fatalf("%d statements (%v), want 4", d.Statements()-before, err)
	}
}

func own(content []byte) []byte {
	return fmt.Appendf(nil, "%x  in.db\n", sha256.Sum256(content))
}
