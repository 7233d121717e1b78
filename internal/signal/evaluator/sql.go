package evaluator

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/signal/evaluator/sqlcheck"
	"preceptor/internal/signal/turn"
)

// The evaluators that come with Preceptor.
const (
	SQLValidator     = "sqlvalidator"
	SQLErrorProfiler = "sqlerrorprofiler"
)

// SQLTools are the names of tools that run SQL, unless an agent's settings say others.
var SQLTools = []string{"sql_db_query", "sql_query", "query_sql", "run_sql", "execute_sql", "sql", "query"}

// longestSQL is how many bytes of a statement are read.
const longestSQL = 64 << 10

// sqlOf is the SQL of a step with one of the tools; "" for any other. Tools that show schemas or tables run none.
func sqlOf(s turn.Step, tools []string) string {
	name := strings.ToLower(s.Tool)
	if strings.Contains(name, "schema") || strings.Contains(name, "list_tables") ||
		!slices.ContainsFunc(tools, func(t string) bool { return strings.EqualFold(t, name) }) {
		return ""
	}
	return s.Argument("query", "sql", "statement")
}

// ranSQL reports whether a session has a step with SQL.
func ranSQL(turns []turn.Turn, tools []string) bool {
	return slices.ContainsFunc(turns, func(t turn.Turn) bool {
		return slices.ContainsFunc(t.Steps, func(s turn.Step) bool { return sqlOf(s, tools) != "" })
	})
}

// ValidateSQL is sqlvalidator, which needs no model.
func ValidateSQL(tools []string) Evaluator {
	return Evaluator{Name: SQLValidator, Step: func(_ context.Context, t turn.Turn, s turn.Step) (*Result, error) {
		sql := sqlOf(s, tools)
		if sql == "" {
			return nil, nil
		}
		if len(sql) > longestSQL {
			return nil, fault.New(fault.Invalid,
				"The statement is longer than 64 KB, which is the most that is checked.")
		}
		r := &Result{Issues: []string{}, SQLQuery: sql}
		score := 1.0
		for _, i := range sqlcheck.Check(sql, schemas(t)...) {
			r.Issues = append(r.Issues, i.Text)
			score = min(score, i.Score)
		}
		if refusal := refused(s); refusal != "" {
			r.Issues = append(r.Issues, failedBy(refusal))
			score = min(score, sqlcheck.Broken)
		}
		valid := score >= sqlcheck.Warning
		r.Score, r.IsValid = &score, &valid
		return r, nil
	}}
}

// failedBy says what kind of error the database gave. Its own words may repeat a user's, and an issue becomes a note
// that others are given.
func failedBy(refusal string) string {
	for _, e := range errorTypes {
		if e.says.MatchString(refusal) {
			return "The query failed: " + e.name + ". " + e.helps
		}
	}
	return "The query failed."
}

// schemas are the texts in which a turn's reference systems may stand: what tools answered in it and before it, and a
// schema that the agent sends along.
func schemas(t turn.Turn) []string {
	out := append(slices.Clone(t.Seen), t.Text("schema"))
	for _, s := range t.Steps {
		out = append(out, s.Output)
	}
	return lists.Map(out, func(s string) string { return s[:min(len(s), longestSQL)] })
}

type errorType struct {
	name  string
	says  *regexp.Regexp
	helps string
}

// errorTypes are the kinds of errors that the profiler counts, by how validators and databases speak of them, and what
// helps. The first that fits counts.
var errorTypes = []errorType{
	{"CRS mismatch errors", regexp.MustCompile(
		`(?i)\bsrid|\bepsg|\bcrs\b|reference system|coordinate|degrees|geography|st_transform|mixed srid`),
		"Bring geometries into one reference system with ST_Transform, and measure in metres."},
	{"Missing join conditions", regexp.MustCompile(`(?i)\bjoins?\b|cartesian`),
		"Join each table ON the columns that are equal."},
	{"Unknown columns",
		regexp.MustCompile(`(?i)undefinedcolumn|no such column|unknown column|column .* does not exist`),
		"Look the table's columns up first."},
	{"Unknown tables",
		regexp.MustCompile(`(?i)undefinedtable|no such table|(relation|table) .* (does not|doesn't) exist`),
		"Look the tables up first."},
	{"Unknown functions", regexp.MustCompile(`(?i)undefinedfunction|no such function|function .* does not exist`),
		"Call only functions that this database has."},
	{"Queries of whole tables",
		regexp.MustCompile(`(?i)every row of the table|time-?out|timed out|canceling statement`),
		"Add a WHERE or a LIMIT."},
	{"Syntax errors",
		regexp.MustCompile(`(?i)syntax|can't be read|no SQL statement|a word of SQL|nothing follows|markdown`),
		"Read the statement through before you run it."},
	{"Other SQL errors", regexp.MustCompile(``), ""},
}

// failure is a step that went wrong in one way.
type failure struct {
	kind   int      // of errorTypes
	step   string   // the turn and the statement
	shares []string // the function that was spoken of, as "f()", and the tables of the statement
}

// common are the failures that have the most frequent name of all, and the names that each of them has; where no name
// comes twice they are all, and share nothing.
func common(list []failure) (of []failure, names []string) {
	var most string
	times := map[string]int{}
	for _, f := range list {
		for _, name := range f.shares {
			times[name]++
		}
	}
	for _, f := range list { // of equal ones the first
		for _, name := range f.shares {
			if times[name] > max(1, times[most]) {
				most = name
			}
		}
	}
	for _, f := range list {
		if most == "" || slices.Contains(f.shares, most) {
			of = append(of, f)
		}
	}
	return of, slices.DeleteFunc(slices.Clone(of[0].shares), func(name string) bool {
		return slices.ContainsFunc(of, func(f failure) bool { return !slices.Contains(f.shares, name) })
	})
}

// mostShared is how many names of a pattern are said.
const mostShared = 3

// words are failures of one kind as a sentence and what helps, without the words of issues, which may be anybody's.
func words(of []failure, names []string, number map[string]int) string {
	at := lists.Map(of, func(f failure) int { return number[f.step] })
	slices.Sort(at)
	kind := errorTypes[of[0].kind]
	out := fmt.Sprintf("%s in %d steps", kind.name, len(of))
	if at[0] > 0 {
		out += " (" + lists.And(lists.Map(at, strconv.Itoa)) + ")"
	}
	if names = names[:min(len(names), mostShared)]; len(names) > 0 {
		out += ", each with " + lists.And(names)
	}
	return strings.TrimSpace(out + ". " + kind.helps)
}

// sharing are the first function of a statement that an issue speaks of, as "f()", and the statement's tables.
func sharing(sql, issue string) []string {
	tables, functions := sqlcheck.Names(sql)
	tables = lists.Map(tables, func(name string) string { return "table " + name })
	first, where := "", len(issue)
	for _, f := range functions {
		if at := strings.Index(strings.ToLower(issue), f+"("); at >= 0 && at < where {
			first, where = issue[at:at+len(f)], at
		}
	}
	if first != "" {
		return append([]string{first + "()"}, tables...)
	}
	return tables
}

// ProfileSQLErrors is sqlerrorprofiler: the kinds of errors that two steps or more had, by what was said of them and
// what the tools answered, those together that share a function or a table.
func ProfileSQLErrors(tools []string) Evaluator {
	return Evaluator{Name: SQLErrorProfiler,
		Trajectory: func(_ context.Context, turns []turn.Turn, found []Result) (*Result, error) {
			if !ranSQL(turns, tools) {
				return nil, nil
			}
			all := make([][]failure, len(errorTypes))
			number := map[string]int{} // of each statement's step in the session, from 1
			see := func(in, sql, issue string) {
				kind := slices.IndexFunc(errorTypes, func(t errorType) bool { return t.says.MatchString(issue) })
				step := in + " " + sql
				if !slices.ContainsFunc(all[kind], func(f failure) bool { return f.step == step }) {
					all[kind] = append(all[kind], failure{kind, step, sharing(sql, issue)})
				}
			}
			n := 0
			for _, t := range turns {
				for _, s := range t.Steps {
					sql := sqlOf(s, tools)
					if n++; number[t.ID+" "+sql] == 0 {
						number[t.ID+" "+sql] = n
					}
					if problem := refused(s); sql != "" && problem != "" {
						see(t.ID, sql, problem)
					}
				}
			}
			for _, r := range found {
				for _, issue := range r.Issues {
					if r.SQLQuery != "" {
						see(r.Turn, r.SQLQuery, issue)
					}
				}
			}
			slices.SortStableFunc(all, func(a, b []failure) int { return cmp.Compare(len(b), len(a)) })
			r := &Result{Issues: []string{}}
			for _, list := range all {
				for len(list) > 1 {
					of, names := common(list)
					r.ErrorType = cmp.Or(r.ErrorType, errorTypes[of[0].kind].name)
					r.Issues = append(r.Issues, words(of, names, number))
					list = slices.DeleteFunc(list, func(f failure) bool {
						return slices.ContainsFunc(of, func(g failure) bool { return f.step == g.step })
					})
				}
			}
			return r, nil
		}}
}

// refusal is how an output begins that says that the tool failed: "Error: …", "(psycopg2.errors.UndefinedColumn) …".
var refusal = regexp.MustCompile(`(?i)^(?:error\b|\(?[\w.]*(?:error|exception)\)?:|\([\w.]*(?:errors?\.\w+|error|exception)\))`)

// refused is what a database said of a step that it didn't run; "" where it did.
func refused(s turn.Step) string {
	if out := strings.TrimSpace(s.Output); s.Error == "" && refusal.MatchString(out) {
		return out
	}
	return strings.TrimSpace(s.Error)
}
