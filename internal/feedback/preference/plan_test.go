package preference_test

import (
	"strings"
	"testing"

	"preceptor/internal/feedback/preference"
	"preceptor/internal/platform/db/dbtest"
)

// What pages ask walks indexes and sorts nothing, however many pairs there are. Counting reads an index whole, and no
// text.
func TestNothingIsReadWhole(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	f := open(t)
	for name, q := range preference.Statements() {
		rows, err := f.d.Writer().Query(`EXPLAIN QUERY PLAN `+q, 1, 2, 3, 4)
		if err != nil && name != "list" { // another number of values
			rows, err = f.d.Writer().Query(`EXPLAIN QUERY PLAN ` +
				strings.NewReplacer("$1", "'1'", "$2", "'2'", "$3", "'3'", "$4", "4").Replace(q))
		}
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
		if strings.Contains(text, "TEMP B-TREE") || strings.Contains(text, "SCAN") &&
			!strings.Contains(text, "SCAN preference_pair USING COVERING INDEX") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
