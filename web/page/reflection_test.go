package page_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/learning"
	"preceptor/internal/learning/stream"
	"preceptor/internal/platform/db"
)

// A day that weighs enough is reflected on: the page shows what was seen, what it rests on and which lesson came of it.
func TestReflections(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	if r := ann.Get(t, "/learning/reflections"); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor sees what agents remember: %d", r.Status)
	}
	has(t, page(t, edie.Get(t, "/learning/reflections"), http.StatusOK), ".empty", "No reflection yet")
	correct(t, site, ann)
	doc := page(t, edie.Get(t, "/learning/reflections?view=memories"), http.StatusOK)
	has(t, doc, "#reflections", "Revised")
	has(t, doc, "#reflections", "weighs")
	agent, err := site.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		e := stream.Event{Kind: stream.Decision, What: learning.Reject, CauseID: string(rune('a' + i)),
			InteractionID: string(rune('a' + i)), AgentID: agent.ID, AgentName: agent.Name,
			Task: "db_transfer", Codes: []string{"MISSING_RISK_DISCLOSURE"}, Text: "Rejected. The risk is missing."}
		e.Situation.HasDB = true
		if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
			return site.Stream.RememberTx(tx, e)
		}); err != nil {
			t.Fatal(err)
		}
	}
	has(t, page(t, edie.Get(t, "/learning/reflections"), http.StatusOK), "#reflections", "due within a minute")
	if err := site.Stream.ReflectDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	site.Drain(t)
	doc = page(t, edie.Get(t, "/learning/reflections?agent="+agent.ID), http.StatusOK)
	has(t, doc, ".insight", "people corrected")
	has(t, doc, ".insight", "behind it")
	link, ok := doc.Find(`.insight a[href^="/learning/"]`).First().Attr("href")
	if !ok {
		t.Fatalf("no lesson came of it: %s", words(doc, "#reflections"))
	}
	has(t, page(t, edie.Get(t, link), http.StatusOK), ".drafted", "Many drafts showed it together")
	has(t, page(t, edie.Get(t, "/learning?origin=reflection"), http.StatusOK), "#board", "seen by")
	doc = page(t, edie.Get(t, "/learning/reflections?view=memories&q=risk&agent="+agent.ID), http.StatusOK)
	has(t, doc, ".result", "recency")
	has(t, page(t, edie.Get(t, "/learning/reflections?view=memories&kind=insight"), http.StatusOK), ".result",
		"Insight")
	page(t, edie.Get(t, "/learning/reflections?cursor=nonsense"), http.StatusUnprocessableEntity)
	has(t, page(t, edie.Get(t, "/knowledge/more"), http.StatusOK), `#more a[href="/learning/reflections"]`,
		"Reflections")
	hasNot(t, page(t, ann.Get(t, "/knowledge/more"), http.StatusOK), `#more a[href="/learning/reflections"]`)
}

// An administrator pauses scheduled jobs, resumes it and has it run; each is on record.
func TestWorkThatComesAgainIsPaused(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	act := func(what, name string, status int) {
		t.Helper()
		if r := boss.Post(t, "/admin/jobs/loops", url.Values{"name": {name}, "act": {what}}); r.Status != status {
			t.Fatalf("%s %s: %d", what, name, r.Status)
		}
	}
	doc := page(t, boss.Get(t, "/admin/jobs"), http.StatusOK)
	has(t, doc, "[aria-labelledby=loops]", "Reflect on agents' last 24 hours")
	has(t, doc, "[aria-labelledby=loops]", "not yet")
	act("run", "knowledge.consolidate", http.StatusSeeOther)
	site.Drain(t)
	has(t, page(t, boss.Get(t, "/admin/jobs"), http.StatusOK), "[aria-labelledby=loops]", "done")
	act("pause", "knowledge.consolidate", http.StatusSeeOther)
	act("pause", "knowledge.consolidate", http.StatusSeeOther)
	act("run", "knowledge.consolidate", http.StatusConflict)
	act("pause", "no.such", http.StatusNotFound)
	act("stop", "knowledge.consolidate", http.StatusUnprocessableEntity)
	has(t, page(t, boss.Get(t, "/admin/jobs"), http.StatusOK), "[aria-labelledby=loops]",
		"paused by "+boss.Account.Name)
	site.Clock.Advance(48 * time.Hour)
	boss = site.Enter(t, boss.Account)
	act("resume", "knowledge.consolidate", http.StatusSeeOther)
	site.Drain(t)
	p, err := audit.List(t.Context(), site.DB, audit.Filter{ObjectID: "knowledge.consolidate"})
	if err != nil || len(p.Rows) != 3 {
		t.Fatalf("on record: %+v, %v", p, err)
	}
}
