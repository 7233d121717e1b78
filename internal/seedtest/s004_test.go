package seedtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/signal"
)

// extract is what the command line finds in messages, in their order.
func extract(t *testing.T, messages ...string) (out [][]object) {
	t.Helper()
	var in strings.Builder
	for i, m := range messages {
		line, err := json.Marshal(object{"id": i, "message": m})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&in, "%s\n", line)
	}
	for line := range strings.Lines(command(t, in.String(), "learn", "extract")) {
		var one object
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		out = append(out, list(one, "learnings"))
	}
	return out
}

// says has a user say something to the agent, in a session of theirs.
func (a agent) says(user, message string) {
	a.Helper()
	a.post("/api/turns", object{"session_id": "s-" + user, "user_id": user, "query": message, "response": "Done."})
	a.site.Drain(a.T)
}

// said is the page of the proposal of what a user says.
func (a agent) said(user, message string) string {
	a.Helper()
	a.says(user, message)
	return a.page(message)
}

// learned are the learnings of a user's session.
func (a agent) learned(user string) []object {
	a.Helper()
	return list(a.post("/api/sessions/end", object{"session_id": "s-" + user, "user_id": user}), "proposals")
}

// page is the page of the session's proposal of this content.
func (a agent) page(content string) string {
	a.Helper()
	sessions, _, _, err := a.site.Signals.Sessions(a.Context(), signal.Filter{})
	if err != nil {
		a.Fatal(err)
	}
	for _, s := range sessions {
		sum, err := a.site.Signals.Summary(a.Context(), s.ID, "")
		if err != nil {
			a.Fatal(err)
		}
		for _, g := range sum.Proposals() {
			if g.Content == content {
				return "/learning/sessions/" + s.ID + "/proposals/" + g.ID
			}
		}
	}
	a.Fatalf("nobody proposed %q", content)
	return ""
}

// approve has the expert approve what was learned.
func (a agent) approve(content string) {
	a.Helper()
	if r := a.expert.Post(a.T, a.page(content), url.Values{"act": {"approve"}}); r.Status != http.StatusSeeOther {
		a.Fatalf("approve %q: %d %s", content, r.Status, regexp.MustCompile(`(?s)class="error.{0,400}`).FindAllString(r.Body, 3))
	}
	a.site.Drain(a.T)
}

func (a agent) settings(set signal.Settings) {
	a.Helper()
	agents, err := a.site.Accounts.Agents(a.Context())
	if err != nil {
		a.Fatal(err)
	}
	if err := a.site.Signals.Set(a.Context(), agents[0].ID, set,
		knowledge.Person{ID: "p", Name: "Eva", Roles: []string{"expert"}}); err != nil {
		a.Fatal(err)
	}
}

func TestSeed004(t *testing.T) {
	t.Run("Learning Extraction, the categories' examples", func(t *testing.T) {
		cases := []struct {
			message, category string
			once              bool
		}{
			{"Never use force push", "preference", false},
			{"I like dark mode", "preference", false},
			{"I prefer concise responses without emojis", "preference", false},
			{"Always answer in British English", "preference", false},
			{"Please don't add comments to the code", "correction", false},
			{"Please don’t add trailing spaces", "correction", false},
			{"No, I want the other file", "correction", true},
			{"Actually I meant the second table", "correction", true},
			{"That's not what I asked for", "correction", true},
			{"Don't touch the config file", "correction", true},
			{"Use ripgrep instead of grep for searching", "tool-usage", false},
			{"Always do a dry run", "preference", false},
			{"Never touch production", "preference", false},
			{"Never heard back from the bank", "", false},
			{"Always the same error here", "", false},
			{"Don't see the button anywhere", "", false},
			{"Don't we have a branch in Leeds?", "", false},
			{"Could you please always give prices in euros?", "preference", false},
			{"Perfect, the short version with a table was exactly what I needed", "pattern", false},
			{"How do I stop Windows from updating itself?", "", false},
			{"I want to retire at 60, is that realistic?", "", false},
			{"The manual says: always unplug the device before cleaning", "", false},
			{"I do not like dark mode", "preference", false},
			{"I dont like dark mode", "preference", false},
			{"I'd like dark mode", "preference", false},
			{"I would like shorter answers", "preference", false},
			{"Dont add comments to the code", "preference", false},
			{"\"Never use force push\"", "preference", false},
			{"I would like to know what my options are", "", false},
			{"I do not understand the letter", "", false},
			{"The sign at the door says: \"Always ring first. Do not open before nine.\"", "", false},
			{"My aunt always told me, “Don't put anything in writing that you can say.”", "", false},
			{"Why does this fail?\n```\n// never use tabs, always use spaces\nx := 1\n```", "", false},
			{"What does he mean?\n> Please always answer in English.", "", false},
		}
		var messages []string
		for _, c := range cases {
			messages = append(messages, c.message)
		}
		for i, got := range extract(t, messages...) {
			c := cases[i]
			if c.category == "" && len(got) == 0 {
				continue
			}
			if len(got) != 1 || text(got[0], "category") != c.category || (got[0]["once"] == true) != c.once {
				t.Errorf("%q: %v", c.message, got)
			}
		}
	})

	t.Run("Known Limitations: one learning per category per message", func(t *testing.T) {
		got := extract(t, "Always use tabs. Never use force push, and I prefer short answers.")[0]
		var said []string
		for _, l := range got {
			said = append(said, text(l, "content"))
		}
		slices.Sort(said)
		if want := []string{"Always use tabs.", "I prefer short answers.", "Never use force push"}; !slices.Equal(said, want) {
			t.Errorf("%q", said)
		}
		got = extract(t, "Never abbreviate; always use type hints; I prefer small functions")[0]
		if len(got) != 3 {
			t.Errorf("semicolons separate: %v", got)
		}
	})

	t.Run("Configuration", func(t *testing.T) {
		a := newAgent(t, "coder") // nobody has set anything: it is enabled
		a.says("ann", "Never use force push")
		a.says("ann", "No, I want the other file")
		if got := a.learned("ann"); len(got) != 2 || got[0]["state"] != "open" || got[1]["state"] != "noted" {
			t.Errorf("%v", got)
		}
		if page := a.expert.Get(t, strings.SplitN(a.page("Never use force push"), "/proposals", 2)[0]).Body; !strings.
			Contains(page, "for this time only") {
			t.Errorf("what isn't proposed doesn't say why: %s", page)
		}
		a.settings(signal.Settings{MostLearnings: 1, LeastMessage: 30})
		a.says("ben", "Never use force push")
		a.says("ben", "Always answer in British English. Never use more than one paragraph.")
		if got := a.learned("ben"); len(got) != 1 {
			t.Errorf("%v", got)
		}
		a.settings(signal.Settings{Learn: signal.LearnOff})
		a.says("eve", "Never use force push")
		if got := a.learned("eve"); len(got) != 0 {
			t.Errorf("%v", got)
		}
	})

	t.Run("Sessions, by the agent's own ids", func(t *testing.T) {
		a := newAgent(t, "coder")
		a.says("ann", "Never use force push")
		id := text(a.post("/api/sessions/end", object{"session_id": "s-ann", "user_id": "ann"}), "id")
		for _, at := range []string{"/api/sessions/", "/api/observations/"} {
			if mine, ours := a.get(at+"s-ann"), a.get(at+id); len(mine) == 0 || fmt.Sprint(mine) != fmt.Sprint(ours) {
				t.Errorf("%s: %v, and %v", at, mine, ours)
			}
		}
		if r := joined(t, a.site, "other").api.Get(t, "/api/sessions/s-ann"); r.Status != http.StatusNotFound {
			t.Errorf("another agent's: %d", r.Status)
		}
		a.post("/api/turns", object{"session_id": "s-ann", "user_id": "ben", "query": "Hello"})
		for _, at := range []string{"/api/sessions/", "/api/observations/"} {
			if r := a.api.Get(t, at+"s-ann"); r.Status != http.StatusConflict || !strings.Contains(r.Body, "more than one user") {
				t.Errorf("of two users: %d %s", r.Status, r.Body)
			}
		}
		if got := a.get("/api/sessions/" + id); text(got, "session_id") != "s-ann" {
			t.Errorf("%v", got)
		}
	})

	t.Run("Success Indicators: praise that opens the next turn", func(t *testing.T) {
		a := newAgent(t, "coder")
		a.post("/api/turns", object{"session_id": "s-ann", "user_id": "ann", "query": "fix the test",
			"response": "Ran vitest, read the error, edited the file.", "steps": []object{{"tool": "exec", "input": "vitest"}}})
		a.post("/api/turns", object{"session_id": "s-ann", "user_id": "ann", "query": "Perfect, exactly what I wanted!",
			"response": "Good."})
		a.post("/api/turns", object{"session_id": "s-ben", "user_id": "ben", "query": "What is a fuse?",
			"response": "A thin wire."})
		a.post("/api/turns", object{"session_id": "s-ben", "user_id": "ben", "query": "Perfect, exactly what I wanted!",
			"response": "Good."})
		a.site.Drain(t)
		file := a.api.Get(t, "/api/learnings.md?waiting=true").Body
		if !strings.Contains(file, `For "fix the test": Ran vitest, read the error, edited the file.`) ||
			strings.Contains(file, "fuse") {
			t.Errorf("%s", file)
		}
	})

	t.Run("Deduplication", func(t *testing.T) {
		a := newAgent(t, "coder")
		a.settings(signal.Settings{Learn: signal.LearnKeep})
		for range 3 {
			a.post("/api/turns", object{"session_id": "s-ann", "user_id": "ann", "query": "Never use force push",
				"response": "Done."})
		}
		var all sync.WaitGroup
		for range 3 { // as workers do within a second
			all.Go(func() { a.site.Drain(t) })
		}
		all.Wait()
		a.says("ann", "never use force push!")
		if got := a.learned("ann"); len(got) != 1 {
			t.Errorf("%v", got)
		}
		a.says("ben", "Always use emojis in answers")
		a.says("ben", "Never use emojis in answers")
		notes := text(a.post("/api/recall", object{"query": "Write a reply", "user_id": "ben"}), "notes")
		if strings.Contains(notes, "Always") || !strings.Contains(notes, "Never use emojis") {
			t.Errorf("%q", notes)
		}
	})

	t.Run("Corrections: a complaint replaces no wish", func(t *testing.T) {
		for i, c := range []struct {
			wish, complaint string
			kept            bool
		}{
			{"Never use emojis", "You used emojis again", true},
			{"Always use type hints in Python", "You didn't use type hints in Python", true},
			{"Never use emojis", "Please use emojis", false},
			{"Never use emojis", "Always use emojis", false},
			{"Always check grammar", "Always check spelling", true},
		} {
			a := newAgent(t, "coder")
			a.settings(signal.Settings{Learn: signal.LearnKeep})
			a.says("ann", c.wish)
			a.learned("ann")
			a.site.Drain(t)
			notes := text(a.post("/api/recall", object{"query": "Write a reply", "user_id": "ann"}), "notes")
			if !strings.Contains(notes, c.wish) {
				t.Fatalf("%d: %q", i, notes)
			}
			a.says("ann", c.complaint)
			a.learned("ann")
			a.site.Drain(t)
			notes = text(a.post("/api/recall", object{"query": "Write a reply", "user_id": "ann"}), "notes")
			both := strings.HasPrefix(c.complaint, "Always check")
			if strings.Contains(notes, "- "+c.wish) != c.kept || strings.Contains(notes, c.complaint) == c.kept && !both {
				t.Errorf("%q, then %q: %q", c.wish, c.complaint, notes)
			}
			again := 0.0
			for _, l := range list(a.get("/api/learnings"), "items") {
				if effect, ok := l["effect"].(map[string]any); ok && text(l, "content") == c.wish {
					again, _ = effect["corrected_again"].(float64)
				}
			}
			if (c.kept && !both) != (again == 1) {
				t.Errorf("%q, then %q: corrected again %v times", c.wish, c.complaint, again)
			}
		}
	})

	t.Run("Future: contradiction detection, where nobody can tell for sure", func(t *testing.T) {
		for _, c := range [][2]string{{"Use metric units", "Use imperial units"}, {"Indent with tabs", "Indent with spaces"},
			{"I prefer long answers", "I prefer short answers"}, {"Always answer in English", "Always answer in German"},
			{"I like dark mode", "I like light mode"}} {
			a := newAgent(t, "coder")
			a.settings(signal.Settings{Learn: signal.LearnKeep})
			a.says("ann", "Never use force push")
			a.says("ann", c[0])
			a.says("ann", c[1])
			notes := text(a.post("/api/recall", object{"query": "Write a reply", "user_id": "ann"}), "notes")
			want := "What this user asked for, newest first. Where two don't fit together, the newer one holds:\n- " + c[1] +
				"\n- " + c[0] + " (older than “" + c[1] + "”)\n- Never use force push"
			if notes != want {
				t.Errorf("got %q, want %q", notes, want)
			}
			a.learned("ann")
			a.site.Drain(t)
			at := a.page(c[1])
			page := a.expert.Get(t, strings.SplitN(at, "/proposals", 2)[0]).Body
			if !strings.Contains(page, "Which of these holds?") || strings.Contains(page, "Says the same as") {
				t.Fatalf("%q, then %q: no person is asked: %s", c[0], c[1], page)
			}
			older := regexp.MustCompile(`id="r-` + path.Base(at) + `-([0-9a-f-]{36})"`).FindStringSubmatch(page)[1]
			if r := a.expert.Post(t, at, url.Values{"act": {"approve"}, "with": {older}}); r.Status != http.StatusSeeOther {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			a.site.Drain(t)
			got := text(a.post("/api/recall", object{"query": "Write a reply", "user_id": "ann",
				"context": object{"language": "go"}}), "prompt")
			if !strings.Contains(got, c[1]) || strings.Contains(got, c[0]) {
				t.Errorf("%q replaces %q: %s", c[1], c[0], got)
			}
		}
	})

	t.Run("Future: contradiction detection", func(t *testing.T) {
		a := newAgent(t, "coder")
		for user, wish := range map[string]string{"ann": "Always use emojis", "ben": "Never use emojis"} {
			a.says(user, wish)
			a.learned(user)
		}
		a.approve("Always use emojis")
		wider := a.page("Never use emojis")
		if r := a.expert.Post(t, wider, url.Values{"act": {"approve"}}); r.Status != http.StatusUnprocessableEntity ||
			!strings.Contains(r.Body, "says the opposite") {
			t.Errorf("the opposite for the same work: %d %s", r.Status, r.Body)
		}
		if r := a.expert.Post(t, wider, url.Values{"act": {"approve"}, "scope": {"language:go"}}); r.Status !=
			http.StatusSeeOther {
			t.Errorf("the opposite for some of the work: %d %s", r.Status, r.Body)
		}
		a.site.Drain(t)
		if page := a.expert.Get(t, "/knowledge/conflicts").Body; !strings.Contains(page, "Always use emojis") ||
			!strings.Contains(page, "Never use emojis") {
			t.Errorf("%s", page)
		}
	})

	t.Run("Future: contradiction detection, of a newer wish", func(t *testing.T) {
		a := newAgent(t, "coder")
		a.said("ann", "Always use emojis")
		a.approve("Always use emojis")
		at := a.said("ann", "Never use emojis")
		page := a.expert.Get(t, strings.SplitN(at, "/proposals", 2)[0]).Body
		offered := regexp.MustCompile(`name="retire" value="([^"]+)"`).FindStringSubmatch(page)
		if offered == nil || !strings.Contains(page, "Approve and retire R-1") ||
			!strings.Contains(page, "says the opposite: “Always use emojis”") {
			t.Fatalf("%s", page)
		}
		if r := a.expert.Post(t, at, url.Values{"retire": {"another"}}); r.Status != http.StatusConflict {
			t.Errorf("another rule: %d", r.Status)
		}
		if r := a.expert.Post(t, at, url.Values{"retire": {offered[1]}}); r.Status != http.StatusSeeOther {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		a.site.Drain(t)
		if prompt := text(a.post("/api/recall", object{"query": "May I use emojis in the answer?"}), "prompt"); !strings.
			Contains(prompt, "Never use emojis") || strings.Contains(prompt, "Always use emojis") {
			t.Errorf("%s", prompt)
		}
	})

	t.Run("Future: contradiction detection, of another value", func(t *testing.T) {
		for _, c := range []struct {
			one, other string
			listed     bool
		}{
			{"Always answer in English", "Always answer in German", true},
			{"Keep answers to five lines", "Keep answers to ten lines", true},
			{"Keep answers to 5 lines", "Limit replies to 10 lines", true},
			{"Use metric units", "Use imperial units", true},
			{"I prefer tabs", "I prefer spaces", true},
			{"Always use single quotes", "Always use double quotes", true},
			{"Always use tabs", "Always use emojis", false},
			{"Always run the linter before committing", "Always run the tests before committing", false},
		} {
			a := newAgent(t, "coder")
			a.said("ann", c.one)
			a.approve(c.one)
			a.said("ben", c.other)
			a.approve(c.other)
			page := a.expert.Get(t, "/knowledge/conflicts").Body
			if got := strings.Contains(page, c.one) && strings.Contains(page, c.other); got != c.listed {
				t.Errorf("%q and %q: listed %v", c.one, c.other, got)
			}
		}
	})

	t.Run("Approved wishes read as their user said them", func(t *testing.T) {
		a := newAgent(t, "coder")
		a.said("ann", "I like dark mode")
		a.approve("I like dark mode")
		if prompt := text(a.post("/api/recall", object{"query": "Which colours do I use for the page, dark or light?"}),
			"prompt"); !strings.Contains(prompt, `Principle: "I like dark mode"`) {
			t.Errorf("%s", prompt)
		}
	})

	t.Run("Future: effectiveness tracking", func(t *testing.T) {
		a := newAgent(t, "coder")
		a.settings(signal.Settings{Learn: signal.LearnKeep})
		const short, squash, tabs = "I prefer short answers without emojis", "Never squash commits", "Always use tabs"
		a.says("ann", squash)
		a.learned("ann")
		a.approve(squash) // it is a rule from now on
		a.says("ann", short)
		a.says("ann", tabs)
		a.learned("ann")
		a.site.Drain(t)
		for n, again := range []string{"", "Too long, " + short, "Never squash the commits!", ""} {
			a.post("/api/recall", object{"query": "Shall I squash the commits?", "user_id": "ann"})
			a.says("ann", fmt.Sprint("Write part ", n))
			if again != "" {
				a.says("ann", again)
			}
			a.learned("ann")
			a.site.Drain(t)
		}
		a.says("ann", tabs) // nobody was given anything since
		a.learned("ann")
		a.site.Drain(t)
		for content, want := range map[string]object{
			short:  {"shown": 4.0, "followed": 3.0, "corrected_again": 1.0},
			squash: {"shown": 4.0, "followed": 3.0, "corrected_again": 1.0},
			tabs:   {"shown": 4.0, "followed": 4.0, "corrected_again": 0.0},
		} {
			found := 0
			for _, l := range list(a.get("/api/learnings"), "items") {
				if text(l, "content") == content && fmt.Sprint(l["effect"]) == fmt.Sprint(want) {
					found++
				}
			}
			page := a.expert.Get(t, strings.SplitN(a.page(content), "/proposals", 2)[0]).Body
			line := fmt.Sprintf("Shown to the agent in 4 sessions: followed in %v, asked for again in %v.", want["followed"],
				want["corrected_again"])
			if found != 1 || !strings.Contains(page, line) {
				t.Errorf("%s: found %d, want %v of %v", content, found, want, a.get("/api/learnings"))
			}
		}
	})

	t.Run("Future: learning summarization", func(t *testing.T) {
		a := newAgent(t, "coder")
		wishes := map[string]string{"ann": "I prefer short answers", "ben": "i prefer short answers!",
			"cat": "I always prefer short answers", "dan": "Never use force push", "eve": "Always answer at length",
			"fay": "I prefer short and simple answers"}
		for _, user := range slices.Sorted(maps.Keys(wishes)) {
			a.says(user, wishes[user])
			a.learned(user)
			a.site.Drain(t)
		}
		sessions, _, _, err := a.site.Signals.Sessions(t.Context(), signal.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		var sums []object
		var at string
		for _, s := range sessions {
			for _, p := range list(a.get("/api/sessions/"+s.ID), "proposals") {
				if p["replaces"] != nil {
					if s.User != "ann" {
						t.Errorf("it is shown in the session of %s, who didn't say it", s.User)
					}
					sums, at = append(sums, p), "/learning/sessions/"+s.ID+"/proposals/"+text(p, "id")
				}
			}
		}
		if len(sums) != 1 || len(sums[0]["replaces"].([]any)) != 3 || text(sums[0], "content") != wishes["ann"] ||
			!strings.Contains(fmt.Sprint(sums[0]["evidence"]), wishes["cat"]) {
			t.Fatalf("%v", sums)
		}
		if r := a.expert.Post(t, at, url.Values{"act": {"approve"}, "content": {"Keep answers short"}}); r.Status !=
			http.StatusSeeOther {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		a.site.Drain(t)
		if waiting, err := a.site.Signals.Waiting(t.Context()); err != nil || waiting != 3 {
			t.Errorf("%d wait, %v", waiting, err)
		}
		if got := a.learned("cat")[0]; text(got, "content") != wishes["cat"] {
			t.Errorf("what one said is in another's words: %v", got)
		}
		prompt := text(a.post("/api/recall", object{"query": "What is photosynthesis?"}), "prompt")
		if strings.Count(prompt, "Principle:") != 1 || !strings.Contains(prompt, "Keep answers short") {
			t.Errorf("%s", prompt)
		}
		if file := a.api.Get(t, "/api/learnings.md").Body; strings.Count(file, "hort") != 1 ||
			!strings.Contains(file, "Keep answers short") {
			t.Errorf("%s", file)
		}
	})

	t.Run("Future: contradiction detection, of what says the same", func(t *testing.T) {
		for _, c := range [][2]string{{"Use pnpm instead of npm", "Always use pnpm, not npm"},
			{"Always run the tests before committing", "Never commit without running the tests"},
			{"I prefer concise answers", "I want short replies"}, {"I prefer short answers", "I like short answers"}} {
			a := newAgent(t, "coder")
			a.said("ann", c[0])
			a.said("ben", c[1])
			at := a.page(c[1])
			page := a.expert.Get(t, strings.SplitN(at, "/proposals", 2)[0]).Body
			if strings.Contains(page, "Contradicts") || strings.Contains(page, "Which of these holds?") {
				t.Errorf("%q and %q: %s", c[0], c[1], page)
			}
			a.approve(c[0])
			if r := a.expert.Post(t, at, url.Values{"act": {"approve"}}); r.Status != http.StatusSeeOther &&
				!strings.Contains(r.Body, "says the same") {
				t.Errorf("%q, then %q: %d %s", c[0], c[1], r.Status, r.Body)
			}
			a.site.Drain(t)
			if page := a.expert.Get(t, "/knowledge/conflicts").Body; strings.Contains(page, "ontradiction</") {
				t.Errorf("%q and %q: %s", c[0], c[1], page)
			}
		}
	})

	t.Run("Future: learning summarization, of what is near", func(t *testing.T) {
		a := newAgent(t, "coder")
		wishes := []string{"I prefer concise answers", "Please always keep your answers brief", "I want short replies",
			"Always be concise in your answers", "I'd like shorter answers"}
		for i, wish := range wishes {
			a.said(fmt.Sprint("user", i), wish)
		}
		page := a.expert.Get(t, strings.SplitN(a.page(wishes[0]), "/proposals", 2)[0]).Body
		for _, wish := range wishes[1:] {
			if !strings.Contains(strings.ReplaceAll(page, "&#39;", "'"), wish) {
				t.Errorf("%q isn't offered: %s", wish, page)
			}
		}
		for _, wish := range wishes {
			a.approve(wish)
		}
		if page := a.expert.Get(t, "/knowledge/conflicts").Body; !strings.Contains(page, "Possible duplicate") ||
			strings.Contains(page, "ontradiction</") {
			t.Errorf("%s", page)
		}
	})

	t.Run("Future: learning summarization, of the opposite", func(t *testing.T) {
		for _, c := range []struct {
			one, two, sameUser string
			against            bool
		}{
			{"Always use semicolons at line ends", "Never use semicolons", "", true},
			{"Always squash commits before merging", "Never squash commits", "", true},
			{"I prefer tabs", "I prefer spaces over tabs", "ann", false}, // the newer stands alone
			{"Use pnpm for all scripts", "Use pnpm for all shell scripts", "", false},
			{"Always use emojis", "I prefer concise responses without emojis", "", true},
		} {
			a := newAgent(t, "coder")
			users := []string{"ann", cmp.Or(c.sameUser, "ben")}
			for i, wish := range []string{c.one, c.two} {
				a.post("/api/turns", object{"session_id": "s-" + users[i], "user_id": users[i], "query": "q",
					"response": "done", "reaction": wish})
				a.site.Drain(t)
				a.learned(users[i])
				a.site.Drain(t)
			}
			mine := a.learned(users[1])
			for _, p := range mine {
				if p["replaces"] != nil || text(p, "content") != c.two && text(p, "state") != "rejected" {
					t.Errorf("%q and %q: %v", c.one, c.two, p)
				}
			}
			at := a.page(c.two)
			page := a.expert.Get(t, strings.SplitN(at, "/proposals", 2)[0]).Body
			if strings.Contains(page, "Contradicts “"+c.one) != c.against || c.against &&
				strings.Contains(page, "May say the same") {
				t.Errorf("%q and %q: %s", c.one, c.two, page)
			}
			a.approve(c.two)
			for _, l := range list(a.get("/api/learnings"), "items") {
				if text(l, "content") == c.two && strings.Contains(fmt.Sprint(l["evidence"]), c.one) {
					t.Errorf("%q rests on %q", c.two, c.one)
				}
			}
			if !c.against {
				continue
			}
			if r := a.expert.Post(t, a.page(c.one), url.Values{"act": {"approve"}}); r.Status !=
				http.StatusUnprocessableEntity || !strings.Contains(r.Body, "says the opposite") {
				t.Errorf("%q beside %q: %d", c.one, c.two, r.Status)
			}
		}
	})

	t.Run("Conflicts: what is to be avoided in two ways", func(t *testing.T) {
		a := newAgent(t, "coder")
		for i, said := range []string{"Never squash commits", "Always squash commits before merging"} {
			at := a.said(fmt.Sprint("u", i), said)
			if r := a.expert.Post(t, at, url.Values{"act": {"approve"},
				"scope": {[]string{"universal", "language:go"}[i]}}); r.Status != http.StatusSeeOther {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			a.site.Drain(t)
		}
		for i, verb := range []string{"write", "wrote detailed steps"} {
			at := a.said(fmt.Sprint("v", i), "Please use tabs")
			if r := a.expert.Post(t, at, url.Values{"act": {"approve"}, "content": {"Avoid: " + verb + " (terse output)"}}); r.
				Status != http.StatusSeeOther {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			a.site.Drain(t)
		}
		page := a.expert.Get(t, "/knowledge/conflicts").Body
		if !strings.Contains(page, "Never squash commits") || !strings.Contains(page, "before merging") ||
			strings.Contains(page, "Avoid") && !strings.Contains(page, "Both are near in meaning") {
			t.Errorf("%s", page)
		}
	})

	t.Run("Learning Extraction, what is no wish and what is said twice", func(t *testing.T) {
		a := newAgent(t, "coder")
		a.says("ann", "You used semicolons again")
		a.post("/api/turns", object{"session_id": "s-ann", "user_id": "ann", "query": "No, I want the other file",
			"response": "Done.", "reaction": "No, I want the other file"})
		a.site.Drain(t)
		got := list(a.post("/api/sessions/end", object{"session_id": "s-ann"}), "proposals") // whose it is is known
		if len(got) != 2 || got[0]["state"] != "noted" || got[1]["state"] != "noted" {
			t.Errorf("%v", got)
		}
		for i, want := range []string{"Always use tabs", "Never use force push"} {
			said := []string{"> Always use tabs", "I like the layout of this page a lot, and I prefer short answers. " +
				"I like plain words. I would like British spelling. Never use force push"}[i]
			if all := extract(t, said)[0]; len(all) == 0 || !slices.ContainsFunc(all, func(l object) bool {
				return text(l, "content") == want
			}) {
				t.Errorf("%q: %v", said, all)
			}
		}
	})

	t.Run("Reminder System Integration", func(t *testing.T) {
		a := newAgent(t, "coder")
		react := func(kind, hour, trigger string, n int) {
			var all []object
			for range n {
				all = append(all, object{"reaction": kind, "trigger": trigger, "at": "2026-10-22T" + hour + ":00:00+01:00"})
			}
			a.post("/api/reminders", object{"user_id": "ann", "reactions": all})
		}
		react("completed", "09", "deadline", 40)
		react("ignored", "09", "deadline", 1)
		react("ignored", "20", "birthday", 20)
		react("completed", "15", "errand", 3)
		page := a.expert.Get(t, strings.SplitN(a.page("Send reminders in the morning"), "/proposals", 2)[0]).Body
		if !strings.Contains(page, "40 of 41 done") || !strings.Contains(page, "Send reminders on: deadline") ||
			strings.Contains(page, "evening") || strings.Contains(page, "afternoon") || strings.Contains(page, "birthday") {
			t.Errorf("%s", page)
		}
		a.approve("Send reminders in the morning")
		if file := a.api.Get(t, "/api/learnings.md").Body; !strings.Contains(file, "Send reminders in the morning") {
			t.Errorf("%s", file)
		}
		got := text(a.post("/api/recall", object{"query": "When do I send the reminder?", "user_id": "ann"}), "prompt")
		if !strings.Contains(got, "in the morning") {
			t.Errorf("%s", got)
		}
		for _, query := range []string{"Write the parser", "Add a login form", "Fix the failing test"} {
			if got := text(a.post("/api/recall", object{"query": query, "user_id": "ann"}), "prompt"); strings.Contains(got,
				"reminders") {
				t.Errorf("%s: %s", query, got)
			}
		}
	})

	t.Run("Storage: what a file adds waits", func(t *testing.T) {
		a := newAgent(t, "coder")
		file := func(query string) string { return a.api.Get(t, "/api/learnings.md"+query).Body }
		in := func(markdown string) { a.post("/api/learnings", object{"markdown": markdown}) }
		a.says("ann", "Never use force push")
		a.approve("Never use force push")
		a.says("ann", "Always use tabs.")
		a.says("ben", "always use tabs")
		older := file("?waiting=true")
		if strings.Count(strings.ToLower(older), "always use tabs") != 1 {
			t.Errorf("two users' wish stands twice: %s", older)
		}
		in(file("") + "\nMy notes.\n\n## Corrections\n\n- [2025-01-29] Prefers blue\n- [2025-01-29] Uses mauve\n")
		if got := file(""); strings.Contains(got, "blue") || strings.Contains(got, "My notes.") {
			t.Errorf("nobody approved it: %s", got)
		}
		if got := file("?waiting=true"); !strings.Contains(got, "My notes.") {
			t.Errorf("what is written beside the entries is lost: %s", got)
		}
		if got := file("?waiting=true"); !strings.Contains(got, "- [2025-01-29] Prefers blue <!-- waiting -->\n") ||
			strings.Contains(got, "force push <!--") {
			t.Errorf("%s", got)
		}
		waited := file("?waiting=true")
		a.approve("Prefers blue")
		a.approve("Always use tabs.")
		for _, copied := range []string{older, waited, waited} {
			in(copied)
			if got := file(""); !strings.Contains(got, "- [2025-01-29] Prefers blue\n") || strings.Contains(got, "mauve") ||
				!strings.Contains(got, "Always use tabs.\n") || !strings.Contains(got, "force push\n") {
				t.Errorf("after an older copy: %s", got)
			}
		}
		if !strings.Contains(file("?waiting=true"), "mauve <!-- waiting -->") {
			t.Errorf("%s", file("?waiting=true"))
		}
		for line := range strings.Lines(file("")) {
			if strings.Contains(line, "blue") {
				in(strings.Replace(file(""), line, "", 1))
			}
		}
		if in(waited); strings.Contains(file(""), "blue") || strings.Contains(file("?waiting=true"), "blue") {
			t.Errorf("a deleted line came back with an older copy: %s", file("?waiting=true"))
		}
	})

	t.Run("Storage: what waits", func(t *testing.T) {
		a := newAgent(t, "coder")
		for user, wish := range map[string]string{"ann": "Never use force push", "ben": "I like dark mode",
			"cat": "I prefer short answers"} {
			a.says(user, wish)
		}
		for _, other := range []string{"", "My notes\n\n- one\n"} { // while all wait
			if r := a.send("/api/learnings", object{"markdown": other}); r.Status != http.StatusUnprocessableEntity {
				t.Errorf("%q: %d %s", other, r.Status, r.Body)
			}
		}
		a.approve("I prefer short answers")
		file := func(query string) string { return a.api.Get(t, "/api/learnings.md"+query).Body }
		if got := file(""); strings.Contains(got, "force push") || !strings.Contains(got, "short answers") {
			t.Errorf("nobody approved it: %s", got)
		}
		waits := file("?waiting=true")
		if !strings.Contains(waits, "Never use force push") || !strings.Contains(waits, "I like dark mode") {
			t.Fatalf("%s", waits)
		}
		var left strings.Builder
		for line := range strings.Lines(waits) {
			if !strings.Contains(line, "force push") {
				left.WriteString(line)
			}
		}
		if got := a.post("/api/learnings", object{"markdown": left.String()}); got["gone"] != 1.0 || got["new"] != 0.0 {
			t.Errorf("%v", got)
		}
		if got := file("?waiting=true"); strings.Contains(got, "force push") || !strings.Contains(got, "dark mode") {
			t.Errorf("%s", got)
		}
		if got := file(""); strings.Contains(got, "dark mode") || !strings.Contains(got, "short answers") {
			t.Errorf("reading it back approves nothing: %s", got)
		}
	})

	t.Run("Storage, edited by hand", func(t *testing.T) {
		a := newAgent(t, "coder")
		file := func() string { return a.api.Get(t, "/api/learnings.md").Body }
		waiting := func() string { return a.api.Get(t, "/api/learnings.md?waiting=true").Body }
		in := func(markdown string) object { return a.post("/api/learnings", object{"markdown": markdown}) }
		in("# Agent Learnings\n\n## User Preferences\n\n- [2025-01-29] Prefers concise responses\n- [2025-01-29] " +
			"Likes dark diagrams\n\n## Corrections\n\n- [2025-01-29] Use pnpm instead of npm for this project\n")
		a.says("ann", "Never use force push")
		a.approve("Never use force push")
		a.approve("Use pnpm instead of npm for this project")
		recall := func(query string) string { return text(a.post("/api/recall", object{"query": query}), "prompt") }
		if !strings.Contains(file(), "Never use force push") || !strings.Contains(recall("May I force push?"), "force") {
			t.Fatalf("%s\n%s", file(), recall("May I force push?"))
		}
		if r := a.send("/api/learnings", object{"markdown": "My notes\n\n- one\n"}); r.Status !=
			http.StatusUnprocessableEntity || !strings.Contains(r.Body, "nothing was changed") {
			t.Errorf("without sections: %d %s", r.Status, r.Body)
		}
		var left []string
		for line := range strings.Lines(waiting()) {
			if !strings.Contains(line, "force push") && !strings.Contains(line, "dark diagrams") {
				left = append(left, line)
			}
		}
		older := "# Agent Learnings\n\n## User Preferences\n\n- [2025-01-29] Prefers concise responses\n"
		file() // that somebody else reads the file makes no older copy the newest
		if got := in(older); got["gone"] != 0.0 || got["kept"] != 3.0 {
			t.Errorf("an older copy: %v", got)
		}
		left = left[1:]
		version, _, _ := strings.Cut(waiting(), "\n")
		if got := in(version + "\n" + strings.Join(left, "")); got["gone"] != 2.0 || got["new"] != 0.0 || got["kept"] != 0.0 {
			t.Errorf("%v", got)
		}
		if got := in(file()); got["gone"] != 0.0 || got["new"] != 0.0 {
			t.Errorf("as it was given out: %v", got)
		}
		if got := waiting(); strings.Contains(got, "force push") || strings.Contains(got, "dark") ||
			!strings.Contains(got, "pnpm") || !strings.Contains(got, "concise") {
			t.Errorf("%s", got)
		}
		if got := recall("May I force push?"); strings.Contains(got, "Never use force push") {
			t.Errorf("%s", got)
		}
		told := strings.SplitN(a.page("Never use force push"), "/proposals", 2)[0]
		if page := a.expert.Get(t, told).Body; !strings.Contains(page, "Its rule isn") {
			t.Errorf("%s", page)
		}
		// A person has the last word, and takes back what they approved in the file, too.
		page := a.expert.Get(t, "/knowledge/quarantine").Body
		if !strings.Contains(page, "Its line was deleted from LEARNINGS.md.") {
			t.Errorf("%s", page)
		}
		rule := regexp.MustCompile(`/knowledge/rules/([^/"]+)"`).FindStringSubmatch(page)[1]
		status := func(s string) {
			if err := a.site.DB.Write(t.Context(), func(tx *db.Tx) error {
				_, err := a.site.Knowledge.SetRuleStatusTx(tx, rule, s, knowledge.Change{By: audit.System("test"), Reason: "Eva."})
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		if status(knowledge.Active); !strings.Contains(file(), "force push") {
			t.Errorf("put back in use: %s", file())
		}
		// What a regulator asks for no agent takes out of use.
		if _, err := a.site.DB.Writer().ExecContext(t.Context(), `UPDATE knowledge_rule_version SET domain = $1
			WHERE rule_id = $2`, knowledge.RegulatoryCompliance, rule); err != nil {
			t.Fatal(err)
		}
		whole := file()
		at := strings.Index(whole, "force push")
		from, to := strings.LastIndex(whole[:at], "\n"), at+strings.Index(whole[at:], "\n")
		if got := in(whole[:from] + whole[to:]); got["gone"] != 0.0 || got["kept"] != 1.0 {
			t.Errorf("of a rule that a regulator asks for: %v", got)
		}
		if status(knowledge.Retired); strings.Contains(file(), "force push") ||
			strings.Contains(a.api.Get(t, "/api/learnings").Body, "force push") {
			t.Errorf("retired, and still given: %s", file())
		}
		if got := recall("Which package manager does this project use, pnpm or npm?"); !strings.Contains(got, "pnpm") {
			t.Errorf("%s", got)
		}
	})
}
