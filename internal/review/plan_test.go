package review_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/db"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

var textHash = interaction.TextHash("Text.")

// fill puts n cases into the queue at once, spread over priorities, three agents and four tasks, all a second apart.
func (k *desk) fill(t testing.TB, n int) {
	t.Helper()
	err := k.db.Write(ctx, func(tx *db.Tx) error {
		for _, sql := range []string{
			`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question, customer, guidance, guidance_hash,
				reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
			SELECT printf('%036d', i), 'agent-' || (i % 3), 'Agent', 'api', 'waiting', 'task-' || (i % 4), 'agent', 'A question?', '{}', 'Text.', $2,
				'', '', '', '[]', '', '', $3 + i * 1000 FROM n`,
			`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label, passed, blocked, borderline, confidence,
				flags, source, text_hash, created_at)
			SELECT printf('%036d', i), 'agent-' || (i % 3), 'Agent', 'task-' || (i % 4), 'waiting', i % 5, 'DB pension', '58, DB', 'A question?', '', 1, 0, 0, 1,
				'[]', '', $2, $3 + i * 1000 FROM n`,
		} {
			if _, err := tx.Exec(sql, n, textHash, k.clock.Now().UnixMilli()-int64(n)*1000); err != nil {
				return err
			}
		}
		_, err := tx.Exec(`UPDATE review_count SET n = n + $1 WHERE state = 'waiting'`, n)
		return err
	})
	if err != nil {
		t.Fatalf("fill: %v", err)
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

// The queue is walked along an index and never sorted or read whole, however long it is and whatever the engine knows of
// it.
func TestQueueIsNeverReadWhole(t *testing.T) {
	k := open(t)
	check := func(when string) {
		for _, agent := range []string{"", "agent-1"} {
			for _, task := range []string{"", "task-1"} {
				f := review.Filter{AgentID: agent, Task: task, Viewer: "ann"}
				for _, s := range review.ClaimNextSQL(f) {
					k.wantIndex(t, when+", next", s.SQL, s.Args, true)
				}
				for _, state := range []string{review.Needs, review.Others, review.Done} {
					f.State = state
					for _, cursor := range []string{"", "MS4xLjE"} {
						f.Cursor = cursor
						for _, s := range review.ListSQL(f) {
							k.wantIndex(t, fmt.Sprintf("%s, %s %s %s %q", when, state, agent, task, cursor), s.SQL, s.Args, !s.Sorted)
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

func (k *desk) wantIndex(t testing.TB, what, sql string, args []any, ordered bool) {
	t.Helper()
	plan := k.plan(t, sql, args)
	for line := range strings.Lines(plan) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "SCAN review") || ordered && strings.Contains(line, "TEMP B-TREE FOR ORDER BY") {
			t.Errorf("%s: %s\n%s\n%s", what, line, plan, sql)
		}
	}
	if !strings.Contains(plan, "SEARCH review USING") {
		t.Errorf("%s uses no index:\n%s", what, plan)
	}
}

func TestFilledQueueAgreesWithItself(t *testing.T) {
	k := open(t)
	k.fill(t, 50)
	c, err := k.Counts(ctx, "ann")
	if err != nil || c.Needs != 50 {
		t.Errorf("%+v, %v", c, err)
	}
	id, ok, err := k.ClaimNext(ctx, ann, review.Filter{})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	k.decide(t, id, ann, review.Reject)
}
