package page_test

import (
	"maps"
	"net/http"
	"net/url"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/config"
)

// Two administrators have the same form open. The second to save is told, keeps what they typed, and saves by saving
// again.
func TestASecondSaveOfAFormLosesNothing(t *testing.T) {
	site := apptest.Open(t, func(c *config.Config) { c.WebhookAllow = []string{"127.0.0.1"} })
	ada, priya := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Admin)
	sam := site.Account(t, account.Expert)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "it-helpdesk", "general")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Accounts.AddTeam(t.Context(), "Drawdown", ada.Account.Actor()); err != nil {
		t.Fatal(err)
	}
	folder, other := t.TempDir(), t.TempDir()
	person := "/admin/people/" + sam.ID
	for what, c := range map[string]struct {
		page, form    string
		first, second url.Values
		now, typed    string // what the second is told, and the selector of what they typed
	}{
		"roles": {person, `form[action$="/roles"]`, url.Values{"roles": {"expert", "manager"}},
			url.Values{"roles": {"supervisor", "expert"}}, "it is now expert, manager",
			`#role-person-supervisor[checked]`},
		"name": {person, `form[action$="/name"]`, url.Values{"name": {"Sam Onyango"}},
			url.Values{"name": {"Sam Obi"}}, "it is now Sam Onyango", `[name="name"][value="Sam Obi"]`},
		"team": {"/admin/teams", `form[action^="/admin/teams/"]`,
			url.Values{"name": {"Drawdown two"}, "members": {sam.ID}}, url.Values{"name": {"Pots"}},
			"it is now Drawdown two with ", `[name="name"][value="Pots"]`},
		"agent": {"/admin/agents", `form[action="/admin/agents/name"]`, url.Values{"name": {"helpdesk"}},
			url.Values{"name": {"desk-two"}}, "it is now helpdesk", `[name="name"][value="desk-two"]`},
		"webhook": {"/admin/webhooks/" + agent.ID, `form.form[action$="` + agent.ID + `"]`,
			url.Values{"url": {"http://127.0.0.1:9/a"}, "with_text": {"1"}},
			url.Values{"url": {"http://127.0.0.1:9/b"}}, "it is now http://127.0.0.1:9/a with the text",
			`[name="url"][value$="/b"]`},
		"backup": {"/admin/backup", `form[action$="/schedule"]`,
			url.Values{"folder": {folder}, "hour": {"3"}, "days": {"7"}, "weeks": {"4"}, "months": {"6"}},
			url.Values{"folder": {other}, "hour": {"2"}, "days": {"5"}, "weeks": {"4"}, "months": {"6"}},
			"it is now " + folder + " at 03:00", `[name="days"][value="5"]`},
	} {
		t.Run(what, func(t *testing.T) {
			doc := page(t, ada.Get(t, c.page), http.StatusOK)
			action := doc.Find(c.form).First().AttrOr("action", "")
			send := func(who *apptest.Client, doc *goquery.Document, typed url.Values) apptest.Response {
				in := maps.Clone(typed)
				doc.Find(c.form).First().Find(`input[type=hidden], #rename-id option`).
					Each(func(_ int, s *goquery.Selection) {
						if name := s.AttrOr("name", "id"); in[name] == nil || s.AttrOr("selected", "no") != "no" {
							in[name] = []string{s.AttrOr("value", "")}
						}
					})
				return who.Post(t, action, in)
			}
			if r := send(ada, doc, c.first); r.Status >= 400 {
				t.Fatalf("the first: %d %.300s", r.Status, r.Body)
			}
			told := page(t, send(priya, doc, c.second), http.StatusConflict)
			has(t, told, "main .notice", "Someone changed this after you opened the page: "+c.now)
			if told.Find(c.form+" "+c.typed).Length() != 1 {
				t.Errorf("what was typed is gone: no %s", c.typed)
			}
			if r := send(priya, told, c.second); r.Status >= 400 {
				t.Errorf("saved again: %d %.300s", r.Status, r.Body)
			}
			if r := send(priya, page(t, priya.Get(t, c.page), http.StatusOK), c.second); r.Status >= 400 {
				t.Errorf("from a fresh page: %d %.300s", r.Status, r.Body)
			}
		})
	}
}
