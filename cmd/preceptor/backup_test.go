package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/fault"
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
	if bad := preceptor(t, "", "backup", "--db", file, filepath.Join(dir, "none", "copy.db")); bad.code !=
		fault.Invalid.ExitCode() {
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
}
