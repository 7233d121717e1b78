//go:build sqlite_cgo

package dbtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// template is the bytes of a migrated, empty database that the default build wrote.
var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "dbtest")
	if err != nil {
		return nil, fmt.Errorf("dbtest: %w", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	if _, err := other("empty", path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Foreign is a file with rows in it, written by the default build, and what that build printed about it.
func Foreign(t testing.TB) (path string, said []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "foreign.db")
	said, err := other("fill", path)
	if err != nil {
		t.Fatal(err)
	}
	return path, said
}

// Return has the default build look at a file that this build wrote to; what it prints is its opinion.
func Return(t testing.TB, path string) []byte {
	t.Helper()
	said, err := other("look", path)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// other runs the command in crossing/command, which is built without this build's tags.
func other(args ...string) ([]byte, error) {
	cmd := exec.Command("go",
		append([]string{"run", "-tags=", "preceptor/internal/platform/db/dbtest/crossing/command"},
			args...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("dbtest: the default build could not %v: %w\n%s", args, err, problems.String())
	}
	return out.Bytes(), nil
}
