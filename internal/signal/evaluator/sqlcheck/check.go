// Package sqlcheck reads SQL that an agent wrote and says what is wrong with it, in sentences that a model can act on:
// what, where, and what to write instead. It owns no table, needs no database and knows only what the text says.
//
// What it finds: text that can't be read or is no statement, tables that nothing joins, a SELECT of whole tables, and
// PostGIS's units: distances in degrees, degrees where metres are meant, two reference systems in one call.
//
// What it promises. It never panics, and the same text gives the same issues; blanks and comments around a statement
// change nothing. The reference system of a column is unknown, unless the statement sets it (ST_SetSRID, ST_Transform,
// ::geography, also in a WITH) or a schema says it; what is unknown is called wrong only where a point of plausible
// degrees is measured from in what look like metres.
//
// How it works. read.go makes a tree of tokens and parentheses; query.go finds the clauses of each SELECT in it and the
// sources of its FROM; spatial.go looks at the calls of ST_ functions.
//
// What it decided against: a grammar. The pure Go ones that are kept (pgplex/pgparser, pg18_query_go) know PostgreSQL
// alone, with tens of thousands of generated lines; agents write SQLite, MySQL and T-SQL too, and calling right SQL
// wrong teaches an agent worse than silence. For the same reason syntax beyond quotes and parentheses is left to the
// database, whose error the profiler counts.
package sqlcheck

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/platform/text"
)

// The scores of issues, where 0 is worst and 1 is nothing wrong.
const (
	Broken  = 0.1 // it can't run
	Wrong   = 0.3 // it fails, or its answer is wrong
	Degrees = 0.7 // it measures in degrees: seed 003's own score for that
	Warning = 0.8 // it may be right
)

// Issue is what is wrong, as a sentence or two.
type Issue struct {
	Text  string
	Score float64
}

// most is how many issues one text may have.
const most = 20

// checker gathers the issues of one text.
type checker struct {
	issues  []Issue
	defined map[string]bool   // names of WITH
	columns map[string]system // what is known of the columns that WITH defines, as p.geom, and of a schema's, as geom
}

// Check lists what is wrong with a text of one or more statements, the worst first. Schemas are what tools said of the
// tables before, in any form that names columns as PostGIS does.
func Check(sql string, schemas ...string) []Issue {
	c := &checker{defined: map[string]bool{}, columns: map[string]system{}}
	for _, s := range schemas {
		c.schema(s)
	}
	list, problem := read(sql)
	switch {
	case strings.HasPrefix(strings.TrimSpace(sql), "```"):
		c.add(Broken, "The SQL is wrapped in a Markdown fence. Give the tool the statement alone.")
	case problem != "":
		c.add(Broken, "The SQL can't be read: it has %s. Close every quote, comment and parenthesis.", problem)
	case len(slices.Concat(split(list, ";")...)) == 0:
		c.add(Broken, "There is no SQL statement. Give the tool a whole one, such as SELECT … FROM … WHERE ….")
	default:
		for _, statement := range split(list, ";") {
			if len(statement) > 0 {
				c.statement(statement)
			}
		}
	}
	slices.SortStableFunc(c.issues, func(a, b Issue) int { return cmp.Compare(a.Score, b.Score) })
	return c.issues
}

// add notes an issue once.
func (c *checker) add(score float64, format string, args ...any) {
	i := Issue{Text: fmt.Sprintf(format, args...), Score: score}
	if len(c.issues) < most && !slices.Contains(c.issues, i) {
		c.issues = append(c.issues, i)
	}
}

// verbs begin statements.
var verbs = set(
	`select with insert update delete values table merge replace explain create alter drop truncate comment grant revoke copy analyze
	vacuum refresh reindex cluster show set reset describe desc pragma
	use begin start commit rollback savepoint release call exec execute prepare
	deallocate declare fetch do lock attach detach`)

func set(words string) map[string]bool { return text.Set(strings.Fields(words)) }

func (c *checker) statement(list []node) {
	first := list[0]
	if first.kind != group && !(first.kind == word && verbs[first.low]) {
		c.add(Broken, "%s doesn't begin with a word of SQL. Give the tool the statement alone, beginning with "+
			"SELECT, WITH or another verb.", quote(list))
		return
	}
	c.learn(list)
	c.walk(list)
	if first.kind == group {
		list = first.in
	}
	if isQuery(list) {
		c.unbounded(list)
	}
}

// learn notes what WITH defines, the inner ones first.
func (c *checker) learn(list []node) {
	for i, n := range list {
		c.learn(n.in)
		with := i - 1
		for with > 0 && (list[with].is("materialized") || list[with].is("not")) {
			with--
		}
		if with < 1 || !isQuery(n.in) || !list[with].is("as") {
			continue
		}
		if list[with-1].kind == group && with > 1 { // its columns, as in p(geom) AS (…)
			with--
		}
		as := list[with-1].low
		c.defined[as] = true
		for _, q := range queries(n.in) {
			for _, item := range split(q["select"], ",") {
				if last := len(item) - 1; last > 1 && item[last-1].is("as") {
					c.columns[as+"."+item[last].low] = c.system(item[:last-1])
				}
			}
		}
	}
}

// walk checks the queries and calls of a list and of every group in it.
func (c *checker) walk(list []node) {
	for _, q := range queries(list) {
		c.joins(q)
	}
	for i, n := range list {
		if n.kind == group && i > 0 {
			c.spatial(list[i-1 : i+1])
		}
		c.walk(n.in)
	}
}

// quote is a passage of the statement, shortened, in backticks.
func quote(list []node) string { return quoted(show(list)) }

// quoted is a piece of SQL without its texts, which may be anybody's words.
func quoted(s string) string {
	return "`" + strings.ReplaceAll(text.Opening(inQuotes.ReplaceAllString(s, "'…'"), 160), "`", `"`) + "`"
}

var inQuotes = regexp.MustCompile(`'[^']*'?`)
