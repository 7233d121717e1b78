package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/app"
	"preceptor/internal/platform/fault"
)

func TestExport(t *testing.T) {
	file := base(t)
	addAda(t, file)
	for _, set := range []string{"decisions", "skips"} {
		r := must(t, "", "export", set, "--db", file)
		if strings.Count(r.out, "\n") != 1 || !strings.Contains(r.out, "case_id") ||
			!strings.Contains(r.err, "0 rows") {
			t.Errorf("%s of an empty desk: %+v", set, r)
		}
	}
	out := filepath.Join(t.TempDir(), "d.jsonl")
	must(t, "", "export", "decisions", "--db", file, "--format", "jsonl", "--out", out, "--from", "2026-01-01", "--to",
		"2026-12-31", "--person", "ada@example.org", "--planted", "yes")
	if st, err := os.Stat(out); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", st, err)
	}
	for name, args := range map[string][]string{
		"a file that is there": {"--out", out},
		"isn't a date":         {"--from", "yesterday"},
		"nobody":               {"--person", "nobody@example.org"},
		"an unknown format":    {"--format", "xlsx"},
		"an unknown agent":     {"--agent", "nobody"},
	} {
		if r := preceptor(t, "", append([]string{"export", "decisions", "--db", file}, args...)...); r.code == 0 ||
			r.out != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := preceptor(t, "", "export", "decisions", "--db", fresh(t)); r.code != fault.Invalid.ExitCode() &&
		r.code != fault.NotFound.ExitCode() {
		t.Errorf("no database: %+v", r)
	}
}

// The command line exports what managers get on the page: what is final.
func TestExportHasOnlyWhatIsFinal(t *testing.T) {
	if o, err := (&exportSetCmd{}).options(nil, &app.App{}); err != nil || !o.Filter.Settled {
		t.Errorf("%+v, %v", o, err)
	}
}
