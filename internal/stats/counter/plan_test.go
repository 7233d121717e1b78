package counter

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/platform/db/dbtest"
)

// What is added to is found by its keys, each of them, and never by walking the table.
func TestRowsToAddToAreFoundByTheirKeys(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	d := dbtest.New(t)
	for _, table := range []table{blockTable, histTable} {
		for _, n := range perStatement {
			args := make([]any, 5*n)
			for i := range args {
				args[i] = "x"
			}
			rows, err := d.Reader().Query(`EXPLAIN QUERY PLAN `+table.read+values(n, 5)+`)`, args...)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for rows.Next() {
				var id, parent, unused int
				var line string
				if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
					t.Fatal(err)
				}
				lines = append(lines, line)
			}
			rows.Close()
			plan := fmt.Sprint(strings.Join(lines, "\n"))
			if !strings.Contains(plan, "PRIMARY KEY (measure=? AND who=? AND agent=? AND topic=?") ||
				strings.Contains(plan, "SCAN stat") {
				t.Errorf("%d rows: %s", n, plan)
			}
		}
	}
}
