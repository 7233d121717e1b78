package stats

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/stats/counter"
)

// fill writes many raw rows and counts them: more than the engine would rather read whole.
func fill(t testing.TB, d *db.DB, n int) {
	t.Helper()
	at := d.Now().Add(-40 * 24 * time.Hour).UnixMilli()
	const numbers = `WITH RECURSIVE n (i, at) AS (SELECT 1, $1 + 100000 UNION ALL SELECT i + 1, at + 100000 FROM n
			WHERE i < $2) `
	for _, q := range []string{
		numbers + `INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question, customer,
				guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
			SELECT printf('%012d', i), 'a' || (i % 3), 'a' || (i % 3), 'api', 'waiting', 't' || (i % 4), 'agent', 'q',
				'{}', 'g', 'h', '', '', '', '[]', '', '', at FROM n`,
		numbers + `INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label,
				passed, blocked, borderline, confidence, flags, source, text_hash, created_at, decided_at, reminded_at)
			SELECT printf('%012d', i), 'a' || (i % 3), 'a' || (i % 3), 't' || (i % 4),
				iif(i % 5 = 0, 'waiting', 'decided'), i % 5, '', '', 'q', '', 1, 0, 0, 1, '[]', '', 'h', at,
				iif(i % 5 = 0, 0, at + i * 10000), i % 7 = 0 FROM n`,
		numbers + `INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason,
				reason_code, feedback, confirmation, flags, seconds, decided_at, held_until)
			SELECT printf('d%012d', i), printf('%012d', i), iif(i % 4 = 0, 'reject', 'approve'), 'released',
				'p' || (i % 6), 'P', '', 'h', 1, '', '', '', '', '[]', i % 300, at + i * 10000, 0 FROM n
				WHERE i % 5 <> 0`,
		numbers + `INSERT INTO verdict (id, interaction_id, text_hash, label, passed, confidence, verdict, at)
			SELECT printf('v%012d', i), printf('%012d', i), 'h', iif(i % 9 = 0, 'BORDERLINE', 'COMPLIANT_GUIDANCE'), 1,
				1, '{}', at FROM n`,
		numbers + `INSERT INTO borderline_case (id, interaction_id, agent_id, agent_name, task, who, opening, text,
				text_hash, cause, verdict, state, wanted, most, target_at, created_at)
			SELECT printf('b%012d', i), printf('%012d', i), 'a', 'a' || (i % 3), 't' || (i % 4), '', '', '', 'h',
				'dissent', '{"label":"BORDERLINE","judges":[{"judge":"tone"}]}', iif(i % 40 = 0, 'waiting', 'ruled'), 1,
				1, 0, at FROM n`,
		numbers + `INSERT INTO borderline_ruling (id, case_id, interaction_id, text_hash, label, rationale, how, by_id,
				by_name, pattern, rubric_version, taxonomy_version, at)
			SELECT printf('r%012d', i), printf('b%012d', i), printf('%012d', i), 'h', 'COMPLIANT_GUIDANCE', '',
				'agreed', 'x', 'x', '{}', 1, 1, at + i * 10000 FROM n WHERE i % 40 <> 0`,
		numbers + `INSERT INTO borderline_rating (id, decision_id, decided_by, second_by, interaction_id, agent_name,
				task, who, opening, text, state, rating, created_at, rated_at)
			SELECT printf('q%012d', i), printf('d%012d', i), 'p', '', printf('%012d', i), 'a', 't', '', '', '', 'rated',
				4, at, at + i * 20000 FROM n WHERE i % 5 <> 0`,
		numbers + `INSERT INTO vote (id, subject_id, user_id, agent_id, agent_type, topic, kind, value, norm, text,
				channel, version, first_at, at)
			SELECT printf('%012d', i), printf('%012d', i), 'u', 'a', 'a' || (i % 3), 't' || (i % 4), 'thumbs',
				1 - 2 * (i % 3 = 0), 1 - (i % 3 = 0), iif(i % 5 = 0, 'words', ''), 'api', 1, at, at FROM n`,
		numbers + `INSERT INTO outcome (id, subject_id, agent_id, agent_type, topic, satisfaction, comprehension,
				goal_alignment, issues, by_id, channel, at)
			SELECT printf('%012d', i), printf('%012d', i), 'a', 'a' || (i % 3), 't' || (i % 4), 8, 8, 8, '[]', 'u',
				'api', at FROM n`,
		numbers + `INSERT INTO lesson (id, origin, cause_kind, cause_id, interaction_id, agent_id, agent_name,
				decided_by, task, stage, state, created_at, updated_at, version)
			SELECT printf('%012d', i), 'reject', 'decision', printf('%012d', i), '', 'a', 'a' || (i % 3), 'P',
				't' || (i % 4), 'accept', 'accepted', at, 0, 1 FROM n`,
	} {
		if _, err := d.Writer().Exec(q, at, n); err != nil { // not Write, whose limit is for what people wait for
			t.Fatalf("%s: %v", q, err)
		}
	}
	if err := counter.New(d, time.UTC).Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// smallOnes are what may be read whole: lists that the statement itself makes, and tables of a few rows.
var smallOnes = regexp.MustCompile(`^SCAN (s|\(subquery-\d+\)|l|CONSTANT ROW|\d+ CONSTANT ROWS?|team|json_each)\b`)

// statements are all that a page view runs, with arguments. The walks of lists are in it from their first page and from
// a cursor.
func statements() (out map[string][]any) {
	out = map[string][]any{}
	add := func(query string, n int) {
		a := make([]any, n)
		for i := range a {
			a[i] = "t1"
		}
		out[query] = a
	}
	for _, who := range []int{1, 3} {
		add(daysSQL(4, who, 2), 4+who+2+3)
		add(histSQL(who, 2), 1+who+2+3)
		for _, by := range []dimension{byAgent, byTopic, byWho} {
			add(splitSQL(by, [4]int{3, who, 2, 2}), 3+who+4+2)
			add(endsSQL(by, [4]int{3, who, 2, 2}), 3+who+4+2)
		}
	}
	add(namesSQL(byWho), 1)
	add(namesSQL(byAgent), 2)
	add(namesSQL(byTopic), 3)
	add(nextCellSQL, 4)
	for n := range 3 {
		add(counter.QueueSQL(n+1), 5+n)
		add(waitingSQL(n), 1+n)
		add(cellSQL(n), 8+n)
	}
	for _, agent := range []string{"", "a"} {
		for _, topic := range []string{"", "t"} {
			query, a := oldestSQL(agent, topic)
			add(query, len(a))
		}
	}
	walk := func(s source, person string) {
		query, args := s.piece(0, person, keyset.Place{ID: "t1"})
		add(query, len(args))
	}
	for _, s := range sources {
		if s.id == "p.check_id || p.person_id" {
			walk(s, "p1")
			continue
		}
		walk(s, "")
		walk(s, "p1")
	}
	walk(quoteSource("t1"), "")
	walk(commentSource(counter.Negative), "")
	return out
}

func plan(t testing.TB, d *db.DB, query string, args []any) (lines []string) {
	t.Helper()
	rows, err := d.Reader().Query(`EXPLAIN QUERY PLAN `+query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var line string
		if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// No page of the statistics reads a large table whole, or sorts one, whatever the engine knows of them.
func TestNoPageReadsALargeTableWhole(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	d := dbtest.New(t)
	check := func(when string) {
		for query, args := range statements() {
			lines := plan(t, d, query, args)
			for _, line := range lines {
				scan := strings.HasPrefix(line, "SCAN") && !smallOnes.MatchString(line) &&
					!strings.Contains(line, "review USING COVERING INDEX review_late")
				sorts := strings.Contains(line, "TEMP B-TREE FOR ORDER BY")
				if scan || sorts || strings.Contains(line, "AUTOMATIC") {
					t.Errorf("%s: %s\n%s\n%s", when, line, strings.Join(lines, "\n"), query)
				}
			}
		}
	}
	query, args := conversationSQL("", "", Filter{Range: Days(d.Now(), 9, time.UTC)})
	if lines := plan(t, d, query, args); !slices.ContainsFunc(lines, func(l string) bool {
		return strings.Contains(l, "COVERING INDEX review_conversation")
	}) {
		t.Errorf("conversations are read by %s", lines)
	}
	check("empty")
	fill(t, d, 5_000)
	check("full")
	if _, err := d.Writer().Exec(`ANALYZE`); err != nil {
		t.Fatal(err)
	}
	check("analysed")
}

// A page asks as much whatever it is of, however much there is.
func TestPagesAskAsMuchOfMuchAsOfLittle(t *testing.T) {
	dbtest.FilesOnly(t, "it asks in SQLite's words")
	d := dbtest.New(t)
	r := New(d, time.UTC, quiet())
	read := func() (n [4]int64) {
		f := Filter{Range: Days(d.Now(), 90, time.UTC)}
		for i, page := range []func() error{
			func() error { _, err := r.Satisfaction(t.Context(), f); return err },
			func() error { _, err := r.Review(t.Context(), f); return err },
			func() error { _, err := r.Compliance(t.Context(), f); return err },
			func() error { _, err := r.Learning(t.Context(), f); return err },
		} {
			before := d.Statements()
			if err := page(); err != nil {
				t.Fatal(err)
			}
			n[i] = d.Statements() - before
		}
		return n
	}
	fill(t, d, 500)
	few := read()
	if few[0] > 20 || few[1] > 50 || few[2] > 20 || few[3] > 10 {
		t.Errorf("the pages ask %v times", few)
	}
	e := dbtest.New(t)
	d, r = e, New(e, time.UTC, quiet())
	fill(t, d, 5_000)
	if many := read(); many[0] > few[0] || many[1] > few[1] || many[2] > few[2] || many[3] > few[3] {
		// few times are read one by one
		t.Errorf("of 5,000 the pages ask %v times, of 500 %v", many, few)
	}
}
