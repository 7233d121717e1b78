package db_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Migrations 00104 to 00106 bring what people answered, have before them and passed over to two tables, whatever kind
// of text it is. No answer is lost, what was taken back stays taken back, and everybody is where they were.
func TestAnswersOfAnOldFile(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	goose := oldGoose(t, raw)
	if _, err := goose.UpTo(ctx, 103); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		`PRAGMA foreign_keys = OFF`,
		`INSERT INTO preference_answer
			VALUES ('p1', 'pair', 'ann', 'Ann', 'left', 'right', 10, 20),
				('p2', 'pair', 'ann', 'Ann', 'left', 'tie', 30, 0)`,
		`INSERT INTO preference_skip VALUES ('pair', 'ben', 40), ('pair', 'ann', 50)`,
		`INSERT INTO practice_answer (round_id, n, person_id, pack, case_id, begun_at)
			VALUES ('round', 1, 'sam', 'general', 'c1', 5)`,
		`INSERT INTO practice_answer
			VALUES ('round', 2, 'sam', 'general', 'c2', 5, 'reject', '', 'It''s "wrong".', 'wrong_facts', 'caught',
				'[1]', 60)`,
		`INSERT INTO dataset_person (dataset_id, person_id, name) VALUES ('set', 'ann', 'Ann')`,
		`INSERT INTO dataset_turn (dataset_id, person_id, seq, item_id, state, origin, flag, at)
			VALUES ('set', 'ann', 1, 'i1', 'done', 'walk', 'odd', 70),
			('set', 'ann', 2, 'i2', 'open', 'given', '', 71), ('set', 'ben', 1, 'i1', 'seen', 'walk', '', 72)`,
		`INSERT INTO dataset_label
			VALUES ('l1', 'set', 'i1', 'ann', 'Ann', 1, 1, 0, 0, 'A', '{"label":"A"}', 1, 900, 0, 'r1', 70, 0),
			('l2', 'set', 'i1', 'ann', 'Ann', 2, 0, 1, 1, 'B', '{"label":"B"}', 1, 800, 1, 'r2', 75, 0),
			('l3', 'set', 'i3', 'external:x', 'x (imported)', 1, 1, 1, 0, 'A', '{"label":"A"}', 0, 0, -1, '', 76, 0)`,
		`INSERT INTO borderline_answer VALUES
			('b1', 'case', 'eva', 'Eva', 'blind', 0, 'NON_COMPLIANT', 'ADVICE',
				'[{"code":"X","start":1,"end":2,"quote":"o"}]', 0.8, 'A "reason".', 3, 4, 12, 80, 0, '[]'),
			('b2', 'case', 'eva', 'Eva', 'final', 0, 'COMPLIANT_GUIDANCE', 'GUIDANCE', '[]', 0.57, 'Else.', 3, 4, 5, 81,
				82, '[]'),
			('b3', 'case', 'eva', 'Eva', 'final', 1, 'NON_COMPLIANT', 'ADVICE', '[]', 0.8, 'A "reason".', 3, 4, 5, 83,
				0, '[]'),
			('b4', 'case', 'fay', 'Fay', 'blind', 0, 'NON_COMPLIANT', 'ADVICE', '[]', 1, 'So.', 3, 4, 5, 84, 0, '[]')`,
		`INSERT INTO borderline_claim (case_id, by_id, by_name, at, until, draft, skipped_at)
			VALUES ('case', 'fay', 'Fay', 84, 700084, 'typed', 0),
			('case', 'gil', 'Gil', 85, 0, '', 86), ('case', 'eva', 'Eva', 87, 700087, '', 0)`,
	} {
		if _, err := raw.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if _, err := goose.UpTo(ctx, 106); err != nil {
		t.Fatal(err)
	}
	read := func(q string) (list []string) {
		t.Helper()
		rows, err := raw.Query(q)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			list = append(list, line)
		}
		return list
	}
	for what, c := range map[string]struct {
		query string
		want  []string
	}{
		"answers": {`SELECT concat_ws('|', id, set_id, item_id, by_id, by_name, revision, first, standing, late, label,
				seq, spent_ms, outcome, rubric, at, undone_at)
			FROM labelling_answer ORDER BY id`, []string{
			"b1|borderline|case|eva|Eva|1|1|0|0|NON_COMPLIANT|0|12000|0||80|0",
			"b2|borderline|case|eva|Eva|2|0|0|0|COMPLIANT_GUIDANCE|0|5000|0||81|82",
			"b3|borderline|case|eva|Eva|3|0|1|0|NON_COMPLIANT|0|5000|0||83|0",
			"b4|borderline|case|fay|Fay|1|1|1|0|NON_COMPLIANT|0|5000|0||84|0",
			"l1|set|i1|ann|Ann|1|1|0|0|A|1|900|-1|r1|70|0", "l2|set|i1|ann|Ann|2|0|1|1|B|1|800|1|r2|75|0",
			"l3|set|i3|external:x|x (imported)|1|1|1|0|A|0|0|0||76|0",
			"p1|preference|pair|ann|Ann|1|1|0|0|right|0|0|0||10|20",
			"p2|preference|pair|ann|Ann|2|1|1|0|tie|0|0|0||30|0",
			"round-2|round|general/c2|sam||1|1|1|0|caught|0|0|0||60|0"}},
		"turns": {`SELECT concat_ws('|', set_id, item_id, person_id, name, seq, state, origin, flag, draft, since, at)
			FROM labelling_turn ORDER BY 1`, []string{
			"borderline|case|eva|Eva|0|done||||83|83", "borderline|case|fay|Fay|0|open|||typed|84|100084",
			"borderline|case|gil|Gil|0|skipped||||85|86",
			"preference|pair|ann|Ann|0|done||||30|30", "preference|pair|ben||0|skipped||||40|40",
			"round|general/c1|sam||1|open|practice|||5|5", "round|general/c2|sam||2|done|practice|||5|60",
			"set|i1|ann|Ann|1|done|walk|odd||70|70", "set|i1|ben||1|seen|walk|||72|72",
			"set|i2|ann|Ann|2|open|given|||71|71"}},
		"bodies": {`SELECT answer FROM labelling_answer
			WHERE id IN ('b1', 'p1', 'round-2', 'l2')
			ORDER BY id`, []string{
			`{"kept":false,"boundary":"ADVICE","marks":[{"code":"X","start":1,"end":2,"quote":"o"}],"confidence":0.8,"rationale":"A \"reason\".","clicks":[],"rubric":3,"taxonomy":4}`,
			`{"label":"B"}`, `left`,
			`{"kind":"reject","text":"","reason":"It's \"wrong\".","reason_code":"wrong_facts","left":[1]}`}},
		"old tables": {`SELECT name FROM sqlite_master
			WHERE name IN ('preference_answer', 'preference_skip', 'preference_score', 'practice_answer',
			'dataset_turn',
			'dataset_label', 'borderline_claim', 'borderline_answer')`, nil},
	} {
		if got := read(c.query); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
