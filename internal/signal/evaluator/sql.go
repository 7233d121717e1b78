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
		valid := score >= sqlcheck.Warning
		r.Score, r.IsValid = &score, &valid
		return r, nil
	}}
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

// errorTypes are the kinds of errors that the profiler counts, by how validators and databases speak of them. The first
// that fits counts.
var errorTypes = []struct {
	name string
	says *regexp.Regexp
}{
	{"CRS mismatch errors",
		regexp.MustCompile(
			`(?i)\bsrid|\bepsg|\bcrs\b|reference system|coordinate|degrees|geography|st_transform|mixed srid`)},
	{"Missing join conditions", regexp.MustCompile(`(?i)\bjoins?\b|cartesian`)},
	{"Unknown columns",
		regexp.MustCompile(`(?i)undefinedcolumn|no such column|unknown column|column .* does not exist`)},
	{"Unknown tables",
		regexp.MustCompile(`(?i)undefinedtable|no such table|(relation|table) .* (does not|doesn't) exist`)},
	{"Unknown functions", regexp.MustCompile(`(?i)undefinedfunction|no such function|function .* does not exist`)},
	{"Queries of whole tables",
		regexp.MustCompile(`(?i)every row of the table|time-?out|timed out|canceling statement`)},
	{"Syntax errors",
		regexp.MustCompile(`(?i)syntax|can't be read|no SQL statement|a word of SQL|nothing follows|markdown`)},
}

func errorType(issue string) string {
	for _, t := range errorTypes {
		if t.says.MatchString(issue) {
			return t.name
		}
	}
	return "Other SQL errors"
}

// pattern is a kind of error in one session.
type pattern struct {
	kind   string
	steps  map[string]bool // in which it came, as turn and statement
	at     []int           // the same by their number in the session, from 1
	shared []string        // tables of all its statements, and the function that each time was in the issue
}

// add counts a step, and keeps what it shares with those before.
func (p *pattern) add(key string, at int, shared []string) {
	if len(p.steps) == 0 {
		p.shared = shared
	}
	p.shared = slices.DeleteFunc(p.shared, func(s string) bool { return !slices.Contains(shared, s) })
	if !p.steps[key] && at > 0 {
		p.at = append(p.at, at)
	}
	p.steps[key] = true
}

// String is the pattern in words: without those of its issues, which may be anybody's.
func (p pattern) String() string {
	out := fmt.Sprintf("%s ×%d", p.kind, len(p.steps))
	if len(p.shared) > 0 {
		out += " in " + strings.Join(p.shared[:min(len(p.shared), mostShared)], ", ")
	}
	if len(p.at) > 1 {
		slices.Sort(p.at)
		out += " (steps " + strings.Join(lists.Map(p.at, strconv.Itoa), ", ") + ")"
	}
	return out
}

// mostShared is how many names of a pattern are said.
const mostShared = 3

// sharing are the tables of a statement, and the first function of it that an issue speaks of.
func sharing(sql, issue string) []string {
	tables, functions := sqlcheck.Names(sql)
	first, where := "", len(issue)
	for _, f := range functions {
		if at := strings.Index(strings.ToLower(issue), f+"("); at >= 0 && at < where {
			first, where = issue[at:at+len(f)], at
		}
	}
	if first != "" {
		return append([]string{first}, tables...)
	}
	return tables
}

// ProfileSQLErrors is sqlerrorprofiler: the kinds of errors that two steps or more had, by what was said of them and
// what the tools answered, with the function and the tables that these share.
func ProfileSQLErrors(tools []string) Evaluator {
	return Evaluator{Name: SQLErrorProfiler,
		Trajectory: func(_ context.Context, turns []turn.Turn, found []Result) (*Result, error) {
			if !ranSQL(turns, tools) {
				return nil, nil
			}
			var list []pattern
			number := map[string]int{} // of each statement's step, by the turn and the statement
			see := func(in, sql, issue string) {
				kind := errorType(issue)
				i := slices.IndexFunc(list, func(p pattern) bool { return p.kind == kind })
				if i < 0 {
					i, list = len(list), append(list, pattern{kind: kind, steps: map[string]bool{}})
				}
				list[i].add(in+" "+sql, number[in+" "+sql], sharing(sql, issue))
			}
			n := 0
			for _, t := range turns {
				for _, s := range t.Steps {
					if n++; number[t.ID+" "+sqlOf(s, tools)] == 0 {
						number[t.ID+" "+sqlOf(s, tools)] = n
					}
				}
			}
			for _, t := range turns {
				for _, s := range t.Steps {
					if sql, problem := sqlOf(s, tools), cmp.Or(s.Error, failed(s.Output)); sql != "" && problem != "" {
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
			slices.SortStableFunc(list, func(a, b pattern) int { return cmp.Compare(len(b.steps), len(a.steps)) })
			r := &Result{Issues: []string{}}
			for _, p := range list {
				if len(p.steps) > 1 {
					r.ErrorType = cmp.Or(r.ErrorType, p.kind)
					r.Issues = append(r.Issues, p.String())
				}
			}
			return r, nil
		}}
}

// failed is an output that says that the tool failed, as LangChain's tools do.
func failed(output string) string {
	if line := strings.TrimSpace(output); strings.HasPrefix(strings.ToLower(line), "error") {
		return line
	}
	return ""
}
