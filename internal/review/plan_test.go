package review_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/review"
)

var textHash = interaction.TextHash("Text.")

// fill puts n cases into the queue at once, spread over priorities, three agents and four tasks, all a second apart.
// Each has one of five flags; one in a hundred another that is rare. One in seven is assigned, to Bob, and one in nine
// needs a second supervisor, for half of which Cy signed first.
func (k *desk) fill(t testing.TB, n int) {
	dbtest.FilesOnly(t, "it is filled by SQLite, whose plans are looked at")
	t.Helper()
	do := func(sql string, args ...any) {
		t.Helper()
		if _, err := k.db.Writer().Exec(sql, args...); err != nil {
			// not Write: its time limit is for transactions that people wait for
			t.Fatalf("fill: %v", err)
		}
	}
	start := k.clock.Now().UnixMilli() - int64(n)*1000
	do(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question, customer, guidance,
			guidance_hash,
			reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
		SELECT printf('%036d', i), 'agent-' || (i % 3), 'Agent', 'api', 'waiting', 'task-' || (i % 4), 'agent',
			'A question?', '{}', 'Text.', $2,
			'', '', '', '[]', '', '', $3 + i * 1000 FROM n`, n, textHash, start)
	do(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label, passed, blocked,
			borderline, confidence,
			flags, source, text_hash, created_at, two_eyes, assigned_to, assigned_name, first_by, first_name)
		SELECT printf('%036d', i), 'agent-' || (i % 3), 'Agent', 'task-' || (i % 4), 'waiting', i % 5, 'DB pension',
			'58, DB', 'A question?', '', 1, 0, 0, 1,
			'[]', '', $2, $3 + i * 1000, i % 9 = 0, iif(i % 7 = 0, 'bob', ''), iif(i % 7 = 0, 'Bob', ''),
				iif(i % 18 = 0, 'cy', ''), iif(i % 18 = 0, 'Cy', '') FROM n`,
		n, textHash, start)
	do(`INSERT INTO review_flag (review_id, code, state, agent_id, task, place, at)
		SELECT id, 'FLAG_' || (CAST(id AS INTEGER) % 5), state, agent_id, task, priority, created_at FROM review`)
	do(`INSERT INTO review_flag (review_id, code, state, agent_id, task, place, at)
		SELECT id, 'RARE', state, agent_id, task, priority, created_at FROM review WHERE CAST(id AS INTEGER) % 100 = 0`)
	do(`INSERT INTO search_case (item_id, words)
		SELECT id, 'how much is tax free pension number' || id || CASE CAST(id AS INTEGER) % 500
			WHEN 0 THEN ' mackerel' ELSE '' END FROM review`)
	do(`INSERT INTO case_text (case_text) VALUES ('rebuild')`)
	do(`UPDATE review_count SET n = n + $1 WHERE state = 'waiting'`, n)
}

// unsign takes the first signatures away, so that every case can be decided: fill stores no decisions that they stand
// on.
func (k *desk) unsign(t testing.TB) {
	t.Helper()
	if _, err := k.db.Writer().Exec(`UPDATE review SET first_by = '', first_name = ''
		WHERE first_by <> ''`); err != nil {
		t.Fatal(err)
	}
}

// plan is how the engine would run a statement, a line a step.
func (k *desk) plan(t testing.TB, sql string, args []any) string {
	t.Helper()
	rows, err := k.db.Writer().Query(`EXPLAIN QUERY PLAN `+sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var id, parent, unused int
		var line string
		if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// The queue is walked along an index and not sorted, however long it is and whatever the engine knows of it: the whole
// of it, or an agent's or a task's.
func TestQueueIsWalkedInItsOrder(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	k := open(t)
	check := func(when string) {
		for _, agent := range []string{"", "agent-1"} {
			for _, task := range []string{"", "task-1"} {
				for _, state := range []string{review.Needs, review.Done} {
					for _, cursor := range []string{"", "My4xLjEuMQ"} {
						f := review.Filter{AgentID: agent, Task: task, State: state, Cursor: cursor}
						for _, s := range review.ListSQL(f) {
							k.wantIndex(t, fmt.Sprintf("%s, %+v", when, f), s.SQL, s.Args, true)
						}
					}
				}
			}
		}
		k.wantIndex(t, when+", oldest", review.OldestSQL(), nil, true)
	}
	check("empty")
	k.fill(t, 5000)
	check("full")
	if _, err := k.db.Writer().Exec(`ANALYZE`); err != nil {
		t.Fatal(err)
	}
	check("analysed")
}

// filters calls f with every combination of filters, in every state, on the first page and behind it.
func filters(f func(review.Filter)) {
	both := func(values ...string) []string { return append([]string{""}, values...) }
	for _, state := range []string{review.Needs, review.Others, review.Signed, review.Done} {
		for _, agent := range both("agent-1") {
			for _, task := range both("task-1") {
				for _, flag := range both("FLAG_1") {
					for _, age := range both(review.Fresh, review.Late) {
						for _, reviewer := range both("bob") {
							for _, assigned := range both(review.ToMe, review.ToNobody, "bob") {
								for _, eyes := range both(review.TwoEyes, review.Once) {
									for _, cursor := range both("My4xLjEuMQ") {
										f(review.Filter{State: state, AgentID: agent, Task: task, Flag: flag, Age: age,
											Reviewer: reviewer, Assigned: assigned,
											Eyes: eyes, Cursor: cursor, Viewer: "ann",
											Targets: review.Targets{"": {Soon: time.Hour, Late: 4 * time.Hour}}})
									}
								}
							}
						}
					}
				}
			}
		}
	}
}

// However the queue is filtered, an index leads to its rows, whatever the engine knows of them.
func TestEveryFilterUsesAnIndex(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	k := open(t)
	check := func(when string) {
		seen := map[string]bool{}
		filters(func(f review.Filter) {
			for _, s := range review.ListSQL(f) {
				if !seen[s.SQL] {
					seen[s.SQL] = true
					k.wantIndex(t, fmt.Sprintf("%s, %+v", when, f), s.SQL, s.Args, false)
				}
			}
		})
		if len(seen) < 500 {
			t.Errorf("only %d different statements", len(seen))
		}
	}
	check("empty")
	k.fill(t, 2000)
	if _, err := k.db.Writer().Exec(`ANALYZE`); err != nil {
		t.Fatal(err)
	}
	check("analysed")
}

func (k *desk) wantIndex(t testing.TB, what, sql string, args []any, ordered bool) {
	t.Helper()
	plan := k.plan(t, sql, args)
	for line := range strings.Lines(plan) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "SCAN") || strings.Contains(line, "AUTOMATIC") ||
			ordered && strings.Contains(line, "TEMP B-TREE FOR ORDER BY") {
			t.Errorf("%s: %s\n%s\n%s", what, line, plan, sql)
		}
	}
	if !strings.Contains(plan, "SEARCH review USING") && !strings.Contains(plan, "SEARCH f USING") {
		t.Errorf("%s uses no index:\n%s", what, plan)
	}
}

func TestFilledQueueAgreesWithItself(t *testing.T) {
	k := open(t)
	k.fill(t, 50)
	c, err := k.Counts(ctx, "ann", false)
	if err != nil || c.Needs != 50 {
		t.Errorf("%+v, %v", c, err)
	}
	k.unsign(t)
	id, ok, err := k.ClaimNext(ctx, ann, review.Filter{})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	k.decide(t, id, ann, review.Reject)
}
