package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// A timer copies the file of a running server, and the copy is restored as any other.
func TestBackupOfARunningServer(t *testing.T) {
	file, dir := base(t), t.TempDir()
	addAda(t, file)
	if err := os.WriteFile(file+".sock", nil, 0o600); err != nil { // as a killed server leaves one
		t.Fatal(err)
	}
	if err := os.MkdirAll(file+".copying-1", 0o700); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "copy.db")
	must(t, "", "backup", "--db", file, filepath.Join(dir, "stopped.db"))
	r := start(t, "serve", "--db", file, "--addr", "127.0.0.1:0")
	if st, err := os.Stat(file + ".sock"); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v %v", st, err)
	}
	if made := must(t, "", "backup", "--db", file, out); !strings.HasSuffix(made.out, "  "+out+"\n") {
		t.Errorf("%+v", made)
	}
	if again := preceptor(t, "", "backup", "--db", file, out); again.code != fault.Conflict.ExitCode() {
		t.Errorf("over a backup: %+v", again)
	}
	if bad := preceptor(t, "", "backup", "--db", file,
		filepath.Join(dir, "none", "copy.db")); bad.code != fault.Invalid.ExitCode() {
		t.Errorf("into no folder: %+v", bad)
	}
	must(t, "", "restore", "--db", filepath.Join(dir, "restored.db"), out)
	if left, _ := filepath.Glob(file + ".copying-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if code := r.end(t); code != 0 {
		t.Errorf("the server ends with %d: %s", code, r.err.String())
	}
	if _, err := os.Stat(file + ".sock"); err == nil {
		t.Error("a stopped server leaves its socket")
	}
	must(t, "", "backup", "--db", file, filepath.Join(dir, "stopped again.db"))
	if made, failed := backups(t, file); len(made) != 3 || len(failed) != 2 ||
		!strings.Contains(failed[0], "does not exist") || !strings.Contains(failed[1], "already exists") ||
		slices.Contains(made, "") {
		t.Errorf("on record: made %q, failed %q", made, failed)
	}
}

// backups are the checksums of the copies that a file's audit log says were made, and why others weren't, newest first.
func backups(t *testing.T, file string) (made, failed []string) {
	t.Helper()
	d, err := db.Open(t.Context(), file, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	page, err := audit.List(t.Context(), d, audit.Filter{Action: "backup."})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Rows {
		var c struct{ Sha256, Reason string }
		if err := json.Unmarshal(r.Content, &c); err != nil {
			t.Fatal(err)
		}
		if r.Action == "backup.made" {
			made = append(made, c.Sha256)
		} else {
			failed = append(failed, c.Reason)
		}
	}
	return made, failed
}

// What only reads changes nothing in a backup, which can still be restored, and says that it read a copy. A file that
// somebody works in is no backup, whatever lies beside it.
func TestABackupThatIsReadCanBeRestored(t *testing.T) {
	file, dir := base(t), t.TempDir()
	addAda(t, file)
	out := filepath.Join(dir, "copy.db")
	must(t, "", "backup", "--db", file, out)
	before := contents(t, dir)
	for _, args := range [][]string{{"doctor"}, {"audit", "verify"}, {"export", "decisions"}, {"export", "knowledge"},
		{"recall", "--query", "What is drawdown?"}, {"erase", "--dry-run", "--subject", "c-1"}} {
		r := preceptor(t, "", append(args, "--db", out)...)
		if !strings.Contains(r.err, "A copy is read") {
			t.Errorf("%v: %+v", args, r)
		}
		if after := contents(t, dir); !maps.Equal(after, before) {
			t.Fatalf("%v changed the backup's folder: %d files, were %d", args, len(after), len(before))
		}
	}
	if r := preceptor(t, "", "account", "add", "--db", out, "--email", "bo@example.org", "--name", "Bo", "--role",
		"expert"); r.code != fault.Invalid.ExitCode() || !strings.Contains(r.err, "is a backup") ||
		!maps.Equal(contents(t, dir), before) {
		t.Errorf("written into: %+v", r)
	}
	must(t, "", "restore", "--db", filepath.Join(t.TempDir(), "restored.db"), out)
	damaged := filepath.Join(dir, "copy.db")
	if err := os.WriteFile(damaged, append([]byte(before["copy.db"]), 0), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := preceptor(t, "", "doctor", "--db", damaged); r.code != fault.Invalid.ExitCode() {
		t.Errorf("a damaged backup: %+v", r)
	}
	if err := os.WriteFile(file+".sha256", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+"-wal", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := must(t, "", "doctor", "--db", file); strings.Contains(r.err, "A copy is read") {
		t.Errorf("a file in use: %+v", r)
	}
}

// contents are the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(b)
	}
	return out
}
