package page_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
)

func TestWebhooks(t *testing.T) {
	status := http.StatusOK
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		w.Write([]byte(`<script>alert(1)</script>`))
	}))
	t.Cleanup(srv.Close)
	site := apptest.Open(t, func(c *config.Config) { c.WebhookAllow = []string{"127.0.0.1"} })
	// of no guidance
	site.Delivery.Data = func(_ context.Context, e delivery.Event) (any, error) { return e.ObjectID, nil }
	boss := site.SignedIn(t, account.Admin)
	want(t, "no agents", boss.Get(t, "/admin/webhooks"), http.StatusOK, "No agents yet")
	site.Token(t, account.Submit)
	agent, err := site.Accounts.AgentByName(t.Context(), "pension-advisor")
	if err != nil {
		t.Fatal(err)
	}
	page := "/admin/webhooks/" + agent.ID
	want(t, "list", boss.Get(t, "/admin/webhooks"), http.StatusOK, "polling", page)
	want(t, "nothing set up", boss.Get(t, page), http.StatusOK, "Save and create a secret")
	want(t, "nobody's", boss.Get(t, "/admin/webhooks/none"), http.StatusNotFound, "no such agent")
	want(t, "no event", boss.Get(t, "/admin/events/none"), http.StatusNotFound)

	want(t, "a private address", boss.Post(t, page, url.Values{"url": {"https://10.0.0.7/x"}}),
		http.StatusUnprocessableEntity, "is a private address", "--webhook-allow 10.0.0.7",
		`value="https://10.0.0.7/x"`)
	r := boss.Follow(t, page, url.Values{"url": {srv.URL + "/hook"}, "with_text": {"1"}})
	secret := regexp.MustCompile(`whsec_[0-9A-Za-z+/=]{44}`)
	first := secret.FindString(strings.ReplaceAll(r.Body, "&#43;", "+"))
	if r.Status != http.StatusOK || first == "" {
		t.Fatalf("save: %d, no secret", r.Status)
	}
	if r := boss.Get(t, page); strings.Contains(strings.ReplaceAll(r.Body, "&#43;", "+"), first) {
		t.Error("the secret is shown again")
	}
	want(t, "save again", boss.Post(t, page, url.Values{"url": {srv.URL + "/other"}}), http.StatusSeeOther)
	if e, err := site.Delivery.Endpoint(t.Context(), agent.ID); err != nil || e.WithText ||
		!strings.HasSuffix(e.URL, "/other") {
		t.Errorf("%+v, %v", e, err)
	}
	r = boss.Follow(t, page+"/rotate", nil)
	if next := secret.FindString(strings.ReplaceAll(r.Body, "&#43;", "+")); r.Status != http.StatusOK || next == "" ||
		next == first {
		t.Errorf("rotate: %d, the same secret: %v", r.Status, next == first)
	}

	want(t, "test", boss.Post(t, page+"/test", nil), http.StatusSeeOther)
	want(t, "a second test", boss.Post(t, page+"/test", nil), http.StatusConflict, "already being sent")
	site.Drain(t)
	want(t, "tested", boss.Get(t, page), http.StatusOK, "works", "Test", "200 in")
	want(t, "list", boss.Get(t, "/admin/webhooks"), http.StatusOK, "works")

	status = http.StatusInternalServerError
	emit(t, site, agent.ID, "g1")
	site.Drain(t)
	r = boss.Get(t, page)
	want(t, "failing", r, http.StatusOK, "Failing", "answered 500", "Try everything now")
	if strings.Contains(r.Body, "<script>alert") {
		t.Error("an answer is executed")
	}
	event := regexp.MustCompile(`/admin/events/(msg_[0-9a-f]{32})`).FindStringSubmatch(r.Body)[1]
	want(t, "event", boss.Get(t, "/admin/events/"+event), http.StatusOK, "guidance.released", event,
		"Refused by the receiver", "500")
	want(t, "replay too soon", boss.Post(t, "/admin/events/"+event+"/replay", nil), http.StatusConflict,
		"still being delivered")
	want(t, "hurry", boss.Post(t, page+"/hurry", nil), http.StatusSeeOther)
	site.Drain(t)
	for range delivery.Attempts {
		if err := site.Delivery.Hurry(t.Context(), agent.ID, boss.Account.Actor()); err != nil {
			t.Fatal(err)
		}
		site.Drain(t)
	}
	want(t, "given up", boss.Get(t, page+"?state=dead"), http.StatusOK, "failed", "Send all again", event)
	want(t, "on the door", boss.Get(t, "/admin"), http.StatusOK, "1 event failed")
	status = http.StatusOK
	want(t, "replay", boss.Post(t, page+"/replay", nil), http.StatusSeeOther)
	site.Drain(t)
	want(t, "delivered", boss.Get(t, page+"?state=delivered"), http.StatusOK, event)
	want(t, "replay one", boss.Post(t, "/admin/events/"+event+"/replay", nil), http.StatusSeeOther)
	site.Drain(t)

	status = http.StatusGone
	emit(t, site, agent.ID, "g2")
	site.Drain(t)
	want(t, "gone", boss.Get(t, page), http.StatusOK, "Off since it answered 410", "Enable")
	want(t, "disable what is off", boss.Post(t, page+"/disable", nil), http.StatusConflict, "already disabled")
	status = http.StatusOK
	want(t, "enable", boss.Post(t, page+"/enable", nil), http.StatusSeeOther)
	site.Drain(t)
	want(t, "all delivered", boss.Get(t, page+"?state=waiting"), http.StatusOK, "Nothing waiting")
	want(t, "disable", boss.Post(t, page+"/disable", nil), http.StatusSeeOther)
	want(t, "off", boss.Get(t, page), http.StatusOK, "Events are kept")
	want(t, "a made-up state", boss.Get(t, page+"?state=x"), http.StatusUnprocessableEntity)
}

// emit writes an event as a release would.
func emit(t *testing.T, site *apptest.Site, agentID, object string) {
	t.Helper()
	if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
		return site.Delivery.EnqueueTx(tx, agentID, "guidance.released", object, "d-"+object)
	}); err != nil {
		t.Fatal(err)
	}
}

func TestEventsPage(t *testing.T) {
	site := apptest.Open(t, func(c *config.Config) { c.WebhookAllow = []string{"127.0.0.1"} })
	boss := site.SignedIn(t, account.Admin)
	site.Token(t, account.Submit)
	agent, err := site.Accounts.AgentByName(t.Context(), "pension-advisor")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Delivery.Save(t.Context(), agent.ID, "http://127.0.0.1:9/", true, boss.Account.Actor(),
		""); err != nil {
		t.Fatal(err)
	}
	for range 101 {
		emit(t, site, agent.ID, "g")
	}
	seen, here := map[string]bool{}, "/admin/webhooks/"+agent.ID
	for n := 0; here != ""; n++ {
		r := boss.Get(t, here)
		for _, m := range regexp.MustCompile(`/admin/events/(msg_[0-9a-f]{32})"`).FindAllStringSubmatch(r.Body, -1) {
			seen[m[1]] = true
		}
		next := regexp.MustCompile(`href="(/admin/webhooks/[^"]*before=[^"]*)"`).FindStringSubmatch(r.Body)
		if here = ""; next != nil {
			here = strings.ReplaceAll(next[1], "&amp;", "&")
		}
		if n > 3 {
			t.Fatal("the pages have no end")
		}
	}
	if len(seen) != 101 {
		t.Errorf("the pages show %d events of 101", len(seen))
	}
}
