package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/db/dbtest"
)

// The statements of the labelling screen walk one index each and sort nothing, however long the set is.
func TestNothingIsReadWhole(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	f := open(t)
	for name, q := range dataset.Statements() {
		rows, err := f.db.Writer().Query(`EXPLAIN QUERY PLAN `+q, args(q)...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var plan []string
		for rows.Next() {
			var id, parent, unused int
			var line string
			if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
				t.Fatal(err)
			}
			plan = append(plan, line)
		}
		rows.Close()
		text := strings.Join(plan, "\n")
		if strings.Contains(text, "SCAN") || strings.Contains(text, "TEMP B-TREE") || !strings.Contains(text, "USING") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// args are as many values as a statement has placeholders.
func args(q string) []any {
	n := 0
	for strings.Contains(q, fmt.Sprint("$", n+1)) {
		n++
	}
	out := make([]any, n)
	for i := range out {
		out[i] = 1
	}
	return out
}
