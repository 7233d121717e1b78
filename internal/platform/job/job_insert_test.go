package job_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/job"
)

// What insertTx writes is what River writes, but for the row's number and the nonce by which River tells its own rows.
func TestARowIsAsRiverWritesIt(t *testing.T) {
	dbtest.FilesOnly(t, "River writes all rows there")
	b := open(t)
	later := b.clock.Now()
	for name, o := range map[string]river.InsertOpts{
		"now": {MaxAttempts: 8, Queue: river.QueueDefault},
		"later": {MaxAttempts: 8, Queue: "urgent",
			ScheduledAt: later.Add(1500*time.Millisecond + 700*time.Microsecond)},
		"elsewhere": {MaxAttempts: 2, Queue: "network", ScheduledAt: later.Add(time.Hour).In(time.FixedZone("", 3600))},
	} {
		for _, insert := range job.Ways {
			if err := b.d.Write(ctx, func(tx *db.Tx) error { return insert(b.Queue, tx, note{name}, &o) }); err != nil {
				t.Fatal(err)
			}
		}
		rows := rowsOf(t, b.d, name)
		if len(rows) != 2 || rows[0] != rows[1] {
			t.Errorf("%s: River's row and ours:\n%s", name, strings.Join(rows, "\n"))
		}
	}
}

// rowsOf are the jobs with that argument, each value with its type.
func rowsOf(t *testing.T, d *db.DB, id string) (list []string) {
	t.Helper()
	columns := "args attempt attempted_at attempted_by created_at errors finalized_at kind max_attempts " +
		"json_remove(metadata,'$.\"river:unique_nonce\"') " +
		"typeof(metadata) priority queue state scheduled_at tags unique_key unique_states"
	var parts []string
	for _, c := range strings.Fields(columns) {
		parts = append(parts, fmt.Sprintf("typeof(%s) || ' ' || coalesce(quote(%s), '')", c, c))
	}
	rows, err := d.Reader().Query(`SELECT ` + strings.Join(parts, ` || ', ' || `) + ` FROM river_job
		WHERE json_extract(args, '$.id') = '` + id + `' ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}
