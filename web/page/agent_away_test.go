package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/feedback"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/signal"
)

// An empty desk's first question says whose it is to be; nothing is made before somebody chose.
func TestTheFirstQuestionChoosesItsDomain(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	doc := page(t, ann.Get(t, "/ask"), http.StatusOK)
	if n := doc.Find("#domain input[type=radio]").Length(); n != len(pack.All()) {
		t.Errorf("%d domains to choose from, want %d", n, len(pack.All()))
	}
	hasNot(t, doc, "#domain [checked]")
	hasNot(t, doc, "#asked-agent, #age, #facts")
	has(t, doc, "#domain", "General: creates the agent general-advisor")
	const question = "How much is delivery of a sofa?"
	doc = page(t, ann.Post(t, "/ask", url.Values{"question": {question}}), http.StatusUnprocessableEntity)
	has(t, doc, "#domain-error", "Choose whom to ask.")
	has(t, doc, "#question", question)
	doc = page(t, ann.Post(t, "/ask", url.Values{"domain": {"general"}}), http.StatusUnprocessableEntity)
	has(t, doc, "#question-error", "Enter")
	has(t, doc, "#domain label:has([checked])", "General")
	if list, err := site.Accounts.AllAgents(t.Context()); err != nil || len(list) > 0 {
		t.Fatalf("made before it was asked: %v, %v", list, err)
	}
	r := ann.Post(t, "/ask", url.Values{"question": {question}, "domain": {"general"}})
	if r.Status != http.StatusSeeOther {
		t.Fatalf("asked: %d %.300s", r.Status, r.Body)
	}
	list, err := site.Accounts.AllAgents(t.Context())
	if err != nil || len(list) != 1 || list[0].Name != "general-advisor" || list[0].Pack != pack.GeneralName {
		t.Errorf("made %+v, %v", list, err)
	}
	has(t, page(t, ann.Get(t, "/ask"), http.StatusOK), "#asked-agent", "You're asking general-advisor.")
	log, err := audit.List(t.Context(), site.DB, audit.Filter{Action: "agent.added"})
	if err != nil || len(log.Rows) != 1 || log.Rows[0].Actor.ID != ann.Account.ID {
		t.Errorf("made by %+v, %v", log.Rows, err)
	}
}

// Ask opens on the agent that the person asked last.
func TestAskOpensOnTheAgentAskedLast(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	for _, name := range []string{"pension-advisor", "shop", "aaa"} {
		if _, err := site.Accounts.EnsureAgent(t.Context(), name, "general"); err != nil {
			t.Fatal(err)
		}
	}
	has(t, page(t, ann.Get(t, "/ask"), http.StatusOK), "#asked-agent [aria-current]", "aaa")
	ann.Post(t, "/ask", url.Values{"agent": {"shop"}, "question": {"How much is delivery?"}})
	has(t, page(t, ann.Get(t, "/ask"), http.StatusOK), "#asked-agent [aria-current]", "shop")
	has(t, page(t, ann.Get(t, "/ask?agent=aaa"), http.StatusOK), "#asked-agent [aria-current]", "aaa")
}

// An agent that is put away is offered for nothing new and its domain isn't in use; what it did can be looked for, and it
// can be taken back.
func TestAnAgentIsPutAwayAndTakenBack(t *testing.T) {
	site := apptest.Open(t, func(c *config.Config) { c.WebhookAllow = []string{"127.0.0.1"} })
	boss := site.SignedIn(t, account.Admin, account.Manager, account.Supervisor)
	ctx := t.Context()
	wrong, err := site.Accounts.EnsureAgent(ctx, "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Accounts.EnsureAgent(ctx, "shop", "general"); err != nil {
		t.Fatal(err)
	}
	said, err := site.Feedback.Log(ctx, feedback.Observation{AgentID: wrong.ID, AgentName: wrong.Name,
		AgentType: wrong.Name, Query: "What is a pot?", Response: "Money put by."})
	if err == nil {
		_, err = site.Feedback.Vote(ctx, feedback.Vote{SubjectID: said, UserID: "u", Kind: feedback.Thumbs, Value: 1,
			Channel: feedback.ChannelAPI})
	}
	if err != nil {
		t.Fatal(err)
	}
	// what is set of its turns later leaves it where it is
	put := url.Values{"id": {wrong.ID + " " + wrong.Name}}
	names := func(want bool, addresses ...string) {
		t.Helper()
		for _, at := range addresses {
			doc := page(t, boss.Get(t, at), http.StatusOK)
			if strings.Contains(doc.Find("main select, #asked-agent").Text(), wrong.Name) != want {
				t.Errorf("%s offers %s: %v", at, wrong.Name, !want)
			}
		}
	}
	asks := []string{"/ask", "/experiments/new", "/admin/policies"}
	lists := []string{"/reviews?state=done", "/exports", "/learning", "/stats/satisfaction"}
	site.CountsHold(t)
	names(true, append(asks, lists...)...)
	if _, err := site.Delivery.Save(ctx, wrong.ID, "https://127.0.0.1/hook", false, boss.Account.Actor(), ""); err != nil {
		t.Fatal(err)
	}
	has(t, page(t, boss.Get(t, "/stats/packs"), http.StatusOK), "main", "Consumer Duty")
	if r := boss.Post(t, "/admin/agents/away", put); r.Status != http.StatusSeeOther {
		t.Fatalf("put away: %d %.300s", r.Status, r.Body)
	}
	set := signal.Settings{Silent: true}
	if err := site.Signals.Set(ctx, wrong.ID, set, knowledge.Person{ID: boss.Account.ID,
		Roles: []string{"admin"}}); err != nil {
		t.Fatal(err)
	}
	names(false, asks...)
	for _, at := range lists {
		has(t, page(t, boss.Get(t, at), http.StatusOK), "main select", "pension-advisor (put away)")
	}
	has(t, page(t, boss.Get(t, "/admin/webhooks"), http.StatusOK), "#webhooks", "pension-advisor (put away)")
	hasNot(t, page(t, boss.Get(t, "/stats/packs"), http.StatusOK), "main:contains('Consumer Duty')")
	has(t, page(t, boss.Get(t, "/admin/agents"), http.StatusOK), "[aria-labelledby=away-title]", wrong.Name)
	hasNot(t, page(t, boss.Get(t, "/admin/agents"), http.StatusOK), "#rename-id:contains('pension-advisor')")
	if got, err := site.Accounts.PackFor(ctx, "", ""); err != nil || got != pack.GeneralName {
		t.Errorf("the desk works in %q, %v", got, err)
	}
	doc := page(t, boss.Post(t, "/admin/agents/tokens", url.Values{"agent": {wrong.Name}, "scopes": {"submit"}, "days": {"90"}}),
		http.StatusUnprocessableEntity)
	has(t, doc, "#agent-error", "is put away")

	put.Set("back", "true")
	if r := boss.Post(t, "/admin/agents/away", put); r.Status != http.StatusSeeOther {
		t.Fatalf("take back: %d %.300s", r.Status, r.Body)
	}
	names(true, asks...)
	if got, err := site.Signals.SettingsOf(ctx, wrong.ID); err != nil || !got.Silent || got.Away {
		t.Errorf("its settings: %+v, %v", got, err)
	}
}

// A domain whose usual agent is put away says so, and the other one can be asked.
func TestADomainWhoseAgentIsPutAwaySaysSo(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Accounts.PutAway(t.Context(), agent.ID, true, audit.System("test")); err != nil {
		t.Fatal(err)
	}
	has(t, page(t, ann.Get(t, "/ask"), http.StatusOK), "#domain", "UK pensions: pension-advisor is put away")
	form := url.Values{"question": {"How much is delivery of a sofa?"}, "domain": {"pension"}}
	doc := page(t, ann.Post(t, "/ask", form), http.StatusUnprocessableEntity)
	has(t, doc, "#domain-error", "An administrator can take it back")
	form.Set("domain", "general")
	if r := ann.Post(t, "/ask", form); r.Status != http.StatusSeeOther {
		t.Errorf("the other: %d %.300s", r.Status, r.Body)
	}
}

// What waits, and what may still come, is never put out of sight; and a domain is changed only while nothing rests on it.
func TestAnAgentWithWorkStays(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin, account.Supervisor)
	ctx := t.Context()
	agent, err := site.Accounts.EnsureAgent(ctx, "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	refused := func(path, why string) {
		t.Helper()
		doc := page(t, boss.Post(t, "/admin/agents/"+path, url.Values{"id": {agent.ID}, "pack": {"pension"}}),
			http.StatusConflict)
		has(t, doc, "main", why)
		has(t, doc, "details[open] select[name=id] [selected]", agent.Name)
	}
	_, token, err := site.Accounts.CreateToken(ctx, agent.Name, "", []account.Scope{account.Submit}, time.Time{},
		audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	refused("away", "has a token that works")
	if err := site.Accounts.RevokeToken(ctx, token.ID, audit.System("test")); err != nil {
		t.Fatal(err)
	}
	page(t, boss.Post(t, "/admin/agents/domain", url.Values{"id": {agent.ID}}), http.StatusUnprocessableEntity)
	if r := boss.Post(t, "/admin/agents/domain", url.Values{"id": {agent.ID}, "pack": {"general"}}); r.Status !=
		http.StatusSeeOther {
		t.Fatalf("moved: %d %.300s", r.Status, r.Body)
	}
	if agent, err = site.Accounts.Agent(ctx, agent.ID); err != nil || agent.Pack != pack.GeneralName {
		t.Errorf("moved to %q, %v", agent.Pack, err)
	}
	r := boss.Post(t, "/ask", url.Values{"question": {"How much is delivery of a sofa?"}})
	if r.Status != http.StatusSeeOther {
		t.Fatalf("asked: %d %.300s", r.Status, r.Body)
	}
	refused("away", "has drafts that wait")
	refused("domain", "has drafts that wait")
	site.Drain(t)
	refused("away", "has drafts that wait")
	if agent, err = site.Accounts.EnsureAgent(ctx, "other", "general"); err != nil {
		t.Fatal(err)
	}
	err = site.DB.Write(ctx, func(tx *db.Tx) error {
		_, err := site.Knowledge.AddCaseTx(tx, knowledge.Case{AgentID: agent.ID, Source: knowledge.FromReview,
			Origin: "o", Domain: knowledge.RiskDisclosure, By: boss.Account.Actor(), Reason: "approved",
			CaseText: knowledge.CaseText{Title: "Delivery", Situation: "asks about it", Guidance: "It costs £49."}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	refused("domain", "rules or cases of its own")
	if r := boss.Post(t, "/admin/agents/away", url.Values{"id": {agent.ID}}); r.Status != http.StatusSeeOther {
		t.Errorf("one with knowledge is put away: %d", r.Status)
	}
}
