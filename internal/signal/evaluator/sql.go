package evaluator

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
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
	kind  string
	steps map[string]bool // in which it came, as turn and statement
}

// ProfileSQLErrors is sqlerrorprofiler: the kinds of errors that two steps or more had, by what was said of them and
// what the tools answered.
func ProfileSQLErrors(tools []string) Evaluator {
	return Evaluator{Name: SQLErrorProfiler,
		Trajectory: func(_ context.Context, turns []turn.Turn, found []Result) (*Result, error) {
			if !ranSQL(turns, tools) {
				return nil, nil
			}
			var list []pattern
			see := func(in, sql, issue string) {
				kind := errorType(issue)
				i := slices.IndexFunc(list, func(p pattern) bool { return p.kind == kind })
				if i < 0 {
					i, list = len(list), append(list, pattern{kind: kind, steps: map[string]bool{}})
				}
				list[i].steps[in+" "+sql] = true
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
				if n := len(p.steps); n > 1 {
					r.ErrorType = cmp.Or(r.ErrorType, p.kind)
					// without their words, which may be anybody's
					r.Issues = append(r.Issues, fmt.Sprintf("%s ×%d", p.kind, n))
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
