package counter_test

import (
	"regexp"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/review"
	"preceptor/internal/stats/counter"
)

// Which decisions count is said where they are made and where they are summed, in Go and in SQL. All three say the same
// of every state that the table takes, and of a state that is added later this test asks for an answer.
func TestWhichDecisionsCountIsSaidAlikeEverywhere(t *testing.T) {
	dbtest.FilesOnly(t, "it asks in SQLite's words")
	counts := map[string]bool{
		review.Held: true, review.Released: true, review.Escalated: true, review.Returned: true, review.Closed: true,
		review.Pending: false, review.Undone: false, review.Overruled: false, review.Recalled: false,
	}
	d := dbtest.New(t)
	var table string
	if err := d.Reader().QueryRow(`SELECT sql FROM sqlite_schema WHERE name = 'decision'`).Scan(&table); err != nil {
		t.Fatal(err)
	}
	check := regexp.MustCompile(`state\s+TEXT NOT NULL CHECK \(state IN \(([^)]*)\)`).FindStringSubmatch(table)
	if check == nil {
		t.Fatalf("the table's states are not found in %s", table)
	}
	states := regexp.MustCompile(`\w+`).FindAllString(check[1], -1)
	if len(states) != len(counts) {
		t.Errorf("the table takes %q; %d states are known here", states, len(counts))
	}
	for _, state := range states {
		want, known := counts[state]
		if !known {
			t.Errorf("say whether a decision that is %s counts: in review.Settled.Stands, in package tally and here",
				state)
			continue
		}
		if got := (review.Settled{State: state}).Stands(); got != want {
			t.Errorf("%s: package review says %v", state, got)
		}
		if got := counter.Stands(state); got != want {
			t.Errorf("%s: package tally says %v", state, got)
		}
		var got bool
		if err := d.Read(t.Context(), func(tx *db.Tx) error {
			return tx.QueryRow(`SELECT `+counter.StandsSQL(`s.state`)+` FROM (SELECT $1 AS state) s`, state).Scan(&got)
		}); err != nil || got != want {
			t.Errorf("%s: the statement says %v, %v", state, got, err)
		}
	}
}
