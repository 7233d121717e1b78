package knowledge_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"preceptor/internal/db"
	"preceptor/internal/db/dbtest"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/search"
)

var ctx = context.Background()

// pensionwise is the folder of real pages, or a skip.
func pensionwise(t testing.TB) fs.FS {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data", "pensionwise")
	if _, err := os.Stat(filepath.Join(dir, "tax.en.md")); err != nil {
		t.Skip("../shared/data/pensionwise is not here, so there are no real pages to import")
	}
	return os.DirFS(dir)
}

func open(t testing.TB) (*db.DB, *knowledge.Base) {
	d := dbtest.New(t)
	return d, knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
}

func TestZZ(t *testing.T) {
	_, b := open(t)
	r, err := b.Import(ctx, pensionwise(t), knowledge.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%+v\n", r.Files)
	fmt.Println(r.Imported, r.Updated, r.Unchanged, r.Retired)
	for _, s := range r.Skipped {
		fmt.Println("SKIP", s)
	}
	for _, s := range r.Flagged {
		fmt.Println("FLAG", s)
	}
	for _, s := range r.Duplicates {
		fmt.Println("DUP", s)
	}
	cases, _, _ := b.Cases(ctx, knowledge.Filter{Limit: 500})
	f, _ := os.Create("/tmp/kn_sections.txt")
	defer f.Close()
	for _, c := range cases {
		fmt.Fprintf(f, "=== %s [%s] %s\n%s\n", c.Citation, c.Task, c.Title, c.Guidance)
	}
	r, err = b.Import(ctx, pensionwise(t), knowledge.ImportOptions{})
	fmt.Println(r.Imported, r.Updated, r.Unchanged, r.Retired, err)
}
