package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/signal"
)

// maker is an agent of its own, by its token.
func maker(t *testing.T, s *apptest.Site, name string) *apptest.Client {
	t.Helper()
	key, _, err := s.Accounts.CreateToken(t.Context(), name, "general", []account.Scope{account.Feedback, account.Recall, account.Submit}, time.Time{}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	c := s.Nobody(t)
	c.Header.Set("Authorization", "Bearer "+key)
	return c
}

func recorded(t *testing.T, c *apptest.Client, body string) string {
	t.Helper()
	return read[struct{ ID string }](t, c.JSON(t, http.MethodPost, "/api/turns", body)).ID
}

func recalled(t *testing.T, c *apptest.Client, query, more string) string {
	t.Helper()
	return read[struct{ Prompt string }](t, c.JSON(t, http.MethodPost, "/api/recall", fmt.Sprintf(`{"query":%q%s}`, query, more))).Prompt
}

type summary struct {
	ID, State, Text    string
	Corrected, Noticed int
	Proposals          []struct{ ID, Category, Scope, Content, State string }
}

const wrongSQL = `SELECT * FROM enviro_audit_point WHERE ST_DWithin(geometry, ST_SetSRID(ST_MakePoint(144.38078, -38.08395), 4326), 100)`

// Acceptance 1: ten turns of an SQL agent through the API.
func TestTenTurnsOfAnSQLAgent(t *testing.T) {
	s := apptest.Open(t)
	agent, other := maker(t, s, "spatial"), maker(t, s, "another")
	step := func(sql string) string { return fmt.Sprintf(`[{"tool":"sql_db_query","input":{"query":%q}}]`, sql) }
	turn := func(n int, action, reaction, steps, file string) {
		recorded(t, agent, fmt.Sprintf(`{"id":"t%d","session_id":"s1","user_id":"u1","task":"spatial_qa","model":"small","query":"Which sites are near?","action":%q,"reaction":%q,"steps":%s,"context":{"file":%q}}`, n, action, reaction, steps, file))
	}
	turn(1, "looked up the address", "", `[{"tool":"AWS_Geocode","input":{"address":"Corio"}}]`, "")
	turn(2, "queried the sites", "", step(wrongSQL), "")
	notes := read[struct {
		Prompt   string
		Sections []struct {
			Evaluator string
			Notes     []struct{ Text string }
		}
	}](t, agent.Get(t, "/api/notes?task=spatial_qa"))
	if len(notes.Sections) != 1 || notes.Sections[0].Evaluator != "sqlvalidator" || !strings.HasPrefix(notes.Prompt, "Previous SQL Errors to Avoid:") {
		t.Fatalf("the second query's notes: %+v", notes)
	}
	if p := recalled(t, agent, "Which sites are near Corio?", `,"task_type":"spatial_qa"`); !strings.Contains(p, notes.Sections[0].Notes[0].Text) {
		t.Errorf("recall without the note: %q", p)
	}
	if p := recalled(t, other, "Which sites are near Corio?", ""); p != "" {
		t.Errorf("another agent is told %q", p)
	}
	turn(3, "read the schema", "", `[{"tool":"sql_db_schema","input":"enviro_audit_point"}]`, "")
	turn(4, "split proxy.go into 3 files", "perfect", `[]`, "proxy.go")
	turn(5, "split cli.go into 2 files", "good", `[]`, "cli.go")
	turn(6, "planned split for config.go", "exactly", `[]`, "config.go")
	turn(7, "wrote verbose explanation", "don't explain so much", `[]`, "")
	turn(8, "wrote verbose explanation", "stop explaining", `[]`, "")
	turn(9, "queried the sites again", "ok", step(`SELECT id FROM sites WHERE id = 4 LIMIT 5`), "")
	turn(10, "summed up", "thanks", `[]`, "")
	turn(10, "summed up", "thanks", `[]`, "") // sent again

	ended := read[summary](t, agent.JSON(t, http.MethodPost, "/api/sessions/end", `{"session_id":"s1","user_id":"u1"}`))
	s.Drain(t)
	sum := read[summary](t, agent.Get(t, "/api/sessions/"+ended.ID))
	if sum.State != "told" || sum.Corrected != 1 || sum.Noticed < 1 || !strings.HasPrefix(sum.Text, "The user corrected 1 behaviour") {
		t.Fatalf("%+v", sum)
	}
	if r := other.Get(t, "/api/sessions/"+ended.ID); r.Status != http.StatusNotFound {
		t.Errorf("another agent reads the session: %d", r.Status)
	}
	expert := s.SignedIn(t, account.Expert)
	var split string
	for _, p := range sum.Proposals {
		t.Logf("%+v", p)
		if p.Scope == "language:go" && strings.Contains(p.Content, "split") {
			split = p.ID
		}
	}
	if split == "" {
		t.Fatal("no rule for Go is proposed")
	}
	if p := recalled(t, agent, "How shall I lay this out?", `,"context":{"language":"go"}`); strings.Contains(p, "smaller files") {
		t.Errorf("a proposal is recalled: %q", p)
	}
	page := "/learning/sessions/" + sum.ID + "/proposals/" + split
	if r := s.SignedIn(t, account.Supervisor).Post(t, page, url.Values{"act": {"approve"}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor approves: %d", r.Status)
	}
	if r := expert.Post(t, page, url.Values{"act": {"approve"}, "content": {"Split large files into smaller files"}, "scope": {"language:go"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %s", r.Status, r.Body)
	}
	if r := expert.Post(t, page, url.Values{"act": {"reject"}}); r.Status != http.StatusConflict {
		t.Errorf("decided twice: %d", r.Status)
	}
	s.Drain(t)
	for about, want := range map[string]bool{`"language":"go"`: true, `"file":"a/main.go"`: true, `"language":"python"`: false, `"file":"a/main.py"`: false} {
		if p := recalled(t, agent, "How shall I lay out this large file?", `,"context":{`+about+`}`); strings.Contains(p, "smaller files") != want {
			t.Errorf("%s: %q", about, p)
		}
	}
	if p := recalled(t, other, "How shall I lay out this large file?", `,"context":{"language":"go"}`); strings.Contains(p, "smaller files") {
		t.Errorf("another agent gets it: %q", p)
	}
}

// A session is over after half an hour without a turn.
func TestAnIdleSessionEnds(t *testing.T) {
	s := apptest.Open(t)
	c := maker(t, s, "coder")
	for i := range 3 {
		recorded(t, c, fmt.Sprintf(`{"session_id":"s","action":"wrote the test first, %d","reaction":"perfect"}`, i))
	}
	s.Clock.Advance(31 * time.Minute)
	if err := s.Signals.EndIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Drain(t)
	list, open, _, err := s.Signals.Sessions(t.Context(), signal.Filter{})
	if err != nil || len(list) != 1 || list[0].State != signal.TalkTold || open[list[0].ID] == 0 {
		t.Fatalf("%+v %v %v", list, open, err)
	}
	recorded(t, c, `{"session_id":"s","action":"began anew","reaction":"good"}`)
	if list, _, _, _ = s.Signals.Sessions(t.Context(), signal.Filter{}); len(list) != 2 {
		t.Errorf("%d sessions", len(list))
	}
}
