package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/observe"
)

func TestScan(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("a%d_test.go", i)), []byte("package a\n"),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := must(t, "", "scan", dir, "--project", "hydra")
	if !strings.Contains(r.out,
		"100%   5 of 5 test files  Use the standard testing package  a0_test.go, a1_test.go, a2_test.go and 2 more") ||
		!strings.HasPrefix(r.err, "hydra: read 5 of 5 files, at most 20 of each language") {
		t.Errorf("%+v", r)
	}
	var base observe.Codebase
	if err := json.Unmarshal([]byte(must(t, "", "scan", dir, "--json").out), &base); err != nil ||
		base.Project != filepath.Base(dir) || len(base.Patterns) != 1 || base.Patterns[0].Share != 1 {
		t.Errorf("%+v, %v", base, err)
	}
	if r := must(t, "", "scan", t.TempDir()); r.out != "" || !strings.Contains(r.err, "No patterns found.") {
		t.Errorf("an empty folder: %+v", r)
	}
	if r := preceptor(t, "", "scan", filepath.Join(dir, "none")); r.code != fault.Invalid.ExitCode() || r.out != "" {
		t.Errorf("no folder: %+v", r)
	}
}
