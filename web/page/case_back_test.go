package page_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/interaction"
)

// What was sent back carries its note, comes back as a new version, and the two lead to each other.
func TestPeerRequest6_SentBackWithANoteAndFollowed(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	token := site.Nobody(t)
	token.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	body := func(text, revises string) string {
		return `{"agent":"pension-advisor","consultation":{"question":"How much can I take without tax?"},"guidance":` +
			strconv.Quote(text) + revises + `}`
	}
	submit := func(body string) string {
		t.Helper()
		r := token.JSON(t, http.MethodPost, "/api/guidance", body)
		if r.Status/100 != 2 {
			t.Fatalf("submit: %d %s", r.Status, r.Body)
		}
		_, rest, _ := strings.Cut(r.Body, `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		return id
	}
	old := submit(body(passing, ""))
	form := seen(t, show(t, ann, old, "?mode=return"), "#decide")
	doc := page(t, ann.Post(t, "/reviews/"+old+"/return", form), http.StatusUnprocessableEntity)
	if doc.Find("#reason-error").Length() == 0 {
		t.Error("a note is required, and nothing says so")
	}
	if r := ann.Post(t, "/reviews/"+old+"/return",
		with(form, "reason", "Say what the lump sum allowance is.")); r.Status != http.StatusSeeOther {
		t.Fatalf("send back: %d %.300s", r.Status, r.Body)
	}
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	doc = show(t, ann, old, "")
	has(t, doc, ".outcome", "sent it back")
	has(t, doc, ".outcome", "Say what the lump sum allowance is.")
	has(t, doc, ".outcome", "back with the agent")
	site.Clock.Advance(3 * time.Hour)
	ann = site.SignedIn(t, account.Supervisor) // the session of the first is over
	newer := submit(body(passing+" The lump sum allowance is £268,275.", `,"revises":"`+old+`"`))
	has(t, show(t, ann, old, ""), `.notices a[href="/reviews/`+newer+`"]`, "Open the new version")
	doc = show(t, ann, newer, "")
	has(t, doc, ".notices", "Say what the lump sum allowance is.")
	has(t, doc, `.notices a[href="/reviews/`+old+`"]`, "Open the previous version")
	has(t, doc, ".case-meta", "waiting 3 h") // since the question, and not since the new version
	if r := approve(t, ann, newer); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d", r.Status)
	}
	site.Clock.Advance(time.Hour)
	site.Drain(t)
	ann = site.SignedIn(t, account.Supervisor)
	if r := ann.Post(t, show(t, ann, newer, "?mode=recall").Find("#decide").AttrOr("action", ""),
		url.Values{"reason": {"It was wrong."}, "as": {ann.Account.ID}}); r.Status != http.StatusSeeOther {
		t.Fatalf("recall: %d %.300s", r.Status, r.Body)
	}
	has(t, show(t, ann, newer, ""), ".case-meta", "waiting 4 h")
}

// What its author can't act on is not sent back: the page doesn't offer it, the server refuses it, and what was typed
// stays.
func TestADraftOfTheEmbeddedAdvisorIsNotSentBack(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	agent, err := site.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	id, err := site.Interactions.Advise(t.Context(), dcCustomer(), agent.ID, agent.Name, interaction.OriginAsk,
		ann.Account.Actor(), nil)
	if err != nil {
		t.Fatal(err)
	}
	site.Drain(t)
	doc := show(t, ann, id, "?mode=reject")
	hasNot(t, doc, `[href$="mode=return"]`)
	hasNot(t, show(t, ann, id, "?mode=return"), "#decide")
	form := with(seen(t, doc, "#decide"), "reason", "Say what the lump sum allowance is.")
	doc = page(t, ann.Post(t, "/reviews/"+id+"/return", form), http.StatusUnprocessableEntity)
	has(t, doc, ".notices", "can't act on notes")
	hasNot(t, doc, `[href$="mode=return"]`)
	has(t, doc, "#main", "Say what the lump sum allowance is.")
	// an agent of its own can
	has(t, show(t, ann, bring(t, site, passing, dcCustomer()), "?mode=reject"), `[href$="mode=return"]`,
		"Back to the agent")
}
