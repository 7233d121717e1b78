package labelling_test

import (
	"strings"
	"testing"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db/dbtest"
)

// One's own last answers are found by an index, however many answers there are.
func TestNothingIsReadWhole(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	d := dbtest.New(t)
	rows, err := d.Writer().Query(`EXPLAIN QUERY PLAN `+labelling.MineSQL, "set", "ann", 5)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var line string
		if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line)
	}
	text := strings.Join(plan, "\n")
	for _, want := range []string{"labelling_answer USING INDEX labelling_answer_person (set_id=? AND by_id=?)",
		"labelling_turn_list (set_id=? AND person_id=? AND state=?)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "SCAN labelling") { // what is sorted is the few that were found
		t.Error(text)
	}
}
