package interaction_test

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db/dbtest"
)

func TestAskedListsOnesOwnNewestFirst(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	d := open(t)
	people := []audit.Actor{{Kind: audit.Person, ID: "ann", Name: "Ann"}, {Kind: audit.Person, ID: "bob", Name: "Bob"}}
	var ids []string
	for i := range 5 {
		id, err := d.Advise(ctx, submission().Consultation, robot.ID, robot.Name, interaction.OriginAsk, people[i%2],
			nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
		d.clock.Advance(time.Second)
	}
	list, err := d.Asked(ctx, "ann", 2)
	if err != nil || len(list) != 2 || list[0].ID != ids[4] || list[1].ID != ids[2] {
		t.Errorf("%d listed, %v", len(list), err)
	}
	for i, who := range []string{"ann", "bob", "ann"} {
		if yes, err := d.AskedBy(ctx, ids[i], who); err != nil || !yes {
			t.Errorf("%s asked %d: %v, %v", who, i, yes, err)
		}
	}
	if yes, err := d.AskedBy(ctx, ids[0], "bob"); err != nil || yes {
		t.Errorf("Bob did not ask what Ann asked: %v, %v", yes, err)
	}
	var plan string
	var a, b, c int
	row := d.db.Writer().QueryRow(
		`EXPLAIN QUERY PLAN SELECT id FROM interaction_event JOIN interaction ON id = interaction_id WHERE kind = 'asked' AND actor_id = $1 ORDER BY at DESC, interaction_id DESC LIMIT $2`, "ann", 2)
	if err := row.Scan(&a, &b, &c, &plan); err != nil || !strings.Contains(plan, "interaction_event_asked") {
		t.Errorf("plan %q, %v", plan, err)
	}
}
