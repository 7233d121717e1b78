package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/signal"
)

func agentSet(t *testing.T, s *apptest.Site, agent string, set signal.Settings) string {
	t.Helper()
	agents, err := s.Accounts.Agents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range agents {
		if a.Name == agent {
			if err := s.Signals.Set(t.Context(), a.ID, set,
				knowledge.Person{ID: "p", Name: "Eva", Roles: []string{"expert"}}); err != nil {
				t.Fatal(err)
			}
			return a.ID
		}
	}
	t.Fatalf("no agent %s", agent)
	return ""
}

// What waits is shown beside what says the same and the opposite; one approval settles those that a person selects, and
// shares the rule with all agents of the pack, and with no other.
func TestAPersonSumsUpAndShares(t *testing.T) {
	s := apptest.Open(t)
	c, same := maker(t, s, "writer"), maker(t, s, "second")
	pension := s.Nobody(t)
	pension.Header.Set("Authorization", "Bearer "+s.Token(t, account.Recall))
	markdown := func(entries ...string) {
		c.JSON(t, http.MethodPost, "/api/learnings",
			fmt.Sprintf(`{"markdown":%q}`, "## User Preferences\n\n- "+strings.Join(entries, "\n- ")+"\n"))
	}
	markdown("Write short summaries for managers", "Write short summaries for all managers",
		"Never write short summaries for managers", "Put dates first")
	list, _, _, err := s.Signals.Sessions(t.Context(), signal.Filter{})
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	sum, err := s.Signals.Summary(t.Context(), list[0].ID, "")
	if err != nil || len(sum.Proposals()) != 4 {
		t.Fatalf("%+v %v", sum, err)
	}
	ids := map[string]string{}
	for _, g := range sum.Proposals() {
		ids[g.Content] = g.ID
	}
	expert, page := s.SignedIn(t, account.Expert), "/learning/sessions/"+sum.ID
	html := expert.Get(t, page).Body
	if !strings.Contains(html, "Contradicts “Never write short summaries for managers”") ||
		!strings.Contains(html, `name="with"`) || !strings.Contains(html, "Share with all agents in this domain") {
		t.Error("what stands beside a proposal isn't shown")
	}
	first, second := ids["Write short summaries for managers"], ids["Write short summaries for all managers"]
	if r := expert.Post(t, page+"/proposals/"+first,
		url.Values{"act": {"approve"}, "content": {"Write short summaries"}, "scope": {signal.EveryAgent},
			"with": {second}}); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	s.Drain(t)
	a, err := s.Signals.Get(t.Context(), first)
	b, berr := s.Signals.Get(t.Context(), second)
	if err != nil || berr != nil || a.State != signal.Approved || b.State != signal.Approved || a.LessonID == "" ||
		b.LessonID != a.LessonID {
		t.Errorf("%+v %+v", a, b)
	}
	for name, want := range map[*apptest.Client]bool{c: true, same: true, pension: false} {
		if p := recalled(t, name, "How shall I write the summaries?", ""); strings.Contains(p,
			"Write short summaries") != want {
			t.Errorf("want %v: %q", want, p)
		}
	}
	if r := expert.Post(t, page+"/proposals/"+ids["Put dates first"],
		url.Values{"act": {"approve"}, "with": {"none"}}); r.Status != http.StatusNotFound {
		t.Errorf("settled with one that isn't there: %d", r.Status)
	}
}

// Whether notes helped goes by what recall gave before the step.
func TestNotesCountWhenTheyWereGiven(t *testing.T) {
	s := apptest.Open(t)
	c := maker(t, s, "spatial")
	id := agentSet(t, s, "spatial", signal.Settings{Silent: true})
	form := url.Values{"sql_tools": {"ask_db, other"}, "asked": {"sqlvalidator"}, "max_items": {"7"},
		"learn": {"propose"}, "wait": {"3"}, "name": {"tone"}, "prompt": {"Is it kind?"},
		"hold": {"true"}, "tool_rule": {"pass"}, "tool_names": {"pay, Send_Mail"}}
	if r := s.SignedIn(t, account.Expert).Post(t, "/learning/agents/"+id, form); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	want := signal.Settings{SQLTools: "ask_db, other", Asked: []string{"sqlvalidator"}, MaxItems: 7,
		Learn: signal.LearnPropose, Hold: true, ToolRule: signal.ToolsPass, ToolNames: "pay, Send_Mail", Wait: 3, Prompts: []signal.Prompted{{Name: "tone", Prompt: "Is it kind?"}}}
	if set, err := s.Signals.SettingsOf(t.Context(), id); err != nil || !reflect.DeepEqual(set, want) {
		t.Fatalf("the page saved %+v, %v", set, err)
	}
	for tool, waits := range map[string]bool{"pay": true, "send_mail": true, "look": false, "": true} {
		if want.Waits(tool) != waits || (signal.Settings{}).Waits(tool) != true ||
			(signal.Settings{ToolNames: "look"}).Waits(tool) != (tool != "look") {
			t.Errorf("%q: waits %v", tool, want.Waits(tool))
		}
	}
	if r := s.SignedIn(t, account.Expert).Get(t, "/learning/agents/"+id); !strings.Contains(r.Body,
		"Calls of pay, Send_Mail wait; all others pass.") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := s.SignedIn(t, account.Expert).Post(t, "/learning/agents/"+id, url.Values{"tool_rule": {"maybe"}}); r.Status !=
		http.StatusUnprocessableEntity {
		t.Errorf("%d", r.Status)
	}
	run := func(tool string) {
		recorded(t, c,
			fmt.Sprintf(`{"session_id":"s","user_id":"u","query":"q","steps":[{"tool":%q,"input":{"query":%q}}]}`, tool,
				wrongSQL))
	}
	run("ask_db")
	run("sql_db_query") // no tool that runs SQL, by the agent's settings
	recalled(t, c, "Which sites?", `,"user_id":"u"`)
	run("ask_db")
	s.Clock.Advance(time.Hour)
	run("ask_db") // the notes are long gone
	_, effects, err := s.Signals.Trend.Weeks(t.Context(), id)
	if err != nil || len(effects) != 1 || effects[0].With.N != 1 || effects[0].Without.N != 2 {
		t.Errorf("%+v %v", effects, err)
	}
}

// What users do with reminders says what works when, in the user's own hours.
func TestRemindersAreMeasured(t *testing.T) {
	s := apptest.Open(t)
	c := maker(t, s, "planner")
	r := c.JSON(t, http.MethodPost, "/api/reminders",
		`{"user_id":"u","reactions":[{"reaction":"completed","trigger":"date","at":"2026-01-22T09:10:00+01:00"},{"reaction":"acted","trigger":"date","at":"2026-01-23T09:00:00+01:00"},
		{"reaction":"ignored","trigger":"place","at":"2026-01-23T20:00:00+01:00"}]}`)
	if r.Status != http.StatusCreated {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	got := read[struct {
		Items []struct {
			By, Name          string
			Reminders, Worked int
			Effect            float64
		}
	}](t, c.Get(t, "/api/reminders?user_id=u"))
	if len(got.Items) != 6 || got.Items[0].Name != "09" || got.Items[0].Worked != 2 || got.Items[0].Effect != .9 {
		t.Errorf("%+v", got)
	}
	if other := read[struct{ Items []any }](t, maker(t, s, "another").Get(t, "/api/reminders")); len(other.Items) != 0 {
		t.Errorf("another agent reads %v", other)
	}
	if r := c.JSON(t, http.MethodPost, "/api/reminders", `{"reactions":[{"reaction":"liked"}]}`); r.Status !=
		http.StatusUnprocessableEntity {
		t.Errorf("an unknown reaction: %d", r.Status)
	}
	if html := s.SignedIn(t, account.Expert).Get(t, "/learning/agents/"+agentSet(t, s, "planner", signal.Settings{})).
		Body; !strings.Contains(html, "When reminders work") || !strings.Contains(html, "morning") {
		t.Error("the page of the agent doesn't say when reminders work")
	}
}

// Reactions of which nobody said whose they are make no habit of anybody's, however many; of one user they do.
func TestRemindersOfNobodyTeachNothing(t *testing.T) {
	s := apptest.Open(t)
	c := maker(t, s, "planner")
	id := agentSet(t, s, "planner", signal.Settings{})
	one := `{"reaction":"completed","trigger":"deadline","at":"2026-01-22T09:10:00+01:00"}`
	all := `"reactions":[` + strings.Repeat(one+",", 39) + one + `]}`
	for _, step := range []struct {
		body string
		want int
	}{{`{` + all, 0}, {`{"user_id":"",` + all, 0}, {`{"user_id":"ann",` + all, 1}} {
		if r := c.JSON(t, http.MethodPost, "/api/reminders", step.body); r.Status != http.StatusCreated {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		list, _, _, err := s.Signals.Sessions(t.Context(), signal.Filter{AgentID: id})
		if err != nil || len(list) != step.want {
			t.Errorf("%d sessions, want %d: %v", len(list), step.want, err)
		}
	}
}

// Under steady load a session ends after a day.
func TestALongSessionEnds(t *testing.T) {
	s := apptest.Open(t)
	c := maker(t, s, "coder")
	for range 50 {
		recorded(t, c, `{"session_id":"s","action":"went on","reaction":"ok"}`)
		s.Clock.Advance(29 * time.Minute)
	}
	if err := s.Signals.EndIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list, _, _, err := s.Signals.Sessions(t.Context(), signal.Filter{}); err != nil || len(list) != 1 ||
		list[0].State == signal.TalkOpen {
		t.Errorf("%+v %v", list, err)
	}
}

// An experiment on memory runs for agents that recall by themselves: the user is the subject, and the first vote
// counts.
func TestAnExperimentOnMemoryRunsForRecall(t *testing.T) {
	s := openSpine(t)
	learned := s.inUse(t, knowledge.PensionEducation,
		"When a customer asks about combining pensions, explain that charges differ between plans because it decides "+
			"what is left")
	mia := experiment.Person{ID: "p-mia", Name: "Mia"}
	aim := experiment.DefaultAim
	aim.Effect = 0.2
	e, err := s.Experiments.Create(t.Context(),
		experiment.Input{Name: "Does memory help?", Purpose: experiment.Memory, Metric: experiment.Vote}, aim, mia)
	if err == nil {
		err = s.Experiments.Start(t.Context(), e.ID, mia)
	}
	if err != nil {
		t.Fatal(err)
	}
	arms, agent := map[string]int{}, s.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+s.Token(t, account.Scopes...))
	for i := range 12 {
		user := fmt.Sprintf("user-%02d", i)
		arm := experiment.ArmOf(e.ID, strings.ReplaceAll(user, "-", ""), 0.5)
		arms[arm]++
		body := agent.JSON(t, http.MethodPost, "/api/recall",
			fmt.Sprintf(`{"query":"Should I think about combining my pensions?","user_id":%q}`, user)).Body
		if strings.Contains(body, learned.ID) != (arm == experiment.Treatment) {
			t.Errorf("%s is given %s", arm, body)
		}
		id := s.id(t, agent.JSON(t, http.MethodPost, "/api/feedback/interactions",
			fmt.Sprintf(`{"agent_type":"pension-advisor","user_id":%q,"query":"q","response":"r"}`, user)))
		agent.JSON(t, http.MethodPost, "/api/feedback/submit",
			fmt.Sprintf(`{"interaction_id":%q,"user_id":%q,"feedback_value":1}`, id, user))
	}
	got, err := s.Experiments.Get(t.Context(), e.ID)
	if err != nil || arms[experiment.Treatment] == 0 || arms[experiment.Control] == 0 ||
		got.Counts.N != [2]int{arms[experiment.Treatment], arms[experiment.Control]} {
		t.Errorf("%+v of %v, %v", got.Counts, arms, err)
	}
}

// An erasure reaches what a user's words became: the LEARNINGS.md that has them, and what an approved proposal's lesson
// was learned from.
func TestAnErasureReachesFilesAndLessons(t *testing.T) {
	s := apptest.Open(t)
	c := maker(t, s, "coder")
	id := agentSet(t, s, "coder", signal.Settings{Learn: signal.LearnPropose})
	const wish, secret = "I always prefer short answers without any emojis, please keep it that way", "narrowboat"
	recorded(t, c, fmt.Sprintf(`{"session_id":"s","user_id":"dev-4711","query":%q}`, wish))
	for range 2 {
		recorded(t, c,
			fmt.Sprintf(
				`{"session_id":"s","user_id":"dev-4711","action":"wrote verbose explanation","reaction":"keep it short, my %s isn't a ship"}`, secret))
	}
	c.JSON(t, http.MethodPost, "/api/sessions/end", `{"session_id":"s","user_id":"dev-4711"}`)
	s.Drain(t)
	list, _, _, err := s.Signals.Sessions(t.Context(), signal.Filter{AgentID: id})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := s.Signals.Summary(t.Context(), list[0].ID, "")
	if err != nil {
		t.Fatal(err)
	}
	var lesson string
	for _, g := range sum.Proposals() {
		switch {
		case g.Kind == signal.Learning && strings.Contains(g.Content, "emojis"):
			c.JSON(t, http.MethodPost, "/api/learnings",
				fmt.Sprintf(`{"markdown":%q}`, "## User Preferences\n\n- "+g.Content+"\n- Put dates first\n"))
		case g.Kind == signal.Proposal:
			if lesson, err = s.Signals.Approve(t.Context(), g.ID, signal.Edit{Content: "Keep explanations short"},
				knowledge.Person{ID: "p", Name: "Eva", Roles: []string{"expert"}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if out := c.Get(t, "/api/learnings.md?waiting=true").Body; !strings.Contains(out, "emojis") || lesson == "" {
		t.Fatalf("there is nothing to erase: %s %q", out, lesson)
	}
	if _, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByReference, Subject: "dev-4711", Why: "Request 7",
			By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	if out := c.Get(t, "/api/learnings.md?waiting=true").Body; strings.Contains(out, "emojis") ||
		!strings.Contains(out, "Put dates first") {
		t.Errorf("LEARNINGS.md has\n%s", out)
	}
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		source, err := db.Value[string](tx, "test", `SELECT source FROM lesson_source WHERE lesson_id = $1`, lesson)
		if strings.Contains(source, secret) {
			t.Errorf("its lesson has %s", source)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// A sum that an expert has on screen grows where it is; an erased user's words go from it though it was approved.
func TestASumGrowsInPlaceAndIsErased(t *testing.T) {
	s := apptest.Open(t)
	c := maker(t, s, "coder")
	id := agentSet(t, s, "coder", signal.Settings{Learn: signal.LearnPropose})
	says := func(user, wish string) {
		recorded(t, c, fmt.Sprintf(`{"session_id":%q,"user_id":%q,"query":%q}`, user, user, wish))
		s.Drain(t)
		c.JSON(t, http.MethodPost, "/api/sessions/end", fmt.Sprintf(`{"session_id":%q,"user_id":%q}`, user, user))
		s.Drain(t)
	}
	sums := func() (out []signal.Signal) {
		sessions, _, _, err := s.Signals.Sessions(t.Context(), signal.Filter{AgentID: id})
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range sessions {
			sum, err := s.Signals.Summary(t.Context(), one.ID, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range sum.Proposals() {
				if len(g.Sums()) > 0 {
					out = append(out, g)
				}
			}
		}
		return out
	}
	says("ann-4711", "I prefer short answers")
	says("ben-4711", "I prefer short answers.")
	before := sums()
	says("cat-4711", "i prefer short answers!")
	after := sums()
	if len(before) != 1 || len(after) != 1 || after[0].ID != before[0].ID || len(after[0].Sums()) != 3 {
		t.Fatalf("%+v\n%+v", before, after)
	}
	if _, err := s.Signals.Approve(t.Context(), before[0].ID, signal.Edit{Content: "Keep answers short"},
		knowledge.Person{ID: "p", Name: "Eva", Roles: []string{"expert"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Erase.Erase(t.Context(), erase.Request{How: interaction.ByReference, Subject: "cat-4711",
		Why: "Request 8", By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	g, err := s.Signals.Get(t.Context(), before[0].ID)
	if err != nil || g.State != signal.Approved || g.Content != "Keep answers short" || len(g.Evidence) > 0 {
		t.Errorf("%+v %v", g, err)
	}
}
