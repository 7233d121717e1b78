package knowledge_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
)

func TestAnImportIsRememberedHoweverItEnds(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	files := fstest.MapFS{"cash.md": {Data: []byte("# Cash\n\n## Tax-free\n\nA quarter of the pot is usually free of tax.\n")}}
	if _, err := b.ImportFrom(ctx, "cash.zip", files, knowledge.ImportOptions{By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(ctx)
	o := knowledge.ImportOptions{By: audit.System("test"), Progress: func(int, int, string) { cancel() }}
	files["more.md"] = &fstest.MapFile{Data: []byte("# More\n\n## Words\n\nThe State Pension is paid from State Pension age.\n")}
	if _, err := b.ImportFrom(stopped, "more.zip", files, o); err == nil {
		t.Fatal("it was stopped")
	}
	list, err := b.Imports(ctx, 10)
	if err != nil || len(list) != 2 || list[0].FinishedAt.IsZero() || !strings.HasPrefix(list[0].Failure, "Preceptor was stopped") || list[1].Report.Imported != 1 || list[1].Failure != "" {
		t.Fatalf("%+v, %v", list, err)
	}
}

func TestImportsAreRemembered(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	first, err := b.BeginImport(ctx, "guidance.zip", "", audit.Actor{Kind: audit.Person, ID: "ann", Name: "Ann"})
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.BeginImport(ctx, "/srv/guidance", "agent", audit.System("import"))
	if err != nil {
		t.Fatal(err)
	}
	report := knowledge.ImportReport{Files: 2, Imported: 5, Skipped: make([]knowledge.Skipped, 1200)}
	report.Skipped[0] = knowledge.Skipped{File: "a.md", Line: 3, Why: "the front matter has no end", Bad: true}
	if err := b.EndImport(ctx, first.ID, report, "It was stopped."); err != nil {
		t.Fatal(err)
	}
	if err := b.EndImport(ctx, first.ID, knowledge.ImportReport{}, "again"); err != nil {
		t.Fatal(err)
	}
	list, err := b.Imports(ctx, 10)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	if list[0].ID != second.ID || !list[0].FinishedAt.IsZero() || list[0].AgentID != "agent" {
		t.Errorf("the one that runs: %+v", list[0])
	}
	report.Skipped = report.Skipped[:1000]
	if got := list[1]; got.FinishedAt.IsZero() || got.By != "Ann" || got.Failure != "It was stopped." || !cmp.Equal(got.Report, report) {
		t.Errorf("the one that ended: %s %s %d", got.By, got.Failure, len(got.Report.Skipped))
	}
}
