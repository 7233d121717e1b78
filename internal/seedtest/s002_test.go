package seedtest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/signal"
)

// did reports what the agent did in a session and what its user said, and ends it; what comes is the summary.
func (a agent) did(session string, more object, turns ...[2]string) object {
	a.Helper()
	for _, t := range turns {
		body := object{"session_id": session, "user_id": "ann", "action": t[0], "reaction": t[1]}
		for k, v := range more {
			body[k] = v
		}
		a.post("/api/turns", body)
	}
	return a.ended(text(a.post("/api/sessions/end", object{"session_id": session, "user_id": "ann"}), "id"))
}

func (a agent) ended(id string) object {
	a.Helper()
	a.site.Drain(a.T)
	return a.get("/api/sessions/" + id)
}

// proposed is the first proposal of a category; nil without one.
func proposed(sum object, category string) object {
	for _, p := range list(sum, "proposals") {
		if text(p, "category") == category && text(p, "kind") == "proposal" {
			return p
		}
	}
	return nil
}

const imported = `{
  "session_id": "20260122-133514",
  "observations": [
    {"type": "failure", "action": "write:verbose_explanation:500w", "user": "keep it short", "ctx": {"words": 500}, "conf": 0.3, "ts": "2026-01-22T13:35:14Z"},
    {"type": "failure", "action": "write:verbose_explanation:400w", "user": "terse output", "ctx": {"words": 400}, "conf": 0.3, "ts": "2026-01-22T13:36:14Z"},
    {"type": "success", "action": "wrote test first", "user": "perfect, that's TDD", "ctx": {}, "conf": 0.9, "ts": "2026-01-22T13:37:14Z"}
  ],
  "proposals": []
}`

func TestSeed002(t *testing.T) {
	t.Run("Pattern 2: Failure Avoidance, in people's words", func(t *testing.T) {
		a := newAgent(t, "coder")
		for i, c := range []struct {
			turns     [][2]string
			corrected float64
			content   string
		}{
			{[][2]string{{"wrote 500-word explanation", "keep it short"}, {"wrote detailed steps", "terse output"}}, 1,
				"Keep it short"},
			{[][2]string{{"wrote 350-line file", "never exceed 200 lines"}, {"wrote 280-line file", "split this first"}}, 1,
				"Never exceed 200 lines; split this first"},
			{[][2]string{{"sent a long summary", "two sentences would do"}, {"sent a long summary", "half of this please"}}, 1,
				"Avoid: sent a long summary (“half of this please”)"},
			{[][2]string{{"wrote 40 verbose explanations", "too long"}, {"wrote 30 verbose explanations", "too long"}}, 1,
				"Avoid: wrote 30 verbose explanations (“too long”)"},
			{[][2]string{{"write:verbose_answer:1", "terse"}, {"write:verbose_answer:2", "terse"}}, 1,
				"Avoid: write verbose answer (“terse”)"},
			{[][2]string{{"deleted failing tests", "no"}, {"deleted failing tests", "don't"}}, 1, "Don't delete failing tests"},
			{[][2]string{{"overwrote the lock file", "stop"}, {"overwrote the lock file", "stop"}}, 1,
				"Avoid: overwrote the lock file (“stop”)"}, // an irregular verb that is not surely known
			{[][2]string{{"indent_code:a.go:spaces", "I told you to use tabs"}, {"indent_code:b.go:spaces",
				"use tabs instead"}}, 1, ""}, // the wishes themselves are proposed, as in the next two
			{[][2]string{{"wrote a long explanation", "terse output"}, {"wrote a long explanation", "terse output"}}, 1,
				"Avoid: wrote a long explanation (“terse output”)"},
			{[][2]string{{"drew a pie chart", "bullets instead"}, {"drew a pie chart", "bullets instead"}}, 1, ""},
			{[][2]string{{"wrote detailed steps", "terse output"}, {"wrote detailed steps", "terse output"}}, 1,
				"Avoid: wrote detailed steps (“terse output”)"},
			{[][2]string{{"wrote verbose explanation", "don't ramble"}, {"wrote verbose explanation", "redo this"}}, 1,
				""}, // the wish itself is proposed
			{[][2]string{{"wrote verbose explanation", "too long"}, {"wrote verbose explanation", "don't do that"}}, 1,
				"Don't write verbose explanation"},
			{[][2]string{{"wrote verbose explanation", "ok"}, {"wrote verbose explanation", "now add the tests"}}, 0, ""},
			{[][2]string{{"ran the build", "thanks"}, {"ran the build", "what about the readme?"}}, 0, ""},
		} {
			sum := a.did(fmt.Sprint("s", i), nil, c.turns...)
			p := proposed(sum, "correction")
			if sum["corrected"] != c.corrected || (p != nil) != (c.content != "") || p != nil &&
				(p["confidence"] != 0.4 || text(p, "content") != c.content ||
					!strings.Contains(fmt.Sprint(p["evidence"]), c.turns[0][0]+" → "+c.turns[0][1])) {
				t.Errorf("%v: %v", c.turns, sum)
			}
		}
	})

	t.Run("Pattern 2: Failure Avoidance, by what is asked for", func(t *testing.T) {
		a := newAgent(t, "coder")
		for i, c := range []struct {
			turns     [][2]string
			corrected float64
			content   string
		}{
			{[][2]string{{"Edit:main.go", "Don't touch the config file"}, {"Edit:util.go", "Never use force push"},
				{"Edit:a.go", "use British spelling in comments"}}, 0, ""},
			{[][2]string{{"Edit:main.go", "Never use force push"}, {"Edit:util.go", "Always use emojis"}}, 0, ""},
			{[][2]string{{"Edit:main.go", "that's not what I asked for"}, {"Edit:util.go", "that's not what I asked for"}}, 1,
				""},
			{[][2]string{{"Edit:main.go", "Don't ask, fix it"}, {"Edit:util.go", "Don't ask, fix it"}}, 1, ""},
			{[][2]string{{"wrote a summary", "I like dark mode"}, {"wrote a summary", "Use metric units"}}, 0, ""},
			{[][2]string{{"Edit:main.go", "keep it short"}, {"Write:util.go", "Keep it short!"}}, 1, "Keep it short"},
			{[][2]string{{"write long mail", "shorter please"}, {"write long mail", "shorter please"}}, 1,
				"Avoid: write long mail (“shorter please”)"},
			{[][2]string{{"deleted a branch", "well, don't"}, {"deleted a branch", "well"}, {"deleted a branch", "stop"}}, 1,
				"Don't delete a branch"},
			{[][2]string{{"wrote the summary", "good but too long"}, {"wrote the summary", "good but too long"}}, 1,
				"Avoid: wrote the summary (“good but too long”)"},
			{[][2]string{{"waited for approval", "never wait for that"}, {"waited for approval", "just do it"}}, 0, ""},
		} {
			sum := a.did(fmt.Sprint("g", i), nil, c.turns...)
			if p := proposed(sum, "correction"); sum["corrected"] != c.corrected || text(p, "content") != c.content {
				t.Errorf("%v: %v", c.turns, sum)
			}
			for _, p := range list(sum, "proposals") {
				if text(p, "state") == "open" && strings.HasSuffix(text(p, "content"), "that") {
					t.Errorf("%v: %v", c.turns, p)
				}
			}
		}
	})

	t.Run("Pattern 3: Project Inference, again in a second session", func(t *testing.T) {
		a := newAgent(t, "coder")
		base := object{"project": "hydra", "patterns": object{
			"error_handling": object{"description": "Log errors before returning", "confidence": 0.95}}}
		did := func(session string) object {
			for _, f := range []string{"a", "b", "c"} {
				a.post("/api/turns", object{"session_id": session, "user_id": "ann", "action": "error_handling: " + f,
					"reaction": "ok", "context": object{"project": "hydra", "file": session + f + ".go"}})
			}
			return a.ended(text(a.post("/api/sessions/end", object{"session_id": session, "user_id": "ann",
				"codebase": base}), "id"))
		}
		first, second := did("p1"), did("p2")
		p := proposed(first, "pattern")
		if second["noticed"] != 1.0 || len(list(second, "proposals")) != 0 ||
			fmt.Sprint(second["before"]) != "["+text(p, "id")+"]" {
			t.Errorf("%v", second)
		}
		if p = proposed(a.get("/api/sessions/"+text(first, "id")), "pattern"); !strings.Contains(fmt.Sprint(p["evidence"]),
			"p2a.go") {
			t.Errorf("%v", p)
		}
		page := a.expert.Get(t, "/learning/sessions/"+text(second, "id")).Body
		if !strings.Contains(page, "/learning/sessions/"+text(first, "id")+"#p-"+text(p, "id")) ||
			strings.Contains(page, "Nothing happened often enough") {
			t.Errorf("%s", page)
		}
	})

	t.Run("Pattern 1: Success Reinforcement, in people's words", func(t *testing.T) {
		a := newAgent(t, "coder")
		sum := a.did("s", nil, [2]string{"split proxy.go into 3 files", "works like a charm"},
			[2]string{"split cli.go into 2 files", "love it"}, [2]string{"split config.go into 4 files", "much clearer now"})
		if p := proposed(sum, "rule"); p == nil || p["confidence"] != 0.3 {
			t.Errorf("%v", sum)
		}
	})

	t.Run("Pattern 1: Success Reinforcement, in no file's name", func(t *testing.T) {
		a := newAgent(t, "coder")
		sum := a.did("s", nil, [2]string{"split proxy.go into 3 files", "perfect"},
			[2]string{"split cli.go into 2 files", "good"}, [2]string{"planned split for config.go", "exactly"})
		if p, r := proposed(sum, "preference"), proposed(sum, "rule"); p != nil || sum["noticed"] != 1.0 ||
			text(r, "content") != "Split files" || r["confidence"] != .3 || len(r["evidence"].([]any)) != 3 {
			t.Errorf("%v", sum)
		}
	})

	t.Run("Helper Functions: rules read as people would say them", func(t *testing.T) {
		a := newAgent(t, "coder")
		for i, c := range []struct{ verb, reaction, category, want string }{
			{"split_file:%d.go:2", "good", "rule", "Split files"},
			{"add_summary:report%d.md:3", "right", "rule", "Add summary"},
			{"write:verbose_explanation:%d00w", "stop that", "correction", "Don't write verbose explanation"},
			{"edit:src/part%d.go", "good", "rule", "Edit files"},
			{"write:unit_test:%d", "exactly", "rule", "Write unit test"},
			{"summary:%d", "good", "rule", "Continue: summary"},
			{"add-type-hints:a%d", "good", "rule", "Add type hints"},
			{"write_test_first:auth%d", "good", "rule", "Write test first"},
			{"commit:main:%d", "good", "rule", "Commit main"},
			{"refactor:part%d:2", "good", "rule", "Continue: refactor"},
			{"bash:pwd:%d", "good", "rule", "Bash pwd"},
			{"format_code:main%d.go", "good", "rule", "Format code"},
			{"explain:answer:%d00w", "stop that", "correction", "Don't explain answer"},
			{"wrote the test first, part %d", "approved", "rule", "Write the test first, part 3"},
			{"refactored the parser, part %d", "approved", "rule", "Refactor the parser, part 3"},
			{"documented the API, chapter %d", "approved", "rule", "Document the API, chapter 3"},
			{"overrode the default, case %d", "approved", "rule", "Continue: overrode the default, case 3"},
		} {
			var turns [][2]string
			for n := 1; n <= 3; n++ {
				turns = append(turns, [2]string{fmt.Sprintf(c.verb, n), c.reaction})
			}
			sum := a.did(fmt.Sprint("s", i), nil, turns...)
			p := proposed(sum, c.category) // what makes no sentence is noticed, and left to people and models
			if (p != nil) != (c.want != "") || sum["noticed"].(float64)+sum["corrected"].(float64) != 1 || p != nil &&
				(text(p, "content") != c.want || !strings.Contains(fmt.Sprint(p["evidence"]), turns[0][0])) {
				t.Errorf("%s: %v", c.verb, sum)
			}
		}
		a.approve("Split files")
		prompt := text(a.post("/api/recall", object{"query": "How do I lay out this long file?",
			"context": object{"language": "go"}}), "prompt")
		if !strings.Contains(prompt, "Split files") || strings.Contains(prompt, "anybody") {
			t.Errorf("%s", prompt)
		}
		a.says("ann", "Never squash commits")
		a.approve("Never squash commits")
		a.says("ann", "I prefer short answers without emojis")
		a.approve("I prefer short answers without emojis")
		a.says("ben", "Use ripgrep instead of grep for searching")
		a.approve("Use ripgrep instead of grep for searching")
		const squash, short, grep = "Never squash commits", "I prefer short answers", "Use ripgrep"
		for query, want := range map[string][]string{
			"Shall I squash the commits?":            {squash, short},
			"What is photosynthesis?":                {short},
			"Who won the French Revolution?":         {short},
			"How do I search all files with grep?":   {grep, short},
			"May I put the three commits into one?":  {squash, short},
			"Write a letter to thank my old teacher": {short},
		} {
			prompt = text(a.post("/api/recall", object{"query": query}), "prompt")
			for _, rule := range []string{squash, short, grep} {
				has := strings.Contains(prompt, `Principle: "`+rule)
				// what is for other code is no harm to work on code, behind what is related
				if has != slices.Contains(want, rule) && !(has && want[0] != short && rule != short) {
					t.Errorf("%s: %q: %s", query, rule, prompt)
				}
			}
			if !strings.HasPrefix(prompt[strings.Index(prompt, "Principle: "):], `Principle: "`+want[0]) {
				t.Errorf("%s: what is related doesn't come first: %s", query, prompt)
			}
		}
	})

	t.Run("Integration with Phase 3: a rule is given where its kind of work is", func(t *testing.T) {
		a := newAgent(t, "coder")
		wishes := []string{"Never use force push", "Always use tabs", "Use pnpm instead of npm for this project",
			"Always run the tests before committing"}
		for _, wish := range wishes {
			a.says("ann", wish)
			a.approve(wish)
		}
		for query, want := range map[string]string{"What is photosynthesis?": "", "Who won the French Revolution?": "",
			"May I force push my branch?": wishes[0], "Do I indent with tabs or spaces?": wishes[1],
			"How do I install the packages, with npm or pnpm?": wishes[2], "Install react": wishes[2],
			"Can I commit before the tests have run?": wishes[3]} {
			prompt := text(a.post("/api/recall", object{"query": query}), "prompt")
			for _, wish := range wishes {
				if has := strings.Contains(prompt, wish); has && want == "" || !has && wish == want {
					t.Errorf("%s: %q is given: %v", query, wish, has)
				}
			}
		}
	})

	t.Run("Integration with Phase 3: what any answer follows is given with every one", func(t *testing.T) {
		a := newAgent(t, "coder")
		answers := []string{"I prefer short answers", "Always answer in British English", "Never use emojis in answers",
			"Always cite your sources", "Never use jargon", "Use metric units in every answer"}
		work := []string{"Never squash commits", "Use pnpm instead of npm", "Never use force push", "Always use tabs",
			"Always run the tests before committing"}
		for _, wish := range slices.Concat(work, answers) {
			a.says("ann", wish)
			a.approve(wish)
		}
		for query, related := range map[string]string{"What is photosynthesis?": "", "Install react": work[1]} {
			prompt := text(a.post("/api/recall", object{"query": query}), "prompt")
			for _, wish := range answers {
				if !strings.Contains(prompt, wish) {
					t.Errorf("%s: %q isn't given: %s", query, wish, prompt)
				}
			}
			for _, wish := range work {
				if has := strings.Contains(prompt, wish); has && related == "" || !has && wish == related {
					t.Errorf("%s: %q is given: %v: %s", query, wish, has, prompt)
				}
			}
		}
		prompt := text(a.post("/api/recall", object{"query": "Write a function that parses dates",
			"context": object{"project": "hydra"}}), "prompt")
		if !strings.Contains(prompt, "Always use tabs") {
			t.Errorf("at work on a project: %s", prompt)
		}
	})

	t.Run("Pattern 1: Success Reinforcement, with its bound", func(t *testing.T) {
		a := newAgent(t, "coder")
		sum := a.did("s", nil, [2]string{"summary: 3 sentences", "good"}, [2]string{"summary: 2 sentences", "perfect"},
			[2]string{"summary: 4 sentences", "too long"}, [2]string{"summary: 2 sentences", "exactly"})
		if got := list(sum, "proposals"); len(got) != 1 || got[0]["confidence"] != .4 ||
			text(got[0], "content") != "Summary: 2 sentences, not 4 sentences" {
			t.Errorf("%v", got)
		}
	})

	t.Run("Pattern 3: Project Inference", func(t *testing.T) {
		a := newAgent(t, "coder")
		base := object{"project": "hydra", "patterns": object{
			"error_handling": object{"description": "Log errors before returning (Go style)", "confidence": 0.95},
			"testing":        object{"description": "Use testify.Suite for test organization", "confidence": 1},
			"imports":        object{"description": "Group imports: stdlib, third-party, local", "confidence": 0.2}}}
		for i, c := range []struct {
			actions    []string
			want       string
			confidence float64
		}{
			{[]string{"added a handler that logs the error before returning it", "new function logs its errors",
				"logged the failure, then returned it"}, "Project pattern: Log errors before returning (Go style)", 0.6},
			{[]string{"wrote the tests as a testify suite", "new test file with suite.Suite"},
				"Project pattern: Use testify.Suite for test organization", 0.4},
			{[]string{"sorted the imports into stdlib, third party and local", "grouped the imports by origin"}, "", 0},
			{[]string{"returned the error without logging it", "removed the error logging before the return",
				"added a handler that returns errors unlogged"}, "", 0},
			{[]string{"replaced the testify suite by plain tests", "stopped using testify suites in the new test file"}, "", 0},
			{[]string{"renamed the variable", "added a function to parse dates", "wrote a summary"}, "", 0},
		} {
			session := fmt.Sprint("s", i)
			for _, action := range c.actions {
				a.post("/api/turns", object{"session_id": session, "user_id": "ann", "action": action, "reaction": "ok",
					"context": object{"project": "hydra", "file": "internal/auth.go"}})
			}
			sum := a.ended(text(a.post("/api/sessions/end", object{"session_id": session, "user_id": "ann",
				"codebase": base}), "id"))
			p := proposed(sum, "pattern")
			if (p != nil) != (c.want != "") || p != nil && (text(p, "content") != c.want ||
				p["confidence"] != c.confidence || text(p, "scope") != "project:hydra") {
				t.Errorf("%v: %v", c.actions, sum)
			}
		}
	})

	t.Run("Pattern 3: Project Inference, of a project that the analysis alone names", func(t *testing.T) {
		a := newAgent(t, "coder")
		for _, f := range []string{"a.go", "b.go", "c.go"} {
			a.post("/api/turns", object{"session_id": "s", "user_id": "ann", "action": "apply error_handling",
				"reaction": "ok", "context": object{"file": f}})
		}
		sum := a.ended(text(a.post("/api/sessions/end", object{"session_id": "s", "user_id": "ann", "codebase": object{
			"project": "hydra", "patterns": object{"error_handling": object{"description": "Log errors before returning",
				"confidence": 0.95}}}}), "id"))
		if p := proposed(sum, "pattern"); p["confidence"] != 0.6 || text(p, "scope") != "project:hydra" {
			t.Errorf("%v", sum)
		}
	})

	t.Run("Data Structures: a scope is said in words", func(t *testing.T) {
		a := newAgent(t, "coder")
		const wish = "Use pnpm instead of npm for this project"
		a.post("/api/turns", object{"session_id": "s-ann", "user_id": "ann", "query": wish, "response": "Done.",
			"context": object{"project": "hydra"}})
		a.site.Drain(t)
		at := a.page(wish)
		if page := a.expert.Get(t, strings.SplitN(at, "/proposals", 2)[0]).Body; !strings.Contains(page,
			"For the project hydra") || strings.Contains(page, ">project:") {
			t.Errorf("%s", page)
		}
		a.approve(wish)
		const said = "For the project hydra: " + wish
		if prompt := text(a.post("/api/recall", object{"query": "How do I install the packages?",
			"context": object{"project": "hydra"}}), "prompt"); !strings.Contains(prompt, `Principle: "`+said) {
			t.Errorf("%s", prompt)
		}
		file := a.api.Get(t, "/api/learnings.md").Body
		if !strings.Contains(file, said) {
			t.Errorf("%s", file)
		}
		if got := a.post("/api/learnings", object{"markdown": file}); got["new"] != 0.0 || got["gone"] != 0.0 {
			t.Errorf("as it was given out: %v", got)
		}
		if page := a.expert.Get(t, "/knowledge?kind=rule").Body; !strings.Contains(page, said) ||
			strings.Contains(page, "project:hydra") {
			t.Errorf("%s", page)
		}
		if r := a.expert.Post(t, a.said("ben", "Never use force push"), url.Values{"act": {"approve"},
			"scope": {signal.EveryAgent}}); r.Status != http.StatusSeeOther {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		a.site.Drain(t)
		if page := a.expert.Get(t, "/knowledge?kind=rule").Body; !strings.Contains(page,
			"For general agents: Never use force push") || strings.Contains(page, "pack:general") {
			t.Errorf("%s", page)
		}
	})

	t.Run("Pattern 4: Approach Reinforcement, one proposal for a praise", func(t *testing.T) {
		a := newAgent(t, "coder")
		for i, c := range [][3]string{{"", "wrote test first", "Write test first"},
			{"How are dates parsed?", "created plan doc before coding", "Create plan doc before coding"},
			{"How do I lay out this long file?", "split_file:proxy.go:3", "Split files"},
			{"How is the table read?", "overrode the default reader", "Continue: overrode the default reader"}} {
			sum := a.did(fmt.Sprint("s", i), object{"query": c[0], "response": "Done."},
				[2]string{c[1], "perfect, that's exactly the way I like it"})
			if got := list(sum, "proposals"); len(got) != 1 || got[0]["confidence"] != .9 ||
				text(got[0], "category") != "preference" || text(got[0], "content") != c[2] {
				t.Errorf("%q: %v", c, got)
			}
		}
	})

	t.Run("Pattern 4: Approach Reinforcement, of a code", func(t *testing.T) {
		a := newAgent(t, "coder")
		for _, turn := range []object{{"query": "How do I lay out proxy.go?", "action": "split_file:proxy.go:3"},
			{"query": "Perfect, exactly what I wanted!", "response": "Good."}} {
			turn["session_id"], turn["user_id"] = "next", "ann"
			a.post("/api/turns", turn)
		}
		if next := a.did("next", nil); text(list(next, "proposals")[0], "content") !=
			`For "How do I lay out proxy.go?": Split files` {
			t.Errorf("%v", next)
		}
		sum := a.did("s", nil, [2]string{"write_test:first:1", "perfect, that's TDD"})
		if got := list(sum, "proposals"); len(got) != 1 || text(got[0], "content") != "Write test first" {
			t.Errorf("%v", got)
		}
	})

	t.Run("Integration with Phase 3: the summary counts what the user asked for", func(t *testing.T) {
		a := newAgent(t, "coder")
		a.said("ann", "Never use force push")
		sum := a.did("s-ann", nil)
		if sum["wishes"] != 1.0 || text(sum, "text") !=
			"The user corrected 0 behaviours and stated 1 wish, and the agent noticed 0 patterns." {
			t.Errorf("%v", sum)
		}
	})

	t.Run("Integration with Phase 3: the summary counts what was corrected in a query", func(t *testing.T) {
		a := newAgent(t, "coder")
		a.said("ann", "That's not what I asked for")
		a.said("ann", "Don't touch the config file")
		if sum := a.did("s-ann", nil); sum["corrected"] != 2.0 || sum["wishes"] != 0.0 {
			t.Errorf("%v", sum)
		}
	})

	t.Run("Storage Format: the type that an agent gives", func(t *testing.T) {
		a := newAgent(t, "coder")
		turns := [][2]string{{"wrote verbose explanation", "hm"}, {"wrote verbose explanation", "hm"}}
		if sum := a.did("own", object{"type": "failure"}, turns...); sum["corrected"] != 1.0 {
			t.Errorf("its own failure: %v", sum)
		}
		if sum := a.did("praise", object{"type": "success"}, append(turns, turns...)...); len(list(sum, "proposals")) != 0 {
			t.Errorf("an agent can't approve itself: %v", sum)
		}
	})

	t.Run("Storage Format: an imported file is analysed", func(t *testing.T) {
		a := newAgent(t, "coder")
		sum := a.ended(text(a.decode(a.api.JSON(t, "POST", "/api/observations", `{"file":`+imported+`}`)), "id"))
		var categories []string
		for _, p := range list(sum, "proposals") {
			categories = append(categories, text(p, "category"))
		}
		slices.Sort(categories)
		if want := []string{"correction", "preference"}; !slices.Equal(categories, want) || sum["corrected"] != 1.0 ||
			sum["noticed"] != 1.0 {
			t.Errorf("%v", sum)
		}
		if p := proposed(sum, "preference"); p["confidence"] != 0.9 || !strings.Contains(fmt.Sprint(p["evidence"]), "TDD") {
			t.Errorf("%v", p)
		}
	})
}
