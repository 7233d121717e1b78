package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
)

func TestABaseGoesFromFileToFile(t *testing.T) {
	from, to, dir := base(t), base(t), t.TempDir()
	docs := filepath.Join(dir, "docs")
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(docs, "a.md"),
		[]byte("# Annuities\n\n## What they are\n\nAn annuity pays an income for life.\n\n## Tax\n\nThe income is "+
			"taxed.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "", "import", "documents", docs, "--agent", "pension-advisor", "--pack", "pension", "--db", from)
	first := must(t, "", "export", "knowledge", "--db", from)
	if !strings.HasPrefix(first.out, `{"format":"preceptor.knowledge","version":1,`) ||
		!strings.Contains(first.out, `"agent":"pension-advisor"`) || !strings.Contains(first.err, "cases with") {
		t.Fatalf("%+v", first)
	}
	file := filepath.Join(dir, "base.jsonl")
	must(t, "", "export", "knowledge", "--out", file, "--db", from)
	if r := preceptor(t, "", "export", "knowledge", "--out", file, "--db", from); r.code != fault.Invalid.ExitCode() {
		t.Errorf("a file was overwritten: %+v", r)
	}
	if r := must(t, "", "import", "knowledge", file, "--db", to); !strings.Contains(r.out,
		" added, 0 changed, 0 known") {
		t.Errorf("%+v", r)
	}
	if again := must(t, "", "export", "knowledge", "--db", to); again.out != first.out {
		t.Errorf("it came back as\n%s\nand was\n%s", again.out, first.out)
	}
	if r := must(t, first.out, "import", "knowledge", "-", "--json", "--db", to); !strings.Contains(r.out,
		`"added": 0`) {
		t.Errorf("%+v", r)
	}
	broken := strings.Replace(first.out, `"kind":"case"`, `"kind":"tale"`, 1)
	if r := preceptor(t, broken, "import", "knowledge", "-", "--db", to); r.code != fault.Invalid.ExitCode() ||
		!strings.Contains(r.out, "line 2: ") {
		t.Errorf("%+v", r)
	}
}
