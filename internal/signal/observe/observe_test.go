package observe_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/llm/embedded"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/turn"
)

func TestObserve(t *testing.T) {
	for said, want := range map[string]string{
		"perfect": "success .9", "Exactly what I wanted!": "success .9", "excellent": "success .9",
		"great work": "success .9", "'perfect, that's TDD'": "success .9",
		"good": "success .7", "That is correct.": "success .7", "right": "success .7", "approved": "success .7",
		"don't do that": "failure .3", "Don’t do that": "failure .3", "dont": "failure .3", "do not mock": "failure .3",
		"never again": "failure .3", "stop": "failure .3",
		"ok": "neutral .5", "now the next file": "neutral .5", "goodness, what a day": "neutral .5",
		"rightly so": "neutral .5", "nonstop service": "neutral .5",
		// negation and its limits
		"incorrect": "failure .3", "not good": "failure .3", "this isn't what I call good": "failure .3",
		"that is not right": "failure .3", "no good": "failure .3",
		"not bad": "success .7", "nothing wrong with it": "success .7", "not too long": "neutral .5",
		"too long": "failure .3", "me too": "neutral .5",
		"not now, good work": "success .7", "not perfect but good": "success .7", "not only good": "success .7",
		"perfect, but never push it": "failure .3",
		// neither praise nor blame
		"is this correct?": "neutral .5", "is it wrong?": "neutral .5", "would be perfect if shorter": "neutral .5",
		"correct the totals": "neutral .5", "don't worry": "neutral .5", "never mind": "neutral .5",
		"fix it right away": "neutral .5", "don't stop, excellent": "success .9",
		`rename the "perfect" button`: "neutral .5", `"perfect"`: "success .9",
	} {
		o, ok := observe.Observe(turn.Turn{Action: "did it", Reaction: said}, "")
		if got := fmt.Sprintf("%s %s", o.Kind, strings.TrimPrefix(fmt.Sprint(o.Confidence), "0")); !ok || got != want {
			t.Errorf("%q is %s, want %s", said, got, want)
		}
	}
	for _, one := range []turn.Turn{{Action: "did it"}, {Reaction: "good"}, {Action: " ", Reaction: "good"}} {
		if _, ok := observe.Observe(one, ""); ok {
			t.Errorf("%+v is an observation", one)
		}
	}
}

// TestTheAgentsOwnKind holds where the user's words say nothing, and an agent can't approve itself.
func TestTheAgentsOwnKind(t *testing.T) {
	for _, c := range []struct{ own, said, want string }{
		{observe.Follow, "ok", observe.Follow}, {observe.Reinforcement, "next", observe.Reinforcement},
		{observe.Failure, "keep it short", observe.Failure},
		{observe.Success, "ok", observe.Neutral}, {observe.Follow, "never", observe.Failure},
		{observe.Failure, "perfect", observe.Success}, {"insert", "ok", observe.Neutral},
	} {
		context := map[string]any{observe.KindKey: c.own, "file": "a.go"}
		o, _ := observe.Observe(turn.Turn{Action: "did it", Reaction: c.said, Context: context}, "")
		if o.Kind != c.want || len(o.Context) != 1 || len(context) != 2 {
			t.Errorf("%s with %q: %+v", c.own, c.said, o)
		}
	}
}

func TestScope(t *testing.T) {
	type ctx = map[string]any
	for _, c := range []struct {
		name string
		of   []ctx
		want string
	}{
		{"nothing", []ctx{nil, nil}, "universal"},
		{"one project", []ctx{{"project": "hydra"}, {"project": "Hydra "}}, "project:Hydra"},
		{"one project and none", []ctx{{"project": "hydra"}, nil}, "project:hydra"},
		{"two projects, one language", []ctx{{"project": "a", "file": "x.go"}, {"project": "b", "language": "Go"}},
			"language:go"},
		{"two languages", []ctx{{"file": "x.go"}, {"file": "dir/y.PY"}}, "universal"},
		{"an unknown extension", []ctx{{"file": "x.zzz"}, {"file": "x.ts"}}, "language:typescript"},
		{"no texts", []ctx{{"project": 3, "file": []any{}}}, "universal"},
		{"a name over two lines", []ctx{{"project": "a\nb"}}, "project:a b"},
	} {
		var list []observe.Observation
		for i, x := range c.of {
			list = append(list, seen(t, i, "wrote test first → perfect", x))
		}
		got, err := observe.Detect(t.Context(), nil, list, observe.Codebase{})
		if err != nil || len(got) != 1 || got[0].Scope != c.want {
			t.Errorf("%s: %+v, %v; want %s", c.name, got, err, c.want)
		}
	}
}

func TestWhatEndsARule(t *testing.T) {
	three := []string{"ran the linter → good", "ran the linter → perfect", "ran the linter → right"}
	for _, c := range []struct {
		name  string
		lines []string
		rules int
	}{
		{"three approvals", three, 1},
		{"two approvals", three[:2], 0},
		{"the same action corrected", append(slices.Clone(three), "ran the linter → never again"), 0},
		{"a neutral word", append(slices.Clone(three), "ran the linter → ok"), 0},
		{"two other actions corrected",
			append(slices.Clone(three), "ran the linter 3 → too slow", "ran the linter 4 → wrong"), 0},
	} {
		list := allSeen(t, nil, c.lines...)
		if got := observe.Successes(list, observe.Meanings(nil).Groups(list, observe.Floor, nil)); len(got) != c.rules {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestContentIsWhatWasSaid(t *testing.T) {
	list := allSeen(t, nil, "summary: 3 sentences → good", "summary: 2 sentences → perfect",
		"summary: 4 sentences → too long", "summary: 2 sentences → exactly",
		"wrote 350-line file → never exceed 200 lines", "wrote 280-line file → don't, split this first")
	found, err := observe.Detect(t.Context(), nil, list, observe.Codebase{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range found {
		got = append(got, p.Content+" | "+strings.Join(p.Evidence, "; "))
	}
	want := []string{
		"Summary: 2 sentences, not 4 sentences | summary: 3 sentences → good; summary: 2 sentences → perfect; summary: 4 " +
			"sentences → too long",
		"Never exceed 200 lines | wrote 350-line file → never exceed 200 lines; wrote 280-line file → don't, split this " +
			"first",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

func TestPatternsThatAreNotFollowed(t *testing.T) {
	lines := []string{"error_handling: a → ok", "error_handling: b → ok", "error_handling: c → ok"}
	weak := observe.Codebase{Project: "hydra",
		Patterns: []observe.ProjectPattern{
			{Name: "error_handling", Language: "go", Description: "Log errors before returning", Share: .3}}}
	for name, c := range map[string]struct {
		ctx   map[string]any
		base  observe.Codebase
		lines []string
		want  int
	}{
		"followed":              {nil, hydra, lines, 1},
		"another language":      {map[string]any{"file": "a.py"}, hydra, lines, 0},
		"rare in the code base": {nil, weak, lines, 0},
		"no project":            {nil, observe.Codebase{Patterns: hydra.Patterns}, lines, 0},
		"corrected": {nil, hydra, append(slices.Clone(lines[:1]), "error_handling: c → never log there"),
			0},
		"named by the agent": {map[string]any{"pattern": "testing"}, hydra, []string{"x → ok", "y → ok", "z → ok"},
			1},
		"words that only have it": {nil, hydra, []string{"contesting a → ok", "contesting b → ok", "contesting c → ok"},
			0},
	} {
		if got := observe.Followed(allSeen(t, c.ctx, c.lines...), c.base, nil); len(got) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestRank(t *testing.T) {
	var list []observe.Proposal
	for i, w := range []struct {
		confidence float64
		priority   int
	}{{.3, 1}, {.4, 2}, {.6, 3}, {.9, 1}, {1, 2}, {.3, 1}, {.8, 1}} {
		list = append(list, observe.Proposal{ID: fmt.Sprint(i), Confidence: w.confidence, Priority: w.priority,
			Content: strings.Repeat("x", 40)})
	}
	ids := func(most, budget int) (s string, tokens int) {
		kept, tokens := observe.Rank(list, most, budget)
		for _, p := range kept {
			s += p.ID
		}
		return s, tokens
	}
	if s, n := ids(5, 1000); s != "36405" || n != 50 {
		t.Errorf("%s with %d tokens", s, n)
	}
	if s, n := ids(5, 29); s != "36" || n != 20 {
		t.Errorf("within 29 tokens: %s with %d", s, n)
	}
	long := strings.Repeat("word ", 200)
	found, err := observe.Detect(t.Context(), nil,
		allSeen(t, nil, long+"→ "+long, long+"a → perfect "+long, long+"b → perfect "+long), observe.Codebase{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		if p.Tokens() > observe.Budget/observe.Most {
			t.Errorf("%d tokens: %q", p.Tokens(), p.Content)
		}
	}
}

func TestRefineLeavesWhatItCantSay(t *testing.T) {
	p := observe.Proposal{ID: "agent-1", Content: "Avoid: mailed jo@example.org (stop)",
		Evidence: []string{"mailed jo@example.org → stop"}}
	rule := func(s string) any { return map[string]string{"rule": s} }
	for name, answer := range map[string]any{
		"an error": errors.New("down"), "an empty answer": rule(" "),
		"more than ten words": rule("one two three four five six seven eight nine ten eleven"), "text": "Do it",
		"another field":      map[string]string{"rule": "Do it", "why": "so"},
		"what was taken out": rule("Never mail [EMAIL-1]"), "no end": rule(strings.Repeat("x", 500)),
	} {
		script := llmtest.New(answer)
		got, by := observe.Refine(t.Context(), script, p)
		if got.Content != p.Content || by != "embedded (scripted gave no rule)" {
			t.Errorf("%s: %q by %s", name, got.Content, by)
		}
		if asked := script.Asked(); len(asked) != 1 || strings.Contains(asked[0].Prompt, "jo@example.org") {
			t.Errorf("%s: asked %+v", name, asked)
		}
	}
	if got, by := observe.Refine(t.Context(), nil, p); got.Content != p.Content || by != observe.Unrefined {
		t.Errorf("without a model: %q by %s", got.Content, by)
	}
	if got, _ := observe.Refine(t.Context(), llmtest.New(rule("Ask\nbefore sending mail (customers)")),
		p); got.Content != "Ask before sending mail (customers)" {
		t.Errorf("refined to %q", got.Content)
	}
}

var (
	someActions = []string{"split proxy.go into 3 files", "split_file:cli.go:2", "wrote terse summary",
		"summary: 2 sentences", "wrote test first", "error_handling: x", "ran the linter", "x", "1.go",
		"wrote \"a\" file"}
	someSaid = []string{"perfect", "good", "never", "too long", "ok", "not good", "exactly", "approved",
		"split this first"}
)

// TestOrderChangesNothing holds for observations of one moment too, as those of a file may be.
func TestOrderChangesNothing(t *testing.T) {
	e := embedded.New()
	rapid.Check(t, func(rt *rapid.T) {
		var list []observe.Observation
		for i := range rapid.IntRange(0, 25).Draw(rt, "n") {
			o, _ := observe.Observe(turn.Turn{Action: rapid.SampledFrom(someActions).Draw(rt, "action"),
				Reaction: rapid.SampledFrom(someSaid).Draw(rt, "said"), At: time.Unix(int64(i/3), 0)}, "")
			list = append(list, o)
		}
		mixed := rapid.Permutation(list).Draw(rt, "mixed")
		a, b := proposals(rt, e, list), proposals(rt, e, mixed)
		if a != b {
			rt.Fatalf("%s\nmixed:\n%s", a, b)
		}
	})
}

func proposals(t rapid.TB, e *embedded.Embedder, list []observe.Observation) (s string) {
	found, err := observe.Detect(context.Background(), e, list, hydra)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		if !slices.IsSortedFunc(p.Observations, func(i, j int) int { return list[i].At.Compare(list[j].At) }) {
			t.Fatalf("%v are not in the order of time", p.Observations)
		}
		p.Observations = nil
		s += fmt.Sprintf("%+v\n", p)
	}
	return s
}

// TestFloors measures the floor on pairs that they were not set on.
func TestFloors(t *testing.T) {
	pairs := []struct {
		a, b string
		one  bool
	}{
		{"split handler.go into 4 files", "split_file:api.go:5", true},
		{"ran gofmt on main.go", "ran gofmt before the commit", true},
		{"wrote a unit test for parse()", "added unit tests", true},
		{"cited the source of the figure", "gave the source for each figure", true},
		{"asked which region is meant", "asked for the region", true},
		{"joined orders with customers", "joined the customers table to orders", true},
		{"answered in a table", "formatted the answer as a table", true},
		{"used a transaction for the update", "wrapped the updates in a transaction", true},
		{"checked the input for null", "added a null check", true},
		{"split handler.go into 4 files", "cited the source of the figure", false},
		{"ran gofmt on main.go", "asked which region is meant", false},
		{"answered in a table", "dropped the index", false},
		{"wrote a unit test for parse()", "wrote a terse commit message", false},
		{"joined orders with customers", "renamed the column", false},
		{"used a transaction for the update", "updated the changelog", false},
		{"added a retry with backoff", "added a null check", false},
		{"cited the source of the figure", "opened the source file", false},
		{"asked for the region", "answered in French", false},
	}
	right := map[bool]int{}
	for _, p := range pairs {
		list := allSeen(t, nil, p.a+" → ok", p.b+" → ok")
		m, err := observe.Read(t.Context(), embedded.New(), list, observe.Codebase{})
		if err != nil {
			t.Fatal(err)
		}
		if one := len(m.Groups(list, observe.Floor, nil)) == 1; one == p.one {
			right[p.one]++
		} else {
			t.Logf("%q and %q: together %v", p.a, p.b, one)
		}
	}
	t.Logf("of one behaviour together: %d of 9; of two apart: %d of 9", right[true], right[false])
	if right[true] < 8 || right[false] < 8 {
		t.Error("that is worse than it was")
	}
}

// many are 10,000 observations of 500 distinct actions.
func many(t testing.TB) (list []observe.Observation) {
	r := rand.New(rand.NewPCG(1, 2))
	verbs := []string{"split", "wrote", "ran", "checked", "renamed", "joined", "cited", "measured", "summarised",
		"translated"}
	things := []string{"the parser", "a test", "the linter", "the figures", "the table", "a column", "the report",
		"an answer", "the index", "a letter"}
	ways := []string{"again", "first", "twice", "with care", "in haste"}
	for i := range 10_000 {
		line := fmt.Sprintf("%s %s %s in file%d.go → %s", verbs[r.IntN(10)], things[r.IntN(10)], ways[r.IntN(5)], i,
			someSaid[r.IntN(len(someSaid))])
		list = append(list, seen(t, i, line, map[string]any{"file": "a.go", "project": "hydra"}))
	}
	return list
}

func BenchmarkDetect(b *testing.B) {
	list := many(b)
	for b.Loop() {
		if _, err := observe.Detect(b.Context(), embedded.New(), list, hydra); err != nil {
			b.Fatal(err)
		}
	}
}

const seedFile = `{
  "session_id": "20260122-133514",
  "observations": [
    {
      "type": "success",
      "action": "split_file:proxy.go:3",
      "user": "perfect",
      "ctx": {"files": 3, "lines": [175, 67, 64]},
      "conf": 0.9,
      "ts": "2026-01-22T13:35:14Z"
    },
    {
      "type": "failure",
      "action": "write:verbose_explanation:500w",
      "user": "keep it short",
      "ctx": {"words": 500},
      "conf": 0.3,
      "ts": "2026-01-22T13:36:20Z"
    }
  ],
  "proposals": [
    {
      "id": "agent-a1b2c3d4",
      "cat": "rule",
      "scope": "universal",
      "rule": "Plan splits before writing (200-line limit)",
      "evidence": ["split_file:proxy.go → approved", "split_file:cli.go → approved"],
      "conf": 0.3,
      "pri": 1
    }
  ]
}
`

func TestTheSeedsFileComesBackAsItWas(t *testing.T) {
	s, err := observe.ReadFile(strings.NewReader(seedFile), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Observations) != 2 || s.Observations[1].Kind != observe.Failure ||
		s.Observations[0].Session != "20260122-133514" || s.Proposals[0].Evidence[1] != "split_file:cli.go → approved" {
		t.Errorf("%+v", s)
	}
	if got := written(t, s); got != seedFile {
		t.Errorf("%s", got)
	}
}

func written(t testing.TB, s observe.Session) string {
	var b bytes.Buffer
	if err := observe.WriteFile(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRoundTrip(t *testing.T) {
	list := allSeen(t,
		map[string]any{"z": 1.0, "a": map[string]any{"b": []any{"x: \"y\", \\", nil, true, 1e21, 0.1}, "": 3},
			"<": "&\u2028"}, "a\tb → perfect", "ünïcode → “good”")
	found, err := observe.Detect(t.Context(), nil, list, observe.Codebase{})
	if err != nil {
		t.Fatal(err)
	}
	list[0].Context, list[1].Confidence = nil, 1
	for _, s := range []observe.Session{{ID: "empty"}, {ID: "s", Observations: list, Proposals: found}} {
		text := written(t, s)
		back, err := observe.ReadFile(strings.NewReader(text), 1<<20)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if again := written(t, back); again != text {
			t.Errorf("%s\nis written again as\n%s", text, again)
		}
	}
}

func TestWhatIsWrongWithAFile(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"conf": 0.9`, `"conf": 9`, "Line 9: conf of observation 1 is not between 0 and 1."},
		{`"conf": 0.9`, `"conf": "high"`, "Line 9: observation 1 has a wrong kind of value in the field conf."},
		{`"conf": 0.9`, `"conf": NaN`, "Line 9: the file is not valid JSON here, or is cut off."},
		{`"type": "failure"`, `"type": "fail"`,
			"Line 13: type of observation 2 is not one of success, failure, pattern, reinforcement, neutral."},
		{`"user": "perfect"`, `"user": "perfect", "mood": 1`, `Line 4: observation 1 has an unknown field "mood".`},
		{`"user": "perfect",`, `"user": "perfect",` + "\n" + `"user": "bad",`,
			`Line 7: observation 1 says "user" twice.`},
		{`2026-01-22T13:36:20Z`, `2026-01-22 13:36`,
			`Line 18: observation 2 has no time as "2026-01-22T13:35:14Z" in the field ts.`},
		{`{"words": 500}`, `[500]`, "Line 16: observation 2 has a wrong kind of value in the field ctx."},
		{`"action": "split_file:proxy.go:3"`, `"action": ""`, "Line 6: action of observation 1 is empty."},
		{`"scope": "universal"`, `"scope": "here"`,
			"Line 25: scope of proposal 1 is not a scope such as universal, language:go or project:hydra."},
		{`"pri": 1`, `"pri": 4`, "Line 29: pri of proposal 1 is not 1, 2 or 3."},
		{`{"words": 500}`, `null`, "Line 16: ctx of observation 2 is not an object."},
		{`{"words": 500}`, `{"a": 1, "a": 2}`, `Line 12: observation 2 says "a" twice.`},
		{`"cat": "rule"`, `"cat": "idea"`,
			"Line 24: cat of proposal 1 is not one of preference, rule, correction, pattern."},
		{"  ]\n}\n", "  ]\n", "Line 32: the file is not valid JSON here, or is cut off."},
		{`"20260122-133514"`, `""`, "Line 1: the file has no session_id."},
		{`"session_id"`, `"x": 1, "session_id"`, `Line 1: the file has an unknown field "x".`},
		{`"20260122-133514"`, `7`, "Line 1: the file has a wrong kind of value in the field session_id."},
		{`keep it short`, "keep\xff", "Line 12: observation 2 is not UTF-8."},
	} {
		text := strings.Replace(seedFile, c.old, c.new, 1)
		if _, err := observe.ReadFile(strings.NewReader(text), 1<<20); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
	if _, err := observe.ReadFile(strings.NewReader(seedFile), 100); err == nil ||
		!strings.Contains(err.Error(), "larger than 100 bytes") {
		t.Errorf("a large file: %v", err)
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add(seedFile)
	f.Add(`{"session_id":"","observations":[{"type":"neutral","action":"a","user":"","ctx":{"a":1e9,"b":"\ud800"},"conf":1e-9,"ts":"0001-01-01T00:00:00.000000001+01:00"}],"proposals":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := observe.ReadFile(strings.NewReader(text), 1<<16)
		if err != nil {
			return
		}
		once := written(t, s)
		back, err := observe.ReadFile(strings.NewReader(once), 1<<20)
		if err != nil {
			t.Fatalf("%v in\n%s", err, once)
		}
		if again := written(t, back); again != once {
			t.Fatalf("%s\nis written again as\n%s", once, again)
		}
	})
}

// What can't be is refused in plain words: a number for a time, a time to come, and a file of nothing.
func TestTimesAndEmptyFilesAreRefusedInWords(t *testing.T) {
	const file = `{"session_id":"s","observations":[{"type":"neutral","action":"a","user":"","ctx":{},"conf":1,"ts":%s}],"proposals":[]}`
	now := time.Date(2026, 1, 22, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		fmt.Sprintf(file, "1769088914"):                       `has no time as "2026-01-22T13:35:14Z" in the field ts`,
		fmt.Sprintf(file, `"22/1/2026"`):                      `has no time as "2026-01-22T13:35:14Z" in the field ts`,
		fmt.Sprintf(file, `"2099-01-01T00:00:00Z"`):           "ts of observation 1, 2099-01-01T00:00:00Z, is in the future",
		fmt.Sprintf(file, `"2026-01-23T11:00:00Z"`):           "",
		`{"session_id":"s","observations":[],"proposals":[]}`: "no observations and no proposals",
	} {
		s, err := observe.ReadFile(strings.NewReader(text), 1000)
		if err == nil {
			err = s.Ready(now, 1)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
