package page_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
)

// Nothing is put in a domain that nobody chose: a desk without agents asks, and one whose agents all work in one domain
// begins with that.
func TestADomainIsChosenOrAsked(t *testing.T) {
	site := apptest.Open(t)
	boss, dir := site.SignedIn(t, account.Admin), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "velvet.md"), []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	token := url.Values{"agent": {"sofa-bot"}, "scopes": {"recall"}, "days": {"30"}, "pack": {""}}
	folder := url.Values{"folder": {dir}, "agent": {""}, "pack": {""}}
	chosen := func(path, id string) string {
		t.Helper()
		return page(t, boss.Get(t, path), http.StatusOK).Find("#"+id+" [selected]").AttrOr("value", "")
	}
	if a, b := chosen("/admin/import", "upload-agent-pack"), chosen("/admin/agents", "pack"); a+b != "" {
		t.Errorf("before anybody chose it is %q and %q", a, b)
	}
	want(t, "import", boss.Post(t, "/admin/import", folder), http.StatusUnprocessableEntity, "Which domain?")
	want(t, "token", boss.Post(t, "/admin/agents/tokens", token), http.StatusUnprocessableEntity, "Which domain?")
	want(t, "one", boss.Post(t, "/admin/agents/tokens", with(token, "pack", "general")), http.StatusSeeOther)
	if a, b := chosen("/admin/import", "upload-agent-pack"), chosen("/admin/agents", "pack"); a+b != "generalgeneral" {
		t.Errorf("beside an agent of general it is %q and %q", a, b)
	}
	want(t, "import", boss.Post(t, "/admin/import", folder), http.StatusSeeOther)
	site.Drain(t)
	if s, err := site.Knowledge.DocumentShares(t.Context()); err != nil || s.Of["general"] == 0 || len(s.Of) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	hasNot(t, page(t, boss.Get(t, "/admin/import"), http.StatusOK), "#shares a")
	want(t, "two", boss.Post(t, "/admin/agents/tokens", with(token, "agent", "b", "pack", "pension")),
		http.StatusSeeOther)
	want(t, "import", boss.Post(t, "/admin/import", folder), http.StatusUnprocessableEntity, "Which domain?")
	want(t, "the agent's own", boss.Post(t, "/admin/import", with(folder, "agent", "sofa-bot")), http.StatusSeeOther)
}

// The page of imports says whose the documents are. Those that are everybody's, from before there were packs, are given
// to one, and agents of others are no longer given them.
func TestDocumentsOfEveryAgentAreGivenADomain(t *testing.T) {
	site := apptest.Open(t)
	boss := site.SignedIn(t, account.Admin)
	hasNot(t, page(t, boss.Get(t, "/admin/import"), http.StatusOK), "#shares")
	add := func(origin, agentID, packName, text string) {
		t.Helper()
		if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
			_, err := site.Knowledge.AddCaseTx(tx,
				knowledge.Case{Source: knowledge.FromDocument, Origin: origin, AgentID: agentID,
					CaseText: knowledge.CaseText{Title: "Oak tables", Guidance: text, Pack: packName}})
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	add("a.md#1", "", "", "Oak tables are delivered in May.")
	add("a.md#2", "", "", "Oak tables are oiled once a year.")
	add("b.md#1", "", "pension", "A pension is a pot of money.")
	add("c.md#1", "agent-1", "", "Oak tables cost £400.")
	doc := page(t, boss.Get(t, "/admin/import"), http.StatusOK)
	has(t, doc, "#shares", "Every agent, of any domain2 sections")
	has(t, doc, "#shares", "Agents of "+pack.Of("pension").Title+"1 section")
	has(t, doc, "#shares dd", "No agent works in this domain")
	has(t, doc, "#shares", "One agent only1 section")
	given := func() int {
		t.Helper()
		r, err := site.Knowledge.Recall(t.Context(),
			knowledge.Query{AgentID: "p", Text: "When are oak tables delivered?",
				Situation: pack.Situation{Pack: "pension"}})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, it := range r.Cases {
			if it.Title == "Oak tables" && it.Text != "A pension is a pot of money." {
				n++
			}
		}
		return n
	}
	if given() == 0 {
		t.Fatal("an agent of another domain is given none of them")
	}
	if r := boss.Post(t, "/admin/import/domain",
		url.Values{"pack": {"nonsense"}}); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("a domain that isn't there: %d", r.Status)
	}
	sam := site.SignedIn(t, account.Supervisor)
	if r := sam.Post(t, "/admin/import/domain", url.Values{"pack": {"general"}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor: %d", r.Status)
	}
	if r := boss.Post(t, "/admin/import/domain", url.Values{"pack": {"general"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("give: %d %.600s", r.Status, r.Body)
	}
	site.Drain(t)
	if s, err := site.Knowledge.DocumentShares(t.Context()); err != nil || s.All != 0 || s.Of["general"] != 2 ||
		s.Of["pension"] != 1 || s.Owned != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	doc = page(t, boss.Get(t, "/admin/import"), http.StatusOK)
	hasNot(t, doc, `form[action="/admin/import/domain"]`)
	if n := given(); n != 0 {
		t.Errorf("an agent of another domain is given %d of them", n)
	}
}
