package page_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/review"
	"preceptor/internal/review/export"
)

// A person's new name stands wherever something of theirs goes on; what they signed keeps the name that it was signed
// with.
func TestAPersonIsRenamed(t *testing.T) {
	site := apptest.Open(t)
	ann, ben, boss := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor),
		site.SignedIn(t, account.Admin)
	me := review.Person{ID: ann.Account.ID, Name: ann.Account.Name}
	claimed, assigned, signed, done := bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer()),
		bring(t, site, failing, dbCustomer()), bring(t, site, passing, dcCustomer())
	if err := site.Reviews.Claim(t.Context(), claimed, me); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Reviews.Assign(t.Context(),
		review.Assignment{IDs: []string{assigned}, To: me.ID, By: me}); err != nil {
		t.Fatal(err)
	}
	revise(t, ann, signed)
	approve(t, ann, done)
	at := "/admin/people/" + me.ID
	for typed, says := range map[string]string{" ": "Enter the name", "A\u202eB": "Use only visible characters"} {
		doc := page(t, boss.Post(t, at+"/name", url.Values{"name": {typed}}), http.StatusUnprocessableEntity)
		if has(t, doc, "main", says); doc.Find(`#name[aria-invalid="true"]`).Length() != 1 {
			t.Errorf("%q: the field isn't marked", typed)
		}
	}
	if r := ann.Post(t, at+"/name", url.Values{"name": {"Boss"}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor renames: %d", r.Status)
	}
	if r := boss.Post(t, at+"/name", url.Values{"name": {"Ann Newname"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	doc := page(t, boss.Get(t, at), http.StatusOK)
	has(t, doc, "h1", "Ann Newname")
	if v, _ := doc.Find("#name").Attr("value"); v != "Ann Newname" {
		t.Errorf("the form says %q", v)
	}
	want(t, "list", boss.Get(t, "/admin/people"), http.StatusOK, "Ann Newname")
	want(t, "navigation", ann.Get(t, "/inbox"), http.StatusOK, "Ann Newname")
	for what, id := range map[string]string{"claimed": claimed, "assigned": assigned, "approved first": signed,
		"decided": done} {
		item, err := site.Reviews.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{"claimed": item.Claim.By.Name, "assigned": item.AssignedTo.Name,
			"approved first": item.First.Name, "decided": "Ann Newname"}[what]
		if got != "Ann Newname" {
			t.Errorf("what they %s is of %q", what, got)
		}
		if what == "approved first" && item.Base.By.Name != me.Name ||
			what == "decided" && item.Decision.By.Name != me.Name {
			t.Errorf("the record of what they %s was rewritten", what)
		}
	}
	want(t, "the audit log", boss.Get(t, "/admin/audit?object="+me.ID), http.StatusOK, "account.renamed")
	want(t, "the queue", ben.Get(t, "/reviews?state=others"), http.StatusOK, "Ann Newname")
}

// A person signs in with another address from the change on, stays signed in, and is told.
func TestAPersonsEmailIsChanged(t *testing.T) {
	site := apptest.Open(t)
	ann, ben, boss := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor),
		site.SignedIn(t, account.Admin)
	at, was := "/admin/people/"+ann.Account.ID, ann.Account.Email
	for typed, says := range map[string]string{" ": "Enter an e-mail", "ann": "in the format",
		strings.ToUpper(ben.Account.Email): ben.Account.Name + " signs in with it"} {
		doc := page(t, boss.Post(t, at+"/email", url.Values{"email": {typed}}), http.StatusUnprocessableEntity)
		if has(t, doc, "main", says); doc.Find(`#email[aria-invalid="true"]`).Length() != 1 {
			t.Errorf("%q: the field isn't marked", typed)
		}
	}
	if r := ann.Post(t, at+"/email", url.Values{"email": {"x@example.org"}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor changes an address: %d", r.Status)
	}
	stale := url.Values{"email": {"x@example.org"}, "base": {"other@example.org"}}
	has(t, page(t, boss.Post(t, at+"/email", stale), http.StatusConflict), "main", "it is now "+was)
	if r := boss.Post(t, at+"/email", url.Values{"email": {" Ann.New@example.org"}, "base": {was}}); r.Status !=
		http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	has(t, page(t, boss.Get(t, at), http.StatusOK), ".page-head", "Ann.New@example.org")
	has(t, page(t, ann.Get(t, "/account"), http.StatusOK), "main", "Ann.New@example.org")
	has(t, page(t, ann.Get(t, "/inbox"), http.StatusOK), "main",
		"changed the e-mail address you sign in with to Ann.New@example.org")
	if a, err := site.Accounts.ByEmail(t.Context(), "ann.new@EXAMPLE.org"); err != nil || a.ID != ann.Account.ID {
		t.Errorf("the new address is of %q, %v", a.ID, err)
	}
	if _, err := site.Accounts.ByEmail(t.Context(), was); err == nil {
		t.Error("the old address still signs in")
	}
	want(t, "the audit log", boss.Get(t, "/admin/audit?object="+ann.Account.ID), http.StatusOK,
		"account.email_changed", was)
}

// An agent is called by its new name, and answers to the old one.
func TestAnAgentIsRenamed(t *testing.T) {
	site := apptest.Open(t)
	ben, boss, agent := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Admin), site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Scopes...))
	waiting := bring(t, site, passing, dcCustomer())
	const logged = `{"agent_type": "pension-advisor", "query": "What is a pot?", "response": "Money put away."}`
	if r := agent.JSON(t, http.MethodPost, "/api/feedback/interactions", logged); r.Status >= 300 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if _, err := site.Accounts.EnsureAgent(t.Context(), "it-helpdesk", ""); err != nil {
		t.Fatal(err)
	}
	a, err := site.Accounts.AgentByName(t.Context(), "pension-advisor")
	if err != nil {
		t.Fatal(err)
	}
	doc := page(t, boss.Post(t, "/admin/agents/name", url.Values{"id": {a.ID}, "name": {"IT-Helpdesk"}}),
		http.StatusUnprocessableEntity)
	has(t, doc, "details[open]", "is or was the name of the agent it-helpdesk")
	if v, _ := doc.Find("#rename-name").Attr("value"); v != "IT-Helpdesk" ||
		doc.Find(`#rename-id option[selected][value^="`+a.ID+`"]`).Length() != 1 {
		t.Errorf("what was typed is gone: %q", v)
	}
	if r := boss.Post(t, "/admin/agents/name",
		url.Values{"id": {a.ID}, "name": {"Guide"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	has(t, page(t, boss.Get(t, "/admin/agents"), http.StatusOK), "main table", "Guide")
	has(t, page(t, ben.Get(t, "/reviews?state=others"), http.StatusOK), ".queue, main", "Guide")
	has(t, show(t, ben, waiting, ""), ".case-meta", "Guide")
	for _, name := range []string{"pension-advisor", "Guide"} {
		if r := agent.JSON(t, http.MethodPost, "/api/recall",
			`{"query": "What is a pot?", "agent": "`+name+`"}`); r.Status != http.StatusOK {
			t.Errorf("as %s: %d %s", name, r.Status, r.Body)
		}
		var stats struct {
			Total int `json:"total_interactions"`
		}
		r := agent.Get(t, "/api/feedback/stats/"+name)
		if err := json.Unmarshal([]byte(r.Body), &stats); err != nil || stats.Total != 1 {
			t.Errorf("figures of %s: %d %s", name, r.Status, r.Body)
		}
	}
	if r := agent.JSON(t, http.MethodPost, "/api/recall",
		`{"query": "What is a pot?", "agent": "it-helpdesk"}`); r.Status != http.StatusForbidden {
		t.Errorf("as another: %d %s", r.Status, r.Body)
	}
	site.CountsHold(t)
}

// A name under which others vote or report isn't given to an agent unasked: what is theirs would be its own for good. An
// agent that is added under it is the one that they mean.
func TestAnAgentIsNotRenamedToAVotersName(t *testing.T) {
	site := apptest.Open(t)
	boss, agent := site.SignedIn(t, account.Admin), site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Scopes...))
	id := released(t, site, site.SignedIn(t, account.Supervisor))
	for path, body := range map[string]string{
		"interactions": `{"agent_type": "Pension-Chat", "query": "What is a pot?", "response": "Money put away."}`,
		"submit":       `{"interaction_id": "` + id + `", "user_id": "u", "feedback_value": 1}`,
	} {
		if r := agent.JSON(t, http.MethodPost, "/api/feedback/"+path, body); r.Status >= 300 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	a, err := site.Accounts.AgentByName(t.Context(), "pension-advisor")
	if err != nil {
		t.Fatal(err)
	}
	doc := page(t, boss.Post(t, "/admin/agents/name", url.Values{"id": {a.ID}, "name": {"pension-chat"}}),
		http.StatusUnprocessableEntity)
	has(t, doc, "details[open]", "Votes or reports came in under pension-chat")
	if now, err := site.Accounts.Agent(t.Context(), a.ID); err != nil || now.Name != "pension-advisor" {
		t.Errorf("it is called %q, %v", now.Name, err)
	}
	if _, err := site.Accounts.EnsureAgent(t.Context(), "pension-chat", ""); err != nil {
		t.Errorf("an agent of that name can't be added: %v", err)
	}
	if _, err := site.Accounts.RenameAgent(t.Context(), a.ID, "Guide", boss.Account.Actor(), ""); err != nil {
		t.Errorf("a name that nobody uses: %v", err)
	}
}

// Whatever an agent did under any of its names is counted, listed and exported as one agent's, under the name that it
// has.
func TestARenamedAgentsWorkStaysTogether(t *testing.T) {
	site := apptest.Open(t)
	ann, mia, boss, agent := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Manager),
		site.SignedIn(t, account.Admin), site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Scopes...))
	names := []string{"pension-advisor", "Guide", "Pension-Guide"}
	a, err := site.Accounts.AgentByName(t.Context(), names[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		if i > 0 {
			if _, err := site.Accounts.RenameAgent(t.Context(), a.ID, name, boss.Account.Actor(), ""); err != nil {
				t.Fatal(err)
			}
		}
		id := released(t, site, ann)
		vote := `{"interaction_id": "` + id + `", "user_id": "u", "feedback_value": -1, "feedback_text": "No."}`
		if r := agent.JSON(t, http.MethodPost, "/api/feedback/submit", vote); r.Status >= 300 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	const now = "Pension-Guide"
	done := page(t, ann.Get(t, "/reviews?state=done"), http.StatusOK).Find(".results, .queue, table").Text()
	if strings.Count(done, now) != len(names) || strings.Contains(done, names[0]) {
		t.Errorf("Done says %q", done)
	}
	options := func(doc *goquery.Document, at string) (out []string) {
		doc.Find(at + " option").Each(func(_ int, o *goquery.Selection) {
			out = append(out, strings.TrimSpace(o.Text()))
		})
		return out
	}
	for _, at := range []string{"/stats/review", "/feedback", "/feedback/examples"} {
		if got := options(page(t, mia.Get(t, at), http.StatusOK), "select[name=agent]"); !slices.Equal(got,
			[]string{"All agents", now}) {
			t.Errorf("%s offers %q", at, got)
		}
	}
	for _, name := range names {
		q := url.QueryEscape(name)
		doc := page(t, mia.Get(t, "/stats/rows?of=decisions&agent="+q), http.StatusOK)
		if n := doc.Find(".results > li").Length(); n != len(names) {
			t.Errorf("%s: %d decisions in the rows", name, n)
		}
		has(t, doc, ".lead", "agent "+now)
		has(t, page(t, mia.Get(t, "/stats/review?agent="+q), http.StatusOK), "#agents ~ ul.bars", now)
		if got := mia.Get(t, "/stats/satisfaction?chart=agents&format=csv&agent="+q); !strings.Contains(got.Body,
			now+",0") || !strings.Contains(got.Body, ",3") {
			t.Errorf("%s: votes by agent:\n%s", name, got.Body)
		}
		if n := page(t, mia.Get(t, "/feedback?agent="+q), http.StatusOK).Find("#said > li").Length(); n != len(names) {
			t.Errorf("%s: %d comments", name, n)
		}
	}
	for _, at := range []string{"/stats/review?chart=agents&format=csv", "/stats/satisfaction?chart=agents&format=csv",
		"/stats/rows?of=votes&format=csv"} {
		if r := mia.Get(t, at); strings.Contains(r.Body, names[0]) || !strings.Contains(r.Body, now) {
			t.Errorf("%s: %d\n%s", at, r.Status, r.Body)
		}
	}
	r := mia.Post(t, "/exports", url.Values{"set": {"decisions"}, "format": {"csv"},
		"planted": {export.WithoutPlanted}})
	if strings.Contains(r.Body, names[0]) || strings.Count(r.Body, now) != len(names) {
		t.Errorf("the export: %d\n%s", r.Status, r.Body)
	}
	site.CountsHold(t)
}
