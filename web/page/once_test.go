package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/config"
)

// A form that makes a secret leads to a page that shows it once: loading that page again makes no second one, and no
// other session, no part of the page that is fetched again and no other page takes it away.
func TestASecretIsShownOnceAndNotMadeAgain(t *testing.T) {
	site := apptest.Open(t, func(c *config.Config) { c.WebhookAllow = []string{"127.0.0.1"} })
	boss, ann := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Supervisor)
	site.Token(t, account.Submit)
	agent, err := site.Accounts.AgentByName(t.Context(), "pension-advisor")
	if err != nil {
		t.Fatal(err)
	}
	hook := "/admin/webhooks/" + agent.ID
	for _, tt := range []struct {
		name, path, shown string
		form              url.Values
	}{
		{"a token", "/admin/agents/tokens", "#fresh-token",
			url.Values{"agent": {"a"}, "pack": {"general"}, "scopes": {"submit"}, "days": {"30"}}},
		{"an invitation", "/admin/people", "#fresh-link",
			url.Values{"name": {"Eve"}, "email": {"eve@example.org"}, "roles": {"expert"}}},
		{"a password", "/admin/people/" + ann.Account.ID + "/link", "#fresh-link", nil},
		{"a webhook", hook, "#fresh-secret", url.Values{"url": {"http://127.0.0.1:1/hook"}}},
		{"a new secret", hook + "/rotate", "#fresh-secret", nil},
		{"a feedback link", "/feedback/" + released(t, site, ann) + "/link", "#made",
			url.Values{"user_id": {"c"}, "days": {"7"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, other := boss, site.Enter(t, boss.Account)
			if tt.shown == "#made" {
				c, other = ann, site.Enter(t, ann.Account)
			}
			r := c.Post(t, tt.path, tt.form)
			to := r.Header.Get("Location")
			if r.Status != http.StatusSeeOther || strings.ContainsAny(to, "?#") {
				t.Fatalf("%d, leads to %q", r.Status, to)
			}
			count := func(r apptest.Response) int { return page(t, r, http.StatusOK).Find(tt.shown).Length() }
			if n := count(other.Get(t, to)); n != 0 {
				t.Error("another session is shown it")
			}
			if n := count(c.Do(t, http.MethodGet, to, "", "", "HX-Request", "true")); n != 0 {
				t.Error("a part of the page takes it")
			}
			c.Get(t, "/account")
			if n := count(c.Get(t, to)); n != 1 {
				t.Errorf("the page shows it %d times", n)
			}
			if n := count(c.Get(t, to)); n != 0 {
				t.Error("it is shown again")
			}
		})
	}
	if people, _, err := site.Accounts.People(t.Context(), account.PeopleFilter{}); err != nil || len(people) != 3 {
		t.Errorf("%d people, %v", len(people), err)
	}
}
