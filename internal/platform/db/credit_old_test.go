package db_test

import (
	"path/filepath"
	"slices"
	"testing"
)

// Migration 00117 brings what is known of knowledge to one table of lines and one of sums: what was undone, and what
// counted before a person ended a quarantine, stays and counts no more; nothing of a practice session comes along.
func TestCreditOfAnOldFile(t *testing.T) {
	raw := rawOpen(t, filepath.Join(t.TempDir(), "old.db"))
	defer raw.Close()
	goose := oldGoose(t, raw)
	if _, err := goose.UpTo(ctx, 116); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		`INSERT INTO credit_outcome VALUES ('o1', 'real', 'i1', 'a', 'x', 1, 1, 10), ('o2', 'real', 'i2', 'a', 'x', 0, 1, 20),
			('o3', 'real', 'i3', 'a', 'y', 0, 0, 30), ('v1', 'virtual', 'i4', 'a', 'x', 1, 1, 40)`,
		`INSERT INTO credit_shown (outcome_id, item_id, kind, version, epoch, others, counted, asked_by, misled, below)
			VALUES ('o1', 'r', 'rule', 1, 0, 0.5, 1, '', 0, 1), ('o2', 'r', 'rule', 3, 1, -0.5, 1, 'ann', 1, 0),
			('o3', 'c', 'case', 1, 0, 0, 0, '', 0, 0), ('v1', 'c', 'case', 1, 0, 0, 1, '', 0, 0)`,
		`INSERT INTO credit_task VALUES ('real', 'a', 'x', 2, 1), ('real', 'a', 'y', 0, 0), ('virtual', 'a', 'x', 1, 1)`,
		`INSERT INTO credit_item VALUES ('real', 'r', 0, 'a', 'x', 1, 1, 0.5), ('real', 'r', 1, 'a', 'x', 1, 0, -0.5),
			('virtual', 'c', 0, 'a', 'x', 1, 1, 0)`,
		`INSERT INTO credit_epoch VALUES ('r', 1, 'edie', 'It is right.', 15)`,
		`INSERT INTO credit_check VALUES ('i1/ann', 'ann', 1, 1, 11), ('i2/ann', 'ann', 0, 1, 21)`,
		`INSERT INTO credit_asked VALUES ('r', 0, 'ann', 4, 2), ('r', 1, 'ann', 1, 1)`,
		`INSERT INTO credit_checked VALUES ('ann', 1, 1, 1), ('ann', 0, 1, 1)`,
	} {
		if _, err := raw.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if _, err := goose.UpTo(ctx, 117); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{
		`SELECT concat_ws('|', outcome_id, item_id, kind, version, agent_id, task, approved, others, counted, below,
			asked_by, misled, at) FROM credit ORDER BY outcome_id, item_id`: {
			"i1/ann|check true||0|||0|0.0|1|0|ann|1|11", "i2/ann|check false||0|||0|0.0|1|0|ann|1|21",
			"o1|||0|a|x|1|0.0|1|0||0|10", "o1|r|rule|1|a|x|1|0.5|0|1||0|10", "o2|||0|a|x|0|0.0|1|0||0|20",
			"o2|r|rule|3|a|x|0|-0.5|1|0|ann|1|20", "o3|||0|a|y|0|0.0|0|0||0|30", "o3|c|case|1|a|y|0|0.0|0|0||0|30"},
		`SELECT concat_ws('|', item_id, what, agent_id, task, n, hits, others) FROM credit_sum ORDER BY item_id, what, task`: {
			"|shown|a|x|2|1|0.0", "|shown|a|y|0|0|0.0", "check false|asked|ann||1|1|0.0", "check true|asked|ann||1|1|0.0",
			"r|asked|ann||1|1|0.0", "r|shown|a|x|1|0|-0.5"},
	} {
		if got := all(t, raw, query); !slices.Equal(got, want) {
			t.Errorf("%s:\n%q\nwant\n%q", query, got, want)
		}
	}
}
