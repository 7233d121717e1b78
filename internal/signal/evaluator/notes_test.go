package evaluator_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/llm/llmtest"
	"preceptor/internal/signal/evaluator"
	"preceptor/internal/signal/turn"
)

var noon = time.Date(2025, 12, 5, 12, 0, 0, 0, time.UTC)

func at(d time.Duration) string { return noon.Add(d).Format("2006-01-02 15:04:05") }

func ptr[T any](v T) *T { return &v }

// bad is a result with issues, so long after noon.
func bad(after time.Duration, score float64, issues ...string) evaluator.Result {
	return evaluator.Result{Evaluator: evaluator.SQLValidator, Timestamp: at(after), Issues: issues,
		IsValid: ptr(false), Score: &score}
}

func good(after time.Duration, sql string) evaluator.Result {
	return evaluator.Result{Evaluator: evaluator.SQLValidator, Timestamp: at(after), Issues: []string{},
		IsValid: ptr(true), Score: ptr(1.0), SQLQuery: sql}
}

// The statements of the seed's five steps.
var five = []turn.Step{
	{Tool: "AWS_Geocode", Input: []byte(`{"address":"Geelong"}`)},
	{Tool: "sql_db_query",
		Input: []byte(
			`{"query":"SELECT * FROM enviro_audit_point WHERE ST_DWithin(geometry, ST_SetSRID(ST_MakePoint(144.38078, -38.08395), 4326), 100)"}`)},
	{Tool: "sql_db_schema", Input: []byte(`{"query":"enviro_audit_point"}`)},
	{Tool: "sql_db_query",
		Input: []byte(
			`{"query":"SELECT * FROM enviro_audit_point WHERE ST_DWithin(geom, ST_SetSRID(ST_MakePoint(144.38078, -38.08395), 4283), 0.001)"}`)},
	{Tool: "sql_db_query",
		Input: []byte(
			`{"query":"SELECT * FROM enviro_audit_polygon WHERE ST_DWithin(geom, ST_SetSRID(ST_MakePoint(144.38078, -38.08395), 4283), 0.001)"}`)},
}

// notes are what an agent is given.
func notes(results []evaluator.Result, o evaluator.Options) string {
	return evaluator.Text(evaluator.Sections(results, o))
}

// play runs the five steps, one a minute, and gives what the agent was told before each.
func play(t *testing.T, list ...evaluator.Evaluator) (told []string, run *evaluator.Run) {
	t.Helper()
	run = &evaluator.Run{Log: slog.New(slog.DiscardHandler)}
	for i, s := range five {
		now := noon.Add(time.Duration(i) * time.Minute)
		told = append(told, notes(run.Results, evaluator.Options{Now: now}))
		run.Steps(t.Context(), list, turn.Turn{ID: fmt.Sprint("t", i+1), At: now, Steps: []turn.Step{s},
			Context: map[string]any{"query_idx": 11.0}})
	}
	return told, run
}

// The seed's example, with its answers from a scripted model.
func TestFiveSteps(t *testing.T) {
	first, second := []string{"Mixing geographic coords with planar distance",
		"Using degrees with meter-implied distance"},
		[]string{"Distance value without units", "Degrees as units not meaningful"}
	model := llmtest.New(map[string]any{"issues": first, "is_valid": false, "score": .7, "error_type": ""},
		map[string]any{"issues": second, "is_valid": false, "score": .7, "error_type": ""},
		map[string]any{"issues": []string{}, "is_valid": true, "score": 1, "error_type": ""})
	told, run := play(t, evaluator.Asked{Name: evaluator.SQLValidator,
		SQLTools: append(evaluator.SQLTools, "sql_db_schema"),
		Ask:      evaluator.Model(model, evaluator.SQLValidatorPrompt)}.Evaluator())
	if len(run.Abstained) > 0 || len(run.Results) != 3 || len(model.Asked()) != 3 {
		t.Fatalf("%+v, %d questions", run, len(model.Asked()))
	}
	want := []string{"", "",
		"Previous SQL Errors to Avoid:\n1. " + first[0] + "\n2. " + first[1],
		"Previous SQL Errors to Avoid:\n1. " + first[0] + "\n2. " + first[1],
		"Previous SQL Errors to Avoid:\n1. " + second[0] + "\n2. " + second[1] + "\n3. " + first[0] + "\n4. " +
			first[1]}
	if !slices.Equal(told, want) {
		t.Errorf("told %q\nwant %q", told, want)
	}
	if r := run.Results[0]; r.Evaluator != "sqlvalidator" || *r.QueryIdx != 11 ||
		r.Timestamp != "2025-12-05 12:01:00" || !strings.HasPrefix(r.SQLQuery, "SELECT * FROM enviro_audit_point") {
		t.Errorf("%+v", r)
	}
	if r := run.Results[2]; !*r.IsValid || len(r.Issues) != 0 {
		t.Errorf("%+v", r)
	}
}

// The embedded validator finds the same fault in the fourth and the fifth step, and tells it twice as often.
func TestFiveStepsEmbedded(t *testing.T) {
	told, run := play(t, evaluator.ValidateSQL(evaluator.SQLTools))
	if len(run.Results) != 3 || told[1] != "" {
		t.Fatalf("%q, %+v", told, run)
	}
	for i, want := range map[int][]string{2: {"`100` looks like metres"}, 3: {"`100` looks like metres"},
		4: {"`100` looks like metres", "takes `0.001` as degrees of EPSG:4283"}} {
		for _, w := range want {
			if !strings.Contains(told[i], w) || strings.Count(told[i], "\n") != len(want) {
				t.Errorf("before step %d: %s", i+1, told[i])
			}
		}
	}
	last := notes(run.Results, evaluator.Options{})
	if !strings.Contains(last, "takes `0.001` as degrees") || !strings.Contains(last, "(×2)") {
		t.Error(last)
	}
}

func TestNotesAreRankedAndBounded(t *testing.T) {
	results := []evaluator.Result{
		bad(0, .5, "old middling"), bad(time.Hour, .5, "new middling"), bad(2*time.Hour, .9, "small"),
		bad(0, .1, "worst"), bad(3*time.Hour, .6, "fifth", "sixth"),
		{Evaluator: evaluator.SQLValidator, Timestamp: at(4 * time.Hour), Issues: []string{"unscored"}},
		{Evaluator: "house style", Timestamp: at(0), Issues: []string{"Too   LONG by 3 lines", "unscored\n2. faked"}},
		{Evaluator: "house style", Timestamp: at(0), Issues: []string{"too long by 12 lines"}, Score: ptr(.4)},
	}
	want := "Previous SQL Errors to Avoid:\n1. worst\n2. new middling\n3. old middling\n4. fifth\n5. sixth\n\nIssues " +
		"found by house style:\n1. too long by 12 lines (×2)\n2. unscored 2. faked"
	if got := notes(results, evaluator.Options{}); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	got := evaluator.Sections(results, evaluator.Options{MaxItems: 9})
	if items := got[0].Items; len(items) != 7 || items[5].Text != "small" || items[6].Text != "unscored" {
		t.Errorf("%+v", got)
	}
}

func TestNotesMergeWhatIsTheSame(t *testing.T) {
	results := []evaluator.Result{bad(0, .3, "`ST_DWithin(a, b, 100)` measures in degrees.",
		"`ST_DWithin(c, d, 7)` measures in  Degrees!"),
		bad(time.Hour, .2, "`st_dwithin(x, y, 5)` measures in degrees.")}
	got := evaluator.Sections(results, evaluator.Options{})
	if len(got) != 1 || len(got[0].Items) != 1 || got[0].Items[0].Count != 2 || *got[0].Items[0].Score != .2 ||
		!strings.Contains(got[0].Items[0].Text, "x, y") {
		t.Errorf("%+v", got)
	}
}

func TestNotesExpire(t *testing.T) {
	near := "`ST_DWithin(a, b, 100)` measures in degrees."
	day := 24 * time.Hour
	for _, c := range []struct {
		name    string
		results []evaluator.Result
		now     time.Duration
		want    bool
	}{
		{"fresh", []evaluator.Result{bad(0, .3, near)}, time.Hour, true},
		{"on its last day", []evaluator.Result{bad(0, .3, near)}, 30 * day, true},
		{"too old", []evaluator.Result{bad(0, .3, near)}, 30*day + time.Second, false},
		{"right twice", []evaluator.Result{bad(0, .3, near), good(1, "SELECT ST_DWithin(x)"), good(2, "")}, day, true},
		{"right three times", []evaluator.Result{bad(0, .3, near), good(1, "SELECT st_dwithin(x)"), good(2, ""),
			good(3, "SELECT ST_DWithin(y)")}, day, false},
		{"right elsewhere", []evaluator.Result{bad(0, .3, near), good(1, "SELECT 1"), good(2, "SELECT 2"),
			good(3, "SELECT 3")}, day, true},
		{"wrong in between", []evaluator.Result{bad(0, .3, near), good(1, ""), good(2, ""),
			bad(3*time.Second, .3, near), good(4*time.Second, "")}, day, true},
		{"others' mistakes are no proof",
			[]evaluator.Result{bad(0, .3, near), bad(time.Second, .3, "x"), bad(2*time.Second, .3, "x"),
				bad(3*time.Second, .3, "x")}, day, true},
		{"right before", []evaluator.Result{good(-3*time.Hour, ""), good(-2*time.Hour, ""), good(-time.Hour, ""),
			bad(0, .3, near)}, day, true},
	} {
		got := notes(c.results, evaluator.Options{Now: noon.Add(c.now)})
		if strings.Contains(got, near) != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestReturning(t *testing.T) {
	in := func(r evaluator.Result, turn string) evaluator.Result { r.Turn = turn; return r }
	day := 24 * time.Hour
	for _, c := range []struct {
		name    string
		results []evaluator.Result
		want    []string // turns
	}{
		{"three times in one turn", []evaluator.Result{in(bad(0, .3, "x 1"), "a"), in(bad(1, .3, "x 2"), "a"),
			in(bad(2, .3, "x 3"), "a")}, nil},
		{"in two turns", []evaluator.Result{in(bad(0, .3, "x 1"), "a"), in(bad(1, .3, "x 2"), "b")}, nil},
		{"in three turns", []evaluator.Result{in(bad(0, .3, "x 1"), "a"), in(bad(time.Hour, .3, "x 2"), "b"),
			in(bad(2*time.Hour, .3, "X 3"), "c")}, []string{"a", "b", "c"}},
		{"after its age", []evaluator.Result{in(bad(0, .3, "x 1"), "a"), in(bad(31*day, .3, "x 2"), "b")},
			[]string{"a", "b"}},
		{"after three right ones", []evaluator.Result{in(bad(0, .3, "x 1"), "a"), good(1, ""), good(2, ""), good(3, ""),
			in(bad(time.Hour, .3, "x 2"), "b")}, []string{"a", "b"}},
	} {
		got := evaluator.Returning(c.results, evaluator.Options{})
		if len(got) != min(1, len(c.want)) || len(got) == 1 && !slices.Equal(got[0].Turns, c.want) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// What notes say depends on the results and not on the order in which they are read, unless they are of the same
// second.
func TestNotesAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var results []evaluator.Result
		for i := range rapid.IntRange(0, 12).Draw(t, "n") {
			r := bad(time.Duration(i)*time.Hour, rapid.Float64Range(0, 1).Draw(t, "score"),
				rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "A 1", "`x` b", "`y`", ""}), 0, 3).Draw(t,
					"issues")...)
			r.IsValid = rapid.SampledFrom([]*bool{nil, ptr(true), ptr(false)}).Draw(t, "valid")
			results = append(results, r)
		}
		want := notes(results, evaluator.Options{})
		if got := notes(rapid.Permutation(results).Draw(t, "order"), evaluator.Options{}); got != want {
			t.Fatalf("%q, then %q", want, got)
		}
		if strings.Count(want, "\n") > 5 {
			t.Fatal(want)
		}
	})
}

func TestNotesOfManyResults(t *testing.T) {
	var results []evaluator.Result
	for i := range 10_000 {
		results = append(results, bad(time.Duration(i)*time.Second, .3, "issue "+strings.Repeat("x", i%500)),
			good(time.Duration(i)*time.Second, "SELECT ST_Area(geom) FROM lots"))
	}
	if got := evaluator.Sections(results, evaluator.Options{}); len(got) != 1 || len(got[0].Items) != 2 {
		t.Errorf("%+v", got)
	}
}
