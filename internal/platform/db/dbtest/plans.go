package dbtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"preceptor/internal/platform/db"
)

// large are the tables of which no statement may read all rows: those of what is learned, and of what it is learned
// from.
var large = []string{
	"knowledge_case", "knowledge_case_version", "knowledge_rule", "knowledge_rule_version", "knowledge_usage",
	"knowledge_prompt", "knowledge_duplicate",
	"credit", "credit_sum", "lesson", "lesson_step",
	"lesson_test", "lesson_source", "memory", "insight", "insight_memory",
	"search_entry", "embedding", "interaction", "interaction_event", "review", "decision", "verdict", "audit",
	"audit_content", "vote", "outcome",
}

var (
	placeholder = regexp.MustCompile(`\$(\d+)`)
	named       = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE)\s+([a-z_]+)(?:\s+(?:AS\s+)?([a-z]+))?`)
	scanned     = regexp.MustCompile(`^SCAN (\w+)`)
	where       = regexp.MustCompile(`(?i)\bWHERE\b`)
)

// ReadAll are parts of statements that may read a large table whole, with why: blanks are as single ones, $ is the end.
// A new one has to say why nobody waits for it.
var ReadAll = map[string]string{
	"SELECT count(*), coalesce(sum(active), 0) FROM search_entry": "the indexes are checked, which reads both",
	"FROM search_entry e LEFT JOIN embedding v ON":                "the same",
	"DELETE FROM embedding WHERE model NOT IN":                    "another embedder: all vectors change",
	"DELETE FROM knowledge_duplicate":                             "an import compares all texts with each other",
	"SELECT item_id, count(*) AS times FROM knowledge_usage": "every six hours, beside the writers, along " +
		"an index",
	"SELECT (SELECT count(*) FROM search_entry), (SELECT count(*)": "once at a start, along two indexes without " +
		"texts or vectors",
	"WHERE 1 = 1 AND stage <> 'case' ORDER BY created_at DESC": "one lesson in some is of another stage, so the " +
		"walk ends soon",
	"WHERE 1 = 1 AND +state IN ('accepted', 'rejected', 'withdrawn'": "nearly all lessons have ended, so the walk " +
		"ends soon",
	"SELECT rule_id, version, content, reason FROM knowledge_rule_version ORDER BY rule_id": "an erasure looks for " +
		"somebody's name everywhere",
	"UNION SELECT lesson_id FROM lesson_source WHERE lower(source) LIKE":           "an erasure",
	"WHERE d.taught <> '' AND lower(d.taught) LIKE":                                "the same, along an index",
	"content, created_at FROM knowledge_rule_version WHERE erased_at = 0 ORDER BY": "labels are exported",
	"FROM lesson WHERE 0 = 0$":                                                     "a test reads them all",
}

var (
	seenMu sync.Mutex
	seen   = map[string]bool{}
)

// NothingWhole has each statement that ran inside transactions of d planned, once in a test program, and fails the test
// for those that read a large table whole when it ends. Walking an index without a condition up to a limit is no such
// reading. A search (SEARCH in the plan) that finds half of the table is not seen: that takes a look at how long it
// takes.
func NothingWhole(t testing.TB, d *db.DB) {
	t.Cleanup(func() {
		for _, text := range d.Met() {
			seenMu.Lock()
			known := seen[text]
			seen[text] = true
			seenMu.Unlock()
			if !known {
				whole(t, d, text)
			}
		}
	})
}

// lookup is a value that is read by a key for each row.
var lookup = regexp.MustCompile(`\(SELECT \w+ FROM \w+ WHERE id = \w+\.\w+\)`)

func whole(t testing.TB, d *db.DB, text string) {
	line := strings.Join(strings.Fields(text), " ")
	verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
	if !slices.Contains([]string{"SELECT", "WITH", "INSERT", "UPDATE", "DELETE"}, verb) || excused(line) {
		return
	}
	for _, step := range plan(t, d, text) {
		m := scanned.FindStringSubmatch(step)
		if m == nil || strings.Contains(step, "VIRTUAL TABLE") || !slices.Contains(large, tableOf(line, m[1])) {
			continue
		}
		if strings.Contains(line, " ORDER BY ") && strings.Contains(line, " LIMIT ") &&
			!where.MatchString(strings.ReplaceAll(lookup.ReplaceAllString(line, ""), "WHERE 1 = 1 ORDER", "")) {
			continue
		}
		t.Errorf("%s, all of it: %s", step, line)
	}
}

func excused(line string) bool {
	for part := range ReadAll {
		if strings.Contains(line+"$", part) {
			return true
		}
	}
	return false
}

// tableOf is the table that a plan calls by its name in the statement.
func tableOf(line, name string) string {
	for _, m := range named.FindAllStringSubmatch(line, -1) {
		if m[2] == name {
			return m[1]
		}
	}
	return name
}

// plan gives nothing for a statement that can't be planned any more.
func plan(t testing.TB, d *db.DB, text string) (steps []string) {
	t.Helper()
	n := 0
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		if k, err := strconv.Atoi(m[1]); err == nil {
			n = max(n, k)
		}
	}
	rows, err := d.Writer().Query("EXPLAIN QUERY PLAN "+text, make([]any, n)...)
	if err != nil {
		return nil
	}
	defer rows.Close()
	for rows.Next() {
		var a, b, c int
		var step string
		if err := rows.Scan(&a, &b, &c, &step); err != nil {
			t.Fatal(fmt.Errorf("plan %s: %w", text, err))
		}
		steps = append(steps, step)
	}
	return steps
}
