//go:build sqlite_cgo && !sqlite_fts5 && !fts5

package dbtest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Main runs a package's tests; call it from TestMain. mattn/go-sqlite3 leaves FTS5 out unless a tag of its own asks for
// it, and a test can't add a tag to its own build: it has go test build and run it once more, with the tag, and passes
// on what comes of it.
func Main(*testing.M) int {
	flag.Parse()
	args := []string{"test", "-tags", "sqlite_cgo sqlite_fts5"}
	flag.Visit(func(f *flag.Flag) {
		name, ok := strings.CutPrefix(f.Name, "test.")
		switch name {
		case "paniconexit0", "testlogfile", "outputdir", "gocoverdir", "coverprofile":
			return // go test sets these itself
		}
		if ok {
			args = append(args, fmt.Sprintf("-%s=%s", name, f.Value))
		}
	})
	include, err := header()
	if err != nil {
		fmt.Fprintln(os.Stderr, "the header that sqlite-vec includes:", err)
		return 1
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "CGO_CFLAGS="+os.Getenv("CGO_CFLAGS")+" -I"+include)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "go test with full-text search:", err)
		return 1
	}
	return 0
}

// header lays mattn/go-sqlite3's own sqlite3.h where sqlite-vec's compiler finds it, so that no system header of
// another version is needed, and returns the folder. The Makefile uses the same one.
func header() (string, error) {
	ask := func(args ...string) (string, error) {
		out, err := exec.Command("go", args...).Output()
		return strings.TrimSpace(string(out)), err
	}
	mod, err := ask("env", "GOMOD")
	if err != nil {
		return "", err
	}
	upstream, err := ask("list", "-m", "-f", "{{.Dir}}", "github.com/mattn/go-sqlite3")
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(upstream, "sqlite3-binding.h"))
	if err != nil {
		return "", err
	}
	dir := filepath.Join(filepath.Dir(mod), "bin", "include")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	name := filepath.Join(dir, "sqlite3.h")
	if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, text) {
		return dir, nil
	}
	part := fmt.Sprintf("%s.%d", name, os.Getpid()) // packages are tested at the same time
	if err := os.WriteFile(part, text, 0o644); err != nil {
		return "", err
	}
	return dir, os.Rename(part, name)
}
