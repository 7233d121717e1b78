package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
)

func TestDatasetsComeAndGo(t *testing.T) {
	file, dir := base(t), t.TempDir()
	rows := `{"id":"1","customer":{"age":58},"question":"Q?","guidance":"You should transfer.","label":"NON_COMPLIANT","codes":["PERSONAL_RECOMMENDATION"],"group":"a"}
{"id":"2","guidance":"Cut
{"id":"3","guidance":"=Pension Wise is free.","label":"good"}
`
	in := filepath.Join(dir, "in.jsonl")
	if err := os.WriteFile(in, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	r := preceptor(t, "", "import", "dataset", in, "--into", "Line", "--map", "good=COMPLIANT_GUIDANCE", "--db", file)
	if r.code != fault.Invalid.ExitCode() ||
		r.out != "3 rows: 2 added, 0 already there, 1 invalid\nfields used: codes, customer, group, guidance, id, "+
			"label, question\nline 2: the row is cut off\n" {
		t.Fatalf("%+v", r)
	}
	first := must(t, "", "export", "dataset", "line", "--db", file)
	if strings.Count(first.out, "\n") != 2 || !strings.Contains(first.out, `"label":"COMPLIANT_GUIDANCE"`) ||
		!strings.Contains(first.err, "2 rows.") {
		t.Fatalf("%+v", first)
	}
	for _, format := range []string{"jsonl", "csv"} {
		out := filepath.Join(dir, "out."+format)
		must(t, "", "export", "dataset", "Line", "--format", format, "--out", out, "--db", file)
		if again := must(t, "", "import", "dataset", out, "--into", "Line", "--db", file); !strings.HasPrefix(again.out,
			"2 rows: 0 added, 2 already there, 0 invalid\n") {
			t.Errorf("%s: %+v", format, again)
		}
		if r := preceptor(t, "", "export", "dataset", "Line", "--format", format, "--out", out, "--db",
			file); r.code != fault.Invalid.ExitCode() {
			t.Errorf("a file was overwritten: %+v", r)
		}
	}
	folder := filepath.Join(dir, "hf")
	must(t, "", "export", "dataset", "Line", "--format", "hf", "--out", folder, "--db", file)
	for _, name := range []string{"README.md", "data/train.jsonl"} {
		if b, err := os.ReadFile(filepath.Join(folder, name)); err != nil || len(b) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b := must(t, "", "export", "dataset", "Line", "--format", "parquet", "--db", file).out; !strings.HasPrefix(b,
		"PAR1") || !strings.HasSuffix(b, "PAR1") {
		t.Error("that is no Parquet")
	}
	for name, args := range map[string][]string{
		"no such set":     {"export", "dataset", "Nothing"},
		"no such version": {"export", "dataset", "Line", "--version", "1"},
	} {
		if r := preceptor(t, "", append(args, "--db", file)...); r.code != fault.NotFound.ExitCode() || r.out != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := preceptor(t, "", "export", "dataset", "Line", "--version", "x", "--db",
		file); r.code != fault.Invalid.ExitCode() {
		t.Errorf("%+v", r)
	}
	if r := preceptor(t, rows, "import", "dataset", "-", "--into", "Other", "--labels", "ignore", "--json", "--db",
		file); r.code != fault.Invalid.ExitCode() || !strings.Contains(r.out, `"added": 2`) {
		t.Errorf("%+v", r)
	}
}
