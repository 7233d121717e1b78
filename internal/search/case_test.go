package search_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
)

func putCase(t testing.TB, d *db.DB, id, text string) {
	t.Helper()
	if err := d.Write(context.Background(), func(tx *db.Tx) error {
		return search.PutCaseTx(tx, id, text)
	}); err != nil {
		t.Fatal(err)
	}
}

func findCases(t testing.TB, d *db.DB, text string, n int) (ids []string, more bool) {
	t.Helper()
	err := d.Read(context.Background(), func(tx *db.Tx) (err error) {
		ids, more, err = search.FindCasesTx(tx, text, n)
		return err
	})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return ids, more
}

func TestCasesAreFoundByEveryWordNewestFirst(t *testing.T) {
	d := dbtest.New(t)
	putCase(t, d, "a", "How much is tax free? The tax-free cash.")
	putCase(t, d, "b", "Cash from my pension, and Zoë's")
	putCase(t, d, "c", "cash cash CASH")
	for text, want := range map[string]string{
		"cash": "[c b a]", "tax cash": "[a]", "zoe": "[b]", "pensions": "[b]", "pens": "[b]", "cash nothing": "[]",
		"the": "[a]", "": "[]", "£ ? !": "[]", "free* AND cash\"": "[a]",
	} {
		if got, more := findCases(t, d, text, 10); fmt.Sprint(got) != want || more {
			t.Errorf("%q: %v, want %s", text, got, want)
		}
	}
	if got, more := findCases(t, d, "cash", 2); fmt.Sprint(got) != "[c b]" || !more {
		t.Errorf("two of three: %v, %v", got, more)
	}
}

func TestACasesWordsChangeWithIt(t *testing.T) {
	d := dbtest.New(t)
	putCase(t, d, "a", "trawler")
	putCase(t, d, "a", "rowing boat")
	if got, _ := findCases(t, d, "trawler", 5); len(got) != 0 {
		t.Errorf("found by what it no longer says: %v", got)
	}
	write := func(f func(tx *db.Tx) error) {
		t.Helper()
		if err := d.Write(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	write(func(tx *db.Tx) error { return search.AddCaseTx(tx, "a", "kipper, boat") })
	write(func(tx *db.Tx) error { return search.AddCaseTx(tx, "new", "kipper") })
	if got, _ := findCases(t, d, "kipper", 5); fmt.Sprint(got) != "[new a]" {
		t.Errorf("%v", got)
	}
	if got, _ := findCases(t, d, "rowing kipper", 5); fmt.Sprint(got) != "[a]" {
		t.Errorf("%v", got)
	}
	for range 2 {
		write(func(tx *db.Tx) error { return search.DropCaseTx(tx, "a") })
	}
	if got, _ := findCases(t, d, "boat", 5); len(got) != 0 {
		t.Errorf("found after it was forgotten: %v", got)
	}
	r, err := search.New(d).Check(t.Context())
	if err != nil || len(r.Problems) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCheckFindsAWrongCaseIndexAndRebuildMendsIt(t *testing.T) {
	dbtest.FilesOnly(t, "it harms FTS5's tables")
	d := dbtest.New(t)
	putCase(t, d, "a", "trawler")
	if _, err := d.Writer().Exec(`UPDATE search_case SET words = 'kipper'`); err != nil {
		t.Fatal(err)
	}
	index := search.New(d)
	if r, err := index.Check(t.Context()); err != nil || len(r.Problems) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := index.Rebuild(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if got, _ := findCases(t, d, "kipper", 5); len(got) != 1 {
		t.Errorf("%v", got)
	}
	if r, err := index.Check(t.Context()); err != nil || len(r.Problems) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Whatever was written and is typed: no syntax error, and what is found has every word that carries meaning.
func TestAnyTextCanBeSearchedForAmongCases(t *testing.T) {
	d := dbtest.New(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		n++
		id := fmt.Sprint(n)
		putCase(t, d, id, text)
		findCases(t, d, rapid.String().Draw(rt, "query"), 5)
		if got, _ := findCases(t, d, "zyzzyva "+text, 3); slices.Contains(got, id) &&
			!strings.Contains(strings.ToLower(text), "zyzzyva") {
			rt.Fatalf("%q is found by a word that it does not have", text)
		}
	})
	if r, err := search.New(d).Check(t.Context()); err != nil || len(r.Problems) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
