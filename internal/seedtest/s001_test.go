package seedtest

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
)

const photosynthesis = "Photosynthesis is the process by which plants convert light, water and carbon dioxide into sugar."

// liked reports an answer of a tutor and has two users like it.
func (a agent) liked(topic, query, response string) (id string) {
	a.Helper()
	id = text(a.post("/api/feedback/interactions", object{"agent_type": "tutor", "session_id": "s-1",
		"topic": topic, "query": query, "response": response}), "id")
	for _, user := range []string{"ann", "ben"} {
		a.post("/api/feedback/submit", object{"interaction_id": id, "user_id": user, "feedback_type": "thumbs_up"})
	}
	return id
}

func TestSeed001(t *testing.T) {
	t.Run("Automatic Example Creation", func(t *testing.T) {
		a := newAgent(t, "tutor")
		id := a.liked("Photosynthesis", "Explain photosynthesis", photosynthesis)
		a.liked("photo-synthesis of plants", "Which gas do plants give off?", "Oxygen, from the water that they split.")
		for _, topic := range []string{"Photosynthesis", "photosynthesis", "PHOTOSYNTHESIS "} {
			got := list(a.get("/api/feedback/examples?agent_type=tutor&topic="+strings.ReplaceAll(topic, " ", "%20")),
				"examples")
			if len(got) != 1 || text(got[0], "good_response") != photosynthesis {
				t.Errorf("topic %q: %v", topic, got)
			}
		}
		if got := list(a.get("/api/feedback/examples?topic=photosynthesis"), "examples"); len(got) != 1 {
			t.Errorf("the token's own agent: %v", got)
		}
		if got := list(a.get("/api/feedback/examples?agent_type=tutor&topic=Photo%20Synthesis%20of%20plants"),
			"examples"); len(got) != 1 {
			t.Errorf("another spelling of the topic: %v", got)
		}
		for _, body := range []object{
			{"query": "What is photosynthesis?"},
			{"query": "What is photosynthesis?", "task_type": "Photosynthesis"},
			{"query": "What is photosynthesis?", "task_type": "biology"},
			{"query": "Explain photosynthesis to me", "task_type": "general"},
		} {
			got := a.post("/api/recall", body)
			if items := list(got, "items"); len(items) == 0 || text(items[0], "text") != photosynthesis ||
				!strings.Contains(text(got, "prompt"), "Good Response: Photosynthesis is") || text(got, "note") != "" {
				t.Errorf("recall %v: %v", body, got)
			}
		}
		for _, query := range []string{"How do I reset my password?", "Who won the French Revolution?"} {
			if got := a.post("/api/recall", object{"query": query}); text(got, "note") == "" {
				t.Errorf("recall %q: %v", query, got)
			}
		}
		a.post("/api/feedback/submit", object{"interaction_id": id, "user_id": "ann", "feedback_type": "thumbs_down"})
		if got := list(a.get("/api/feedback/examples?agent_type=tutor&topic=Photosynthesis"), "examples"); len(got) != 0 {
			t.Errorf("a thumb turned, and still an example: %v", got)
		}
	})

	t.Run("Feedback API", func(t *testing.T) {
		a := newAgent(t, "tutor")
		for _, c := range []struct {
			about, vote object
			status      int
			value       float64
		}{
			{object{}, object{"user_id": "u", "feedback_type": "thumbs_up"}, http.StatusOK, 1},
			{object{}, object{"user_id": "u", "feedback_type": "thumbs_down", "feedback_value": -1}, http.StatusOK, 0},
			{object{"user_id": "u"}, object{"feedback_value": 1}, http.StatusOK, 1},
			{object{"session_id": "s"}, object{"feedback_type": "thumbs_down"}, http.StatusOK, 0},
			{object{}, object{"user_id": "u", "feedback_type": "thumbs_up", "feedback_value": -1},
				http.StatusUnprocessableEntity, 0},
			{object{}, object{"user_id": "u", "feedback_type": "thumbs"}, http.StatusUnprocessableEntity, 0},
			{object{}, object{"feedback_type": "thumbs_up"}, http.StatusUnprocessableEntity, 0},
		} {
			about := object{"agent_type": "tutor", "query": "q", "response": "r"}
			for k, v := range c.about {
				about[k] = v
			}
			c.vote["interaction_id"] = text(a.post("/api/feedback/interactions", about), "id")
			r := a.send("/api/feedback/submit", c.vote)
			if r.Status != c.status || r.Status == http.StatusOK && a.decode(r)["value"] != c.value {
				t.Errorf("%v about %v: %d %s", c.vote, c.about, r.Status, r.Body)
			}
		}
	})

	t.Run("Performance Monitoring", func(t *testing.T) {
		a := newAgent(t, "tutor")
		a.liked("Photosynthesis", "Explain photosynthesis", photosynthesis)
		a.liked("photosynthesis", "What do plants live on?", "Light, water and air.")
		got := a.get("/api/feedback/stats/tutor?days=7")
		topics := list(got, "top_topics")
		if got["total_interactions"] != 2.0 || len(topics) != 1 || topics[0]["topic"] != "Photosynthesis" ||
			topics[0]["count"] != 2.0 || topics[0]["avg_feedback"] != 1.0 {
			t.Errorf("%v", got)
		}
	})

	t.Run("Testing the Learning Loop, on the command line", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "desk.db")
		s := apptest.Open(t, func(c *config.Config) { c.DB = path })
		a := joined(t, s, "tutor")
		a.liked("Photosynthesis", "Explain photosynthesis", photosynthesis)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if out := command(t, "", "recall", "--db", path, "--agent", "tutor", "--query", "What is photosynthesis?"); !strings.
			Contains(out, photosynthesis[:60]) {
			t.Errorf("%s", out)
		}
	})

	t.Run("Analyze Failure: dislikes that say why", func(t *testing.T) {
		a := newAgent(t, "tutor")
		dislike := func(topic, user, why string) {
			id := text(a.post("/api/feedback/interactions", object{"agent_type": "tutor", "user_id": user, "topic": topic,
				"query": "What is photosynthesis?", "response": "It is a long story."}), "id")
			a.post("/api/feedback/submit", object{"interaction_id": id, "feedback_type": "thumbs_down",
				"feedback_text": why})
		}
		lessons := func() (out []learning.Lesson) {
			a.site.Drain(t)
			all, err := a.site.Learning.List(t.Context(), learning.Filter{Origin: learning.Disliked})
			if err != nil {
				t.Fatal(err)
			}
			return all.Items
		}
		dislike("Photosynthesis", "ann", "Too vague")
		dislike("photosynthesis", "ben", "It doesn't say what light is for")
		dislike("Photosynthesis", "cat", "")
		dislike("Rome", "dan", "I asked for dates")
		if got := lessons(); len(got) != 0 {
			t.Errorf("two dislikes with words: %v", got)
		}
		dislike("PHOTOSYNTHESIS", "dan", "No gas is named, ask ann@example.com")
		dislike("Photosynthesis", "eve", "Rambling")
		got := lessons()
		if len(got) != 1 || got[0].State != learning.Unstated {
			t.Fatalf("%+v", got)
		}
		page := a.expert.Get(t, "/learning/"+got[0].ID).Body
		for _, quote := range []string{"“Too vague”", "say what light is for”", "“No gas is named"} {
			if !strings.Contains(page, quote) {
				t.Errorf("no %s: %s", quote, page)
			}
		}
		board := a.expert.Get(t, "/learning?origin=dislike").Body
		if strings.Contains(page, "ann@example.com") {
			t.Errorf("a person is named: %s", page)
		}
		if !strings.Contains(board, "Corrections without a rule") || !strings.Contains(board, got[0].ID) {
			t.Errorf("it is not on the board: %s", board)
		}
		if err := a.site.DB.Write(t.Context(), func(tx *db.Tx) error {
			var vote string
			if err := tx.QueryRow(`SELECT id FROM vote WHERE text = 'Too vague'`).Scan(&vote); err != nil {
				return err
			}
			_, err := a.site.Learning.EraseDislikeTx(tx, vote)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if page := a.expert.Get(t, "/learning/"+got[0].ID).Body; strings.Contains(page, "vague") {
			t.Errorf("erased, and still there: %s", page)
		}
	})

	t.Run("Preference Learning (RLHF-lite)", func(t *testing.T) {
		a := joined(t, apptest.Open(t), "tutor", account.Feedback, account.Recall) // nobody reviews what it writes
		const vague = "It is a long story."
		id := text(a.post("/api/preferences", object{"source_id": "p1", "topic": "Photosynthesis",
			"prompt": "What is photosynthesis?", "first": object{"text": vague, "maker": "prompt 3"},
			"second": object{"text": photosynthesis, "maker": "prompt 4"}}), "id")
		example := func() object {
			got := list(a.get("/api/feedback/examples?agent_type=tutor&topic=photosynthesis"), "examples")
			if len(got) == 0 {
				return nil
			}
			return got[0]
		}
		choose := func(user, choice string) int {
			return a.send("/api/preferences/"+id+"/choices", object{"user_id": user, "choice": choice}).Status
		}
		link := text(a.post("/api/feedback/links", object{"pair_id": id, "user_id": "ben"}), "url")
		link = link[strings.Index(link, "/f/"):]
		guest := a.site.Nobody(t)
		page := guest.Get(t, link).Body
		better := "a"
		if strings.Index(page, vague) < strings.Index(page, photosynthesis) {
			better = "b"
		}
		press := func(path, value string) string {
			return guest.Follow(t, path, url.Values{"vote": {value}}).Body
		}
		if s := choose("ann", "second"); s != http.StatusOK || example() != nil {
			t.Errorf("one user: %d, %v", s, example())
		}
		if got := press(link, better); !strings.Contains(got, "Your choice is saved") {
			t.Errorf("%s", got)
		}
		if got := example(); text(got, "good_response") != photosynthesis || text(got, "bad_response") != vague ||
			text(got, "source") != "preference" {
			t.Errorf("two users: %v", got)
		}
		if got := a.post("/api/recall", object{"query": "What's photosynthesis?"}); !strings.Contains(text(got, "prompt"),
			"Good Response: Photosynthesis is") {
			t.Errorf("%v", got)
		}
		widget := strings.Replace(link, "/f/", "/widget/", 1)
		if got := press(widget, "none"); !strings.Contains(got, "Withdrawn") || example() != nil {
			t.Errorf("taken back: %s", got)
		}
		for _, c := range []struct {
			user, choice string
			status       int
			good         string
		}{
			{"cat", "second", http.StatusOK, photosynthesis}, {"cat", "first", http.StatusOK, ""},
			{"dan", "first", http.StatusOK, vague}, {"dan", "tie", http.StatusOK, ""}, {"cat", "second", http.StatusOK, photosynthesis},
			{"eve", "third", http.StatusUnprocessableEntity, photosynthesis}, {"", "first", http.StatusUnprocessableEntity, photosynthesis},
		} {
			if s := choose(c.user, c.choice); s != c.status || text(example(), "good_response") != c.good {
				t.Errorf("%s chose %s: %d, %v", c.user, c.choice, s, example())
			}
		}
		if r := joined(t, a.site, "other").send("/api/preferences/"+id+"/choices",
			object{"user_id": "u", "choice": "first"}); r.Status != http.StatusNotFound {
			t.Errorf("another agent's pair: %d", r.Status)
		}
		if err := a.site.Preferences.Remove(t.Context(), id, preference.Person{ID: "p", Name: "Eva"}); err != nil {
			t.Fatal(err)
		}
		if s := choose("ann", "first"); s != http.StatusNotFound || example() != nil || guest.Get(t, link).Status !=
			http.StatusGone {
			t.Errorf("removed: %d, %v", s, example())
		}
	})

	t.Run("Preference Learning (RLHF-lite): where people review what the agent writes", func(t *testing.T) {
		a := newAgent(t, "tutor") // its token may hand in guidance
		id := text(a.post("/api/preferences", object{"source_id": "p1", "prompt": "What is photosynthesis?",
			"first": object{"text": "A story.", "maker": "a"}, "second": object{"text": photosynthesis, "maker": "b"}}), "id")
		for choice, status := range map[string]int{"first": http.StatusConflict, "none": http.StatusOK} {
			if r := a.send("/api/preferences/"+id+"/choices", object{"user_id": "ann", "choice": choice}); r.Status != status ||
				status != http.StatusOK && !strings.Contains(r.Body, "People review what this agent writes") {
				t.Errorf("%s: %d %s", choice, r.Status, r.Body)
			}
		}
	})

	t.Run("Batch Learning Pipeline: update prompt templates", func(t *testing.T) {
		a := newAgent(t, "tutor")
		const terse = "I prefer short answers without emojis"
		night := func() object {
			a.site.Clock.Advance(24 * time.Hour)
			a.expert = a.site.SignedIn(t, account.Expert, account.Admin)
			if err := a.site.Nightly.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			return a.get("/api/agents/tutor/prompt")
		}
		// waits is what people read of the version that waits; its agent gets none of it.
		waits := func() string {
			page := a.expert.Get(t, "/approvals").Body
			if !regexp.MustCompile(`/approvals/[^/"]+/agree`).MatchString(page) {
				return ""
			}
			if _, ok := a.get("/api/agents/tutor/prompt")["proposed"]; ok {
				t.Error("what nobody approved is given to the agent")
			}
			return page
		}
		if got := night(); got["version"] != 0.0 || waits() != "" {
			t.Errorf("nothing was accepted: %v", got)
		}
		a.liked("Photosynthesis", "Explain photosynthesis", photosynthesis)
		a.says("ann", terse)
		a.approve(terse)
		if err := a.site.Nightly.Run(t.Context()); err != nil || waits() == "" { // "Run now", on the same day
			t.Errorf("%v, and nothing is proposed", err)
		}
		got := night()
		if diff := waits(); got["version"] != 0.0 || text(got, "text") != "" ||
			!strings.Contains(diff, "+ Example: Explain photosynthesis") || !strings.Contains(diff, "+ "+terse) {
			t.Fatalf("%v", got)
		}
		answer := func(c *apptest.Client, act string, form url.Values) int {
			page := a.expert.Get(t, "/approvals").Body
			at := regexp.MustCompile(`/approvals/[^/"]+/` + act).FindString(page)
			if at == "" || !strings.Contains(page, "Prompt file of tutor") || strings.Contains(page, `href=""`) ||
				strings.Contains(page, "take two people") {
				t.Fatalf("%s", page)
			}
			return c.Post(t, at, form).Status
		}
		if s := answer(a.site.SignedIn(t, account.Supervisor), "agree", nil); s == http.StatusSeeOther {
			t.Errorf("a supervisor approved it: %d", s)
		}
		if s := answer(a.expert, "agree", nil); s != http.StatusSeeOther {
			t.Errorf("%d", s)
		}
		want := "Here are examples of good responses:\n---\nExample 1:\nStudent Question: Explain photosynthesis\n" +
			"Good Response: " + photosynthesis + "\n---\n\nInstructions:\n- " + terse
		if got := night(); got["version"] != 1.0 || text(got, "text") != want || waits() != "" {
			t.Errorf("%v", got)
		}
		agents, err := a.site.Accounts.Agents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		rules, err := a.site.Knowledge.RulesInForce(t.Context(), agents[0].ID)
		if err != nil || len(rules) != 1 {
			t.Fatalf("%v, %v", rules, err)
		}
		// Tried again, it is the same rule: its line stays, and nothing is proposed.
		again := func(why string, confidence float64) {
			if err := a.site.DB.Write(t.Context(), func(tx *db.Tx) (err error) {
				r := rules[0]
				r.Confidence, r.By, r.Reason = confidence, audit.System("test"), why
				rules[0], err = a.site.Knowledge.EditRuleTx(tx, r)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		again("Tried again: 2 of 2 cases.", 0.8)
		for _, got := range []object{a.get("/api/agents/tutor/prompt"), night()} {
			if got["version"] != 1.0 || text(got, "text") != want || waits() != "" {
				t.Errorf("tried again: %v\n%s", got, waits())
			}
		}
		// One that waits stays when its rule is tried again, and changes what it says alone.
		a.liked("Roots", "What do roots take up?", "Water, and what is dissolved in it.")
		night()
		newest := func() string {
			at, err := db.Read(t.Context(), a.site.DB, func(tx *db.Tx) (string, error) {
				return db.Value[string](tx, "newest", `SELECT max(id) FROM approval`)
			})
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		waiting := newest()
		again("Tried again: 7 of 7 cases.", 0.9)
		if night(); newest() != waiting {
			t.Error("another version of the same words is proposed")
		}
		if s := answer(a.expert, "agree", nil); s != http.StatusSeeOther {
			t.Errorf("%d", s)
		}
		if got := a.get("/api/agents/tutor/prompt"); got["version"] != 2.0 ||
			!strings.Contains(text(got, "text"), terse) || text(got, "diff") !=
			"+ Example: What do roots take up? → Water, and what is dissolved in it." {
			t.Errorf("approved: %v", got)
		}
		// Edited, its old words are given no more.
		if err := a.site.DB.Write(t.Context(), func(tx *db.Tx) error {
			edited := rules[0]
			edited.Principle, edited.By, edited.Reason = "I prefer answers of two sentences", audit.System("test"), "New."
			_, err := a.site.Knowledge.EditRuleTx(tx, edited)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if got := text(a.get("/api/agents/tutor/prompt"), "text"); strings.Contains(got, terse) ||
			strings.Contains(got, "two sentences") || !strings.Contains(got, photosynthesis) {
			t.Errorf("edited: %s", got)
		}
		if err := a.site.DB.Write(t.Context(), func(tx *db.Tx) error {
			_, err := a.site.Knowledge.SetRuleStatusTx(tx, rules[0].ID, knowledge.Withdrawn,
				knowledge.Change{By: audit.System("test"), Reason: "No longer."})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if got := a.get("/api/agents/tutor/prompt"); strings.Contains(text(got, "text")+text(got, "diff"), terse) ||
			got["version"] != 2.0 {
			t.Errorf("withdrawn, and still given: %v", got)
		}
		night()
		if diff := waits(); !strings.Contains(diff, "- "+terse) || strings.Contains(diff, "+ ") {
			t.Errorf("%s", diff)
		}
		if s := answer(a.expert, "refuse", url.Values{"refusal": {"Wait."}}); s != http.StatusSeeOther {
			t.Errorf("%d", s)
		}
		night()
		if got := waits(); got != "" {
			t.Errorf("refused, and proposed again: %s", got)
		}
		a.liked("Plants", "Which gas do plants give off?", "Oxygen, from the water that they split.")
		night()
		if diff := waits(); !strings.Contains(diff, "+ Example: Which gas") || !strings.Contains(diff, "- "+terse) {
			t.Errorf("%s", diff)
		}
		// What is erased of a rule goes from every version, and stands in none.
		if err := a.site.DB.Write(t.Context(), func(tx *db.Tx) error {
			_, err := a.site.Knowledge.EraseWordsTx(tx, "", []string{"emojis"}, "asked", audit.System("test"))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		n, err := db.Read(t.Context(), a.site.DB, func(tx *db.Tx) (int, error) {
			return db.Value[int](tx, "count", `SELECT count(*) FROM approval WHERE payload LIKE '%emojis%'`)
		})
		if got := text(a.get("/api/agents/tutor/prompt"), "diff"); strings.Contains(got, "emojis") ||
			!strings.Contains(waits(), "short answers") || strings.Contains(waits(), "emojis") || n != 0 || err != nil {
			t.Errorf("erased: %s, %d rows, %v", got, n, err)
		}
		if r := joined(t, a.site, "other").api.Get(t, "/api/agents/tutor/prompt"); r.Status != http.StatusNotFound {
			t.Errorf("another agent reads it: %d", r.Status)
		}
	})

	t.Run("AB Testing Framework", func(t *testing.T) {
		a := newAgent(t, "tutor")
		for _, c := range []struct {
			body   object
			status int
		}{
			{object{"variant_a": "prompt 3", "variant_b": "prompt 3"}, http.StatusUnprocessableEntity},
			{object{"variant_a": "prompt 3", "variant_b": "prompt 4", "traffic_split": 0.95}, http.StatusUnprocessableEntity},
			{object{"variant_a": "prompt 3", "variant_b": "prompt 4", "metric": "luck"}, http.StatusUnprocessableEntity},
			{object{"variant_a": "prompt 3", "variant_b": "prompt 4", "traffic_split": 0.8}, http.StatusOK},
			{object{"variant_a": "prompt 3", "variant_b": "prompt 5"}, http.StatusConflict},
		} {
			if r := a.send("/api/experiments", c.body); r.Status/100 != c.status/100 || c.status >= 400 &&
				r.Status != c.status {
				t.Errorf("%v: %d %s", c.body, r.Status, r.Body)
			}
		}
		all, err := a.site.Experiments.List(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatalf("%v, %v", all, err)
		}
		at := "/api/experiments/" + all[0].ID
		variants := map[string]int{}
		for n := range 200 {
			user := fmt.Sprint("u-", n)
			v := text(a.get(at+"/variant?user_id="+user), "variant")
			if again := text(a.post(at+"/assignments", object{"user_id": user}), "variant"); again != v {
				t.Errorf("%s: %s, then %s", user, v, again)
			}
			variants[v]++
		}
		if n := variants["prompt 3"]; n < 140 || n > 180 || n+variants["prompt 4"] != 200 {
			t.Errorf("a split of 0.8: %v", variants)
		}
		mine := text(a.get(at+"/variant?user_id=u-1"), "variant")
		other := map[string]string{"prompt 3": "b", "prompt 4": "a"}[mine]
		for _, c := range []struct {
			path   string
			body   object
			status int
			counts int
		}{
			{"/outcome", object{"user_id": "u-1", "variant": mine, "success": true}, http.StatusOK, 1},
			{"/outcomes", object{"user_id": "u-1", "success": false}, http.StatusOK, 1}, // the first stands
			{"/outcome", object{"user_id": "u-2", "variant": other, "success": true}, 0, -1},
			{"/outcome", object{"user_id": "u-1", "variant": other, "success": true}, http.StatusConflict, -1},
			{"/outcome", object{"user_id": "nobody", "success": true}, http.StatusNotFound, -1},
			{"/outcome", object{"variant": "c", "success": true}, http.StatusUnprocessableEntity, -1},
			{"/outcome", object{"success": true}, http.StatusUnprocessableEntity, -1},
			{"/outcome", object{"variant": "a", "success": true}, http.StatusOK, -1},
			{"/outcome", object{"variant": "prompt 4", "success": false}, http.StatusOK, -1},
		} {
			before := len(a.outcomes(all[0].ID))
			r := a.send(at+c.path, c.body)
			if c.status != 0 && r.Status != c.status {
				t.Errorf("%s %v: %d %s", c.path, c.body, r.Status, r.Body)
			}
			if n := len(a.outcomes(all[0].ID)); c.counts >= 0 && n != c.counts || r.Status >= 300 && n != before {
				t.Errorf("%s %v: %d outcomes, %d before", c.path, c.body, n, before)
			}
		}
	})
}

// outcomes are those that count in an experiment: 1 for each good one.
func (a agent) outcomes(id string) (out []int) {
	a.Helper()
	e, err := a.site.Experiments.Get(a.Context(), id)
	if err != nil {
		a.Fatal(err)
	}
	return make([]int, e.Counts.Total())
}
