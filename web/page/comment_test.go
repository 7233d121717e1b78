package page_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
)

// named adds a supervisor of this name and opens their browser.
func named(t *testing.T, site *apptest.Site, name, email string, roles ...account.Role) *apptest.Client {
	t.Helper()
	a, err := site.Accounts.Add(t.Context(),
		account.NewAccount{Email: email, Name: name, Password: apptest.Password, Roles: roles}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	return site.Enter(t, a)
}

// post sends the comment form of a case as a browser without a script does.
func post(t *testing.T, c *apptest.Client, caseID, text string) string {
	t.Helper()
	doc := page(t, c.Get(t, "/reviews/"+caseID), http.StatusOK)
	key := doc.Find("#comment-form input[name=form_key]").AttrOr("value", "")
	if key == "" {
		t.Fatal("the form has no key")
	}
	r := c.Post(t, doc.Find("#comment-form").AttrOr("action", ""), url.Values{"text": {text}, "form_key": {key}})
	if r.Status != http.StatusSeeOther {
		t.Fatalf("post: %d %.300s", r.Status, r.Body)
	}
	_, id, ok := strings.Cut(r.Header.Get("Location"), "/reviews/"+caseID+"#comment-")
	if !ok {
		t.Fatalf("it leads to %q", r.Header.Get("Location"))
	}
	return id
}

// Comments other reviewers see, listed, each linking to its item (doccano #2169, #1525).
func TestPeerRequest17_CommentsAreSeenListedAndLinkToTheirCase(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := named(t, site, "Ann Archer", "ann@example.org", account.Supervisor),
		named(t, site, "Ben Carter", "ben@example.org", account.Supervisor)
	caseID := bring(t, site, passing, dcCustomer())
	id := post(t, ann, caseID, "The figure is last year's.\n@Ben Carter, see /reviews/"+caseID+" please.")

	doc := page(t, ben.Get(t, "/reviews/"+caseID), http.StatusOK)
	has(t, doc, "#comment-"+id, "Ann Archer")
	has(t, doc, "#comment-"+id+" .comment-text", "The figure is last year's. @Ben Carter, see")
	has(t, doc, "#comment-"+id+" b.mention.me", "@Ben Carter")
	if href := doc.Find("#comment-"+id+" .comment-text a").AttrOr("href", ""); href != "/reviews/"+caseID {
		t.Errorf("the case in the text links to %q", href)
	}
	hasNot(t, doc, "#comment-"+id+" form") // nobody else withdraws it
	has(t, doc, "#comment-list [role=status]", "1 comment")

	// Listed: all, those that mention me, mine; each links back.
	for path, n := range map[string]int{"/comments": 1, "/comments?view=mentions": 1, "/comments?view=mine": 0,
		"/comments?by=" + ann.Account.ID: 1, "/comments?by=" + ben.Account.ID: 0, "/comments?case=" + caseID: 1} {
		list := page(t, ben.Get(t, path), http.StatusOK)
		if got := list.Find(".comment-list > li").Length(); got != n {
			t.Errorf("%s lists %d, want %d", path, got, n)
		}
		if n == 1 && list.Find(`.comment-head a[href="/reviews/`+caseID+`#comment-`+id+`"]`).Length() != 1 {
			t.Errorf("%s does not link back", path)
		}
		if n == 0 {
			hasNot(t, list, ".comment-list")
			if list.Find(".empty").Length() != 1 {
				t.Errorf("%s: an empty list says nothing", path)
			}
		}
	}
	one := page(t, ben.Get(t, "/comments/"+id), http.StatusOK)
	has(t, one, "h1", "Comment by Ann Archer")
	if href := one.Find(".eyebrow a").AttrOr("href", ""); href != "/reviews/"+caseID+"#comment-"+id {
		t.Errorf("its own page leads to %q", href)
	}

	// Who is meant is told: the bell, the inbox, and the way there.
	has(t, doc, "#bell", "Inbox 1 unread")
	inbox := page(t, ben.Get(t, "/inbox"), http.StatusOK)
	has(t, inbox, ".notice-row.unread a", "Unread: Ann Archer mentioned you in a comment: Tax-free cash")
	if href := inbox.Find(".notice-row a").AttrOr("href", ""); href != "/reviews/"+caseID+"#comment-"+id {
		t.Errorf("the notice leads to %q", href)
	}
	read := inbox.Find(".notice-row form").AttrOr("action", "")
	if r := ben.Post(t, read, nil); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/inbox" {
		t.Fatalf("mark as read: %d %s", r.Status, r.Header.Get("Location"))
	}
	has(t, page(t, ben.Get(t, "/inbox"), http.StatusOK), ".empty", "You have read everything")
	if n := page(t, ben.Get(t, "/inbox?all=1"), http.StatusOK).Find(".notice-row:not(.unread)").Length(); n != 1 {
		t.Errorf("%d read notices", n)
	}
}

// A comment is about a case in any state, and its agent never sees one.
func TestCommentsAfterTheDecision(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	caseID := bring(t, site, passing, dcCustomer())
	doc := page(t, ann.Get(t, "/reviews/"+caseID), http.StatusOK)
	form := seen(t, doc, `form[action^="/reviews/`+caseID+`/approve"]`)
	if r := ann.Post(t, "/reviews/"+caseID+"/approve", form); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d", r.Status)
	}
	post(t, ann, caseID, "Worth keeping as an example.")
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	post(t, ann, caseID, "Delivered now.")
	has(t, page(t, ann.Get(t, "/reviews/"+caseID), http.StatusOK), "#comment-list", "Delivered now.")

	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit))
	if r := agent.Get(t, "/api/guidance/"+caseID); r.Status != http.StatusOK || strings.Contains(r.Body, "example.") ||
		strings.Contains(r.Body, "comment") {
		t.Errorf("the agent gets %d %s", r.Status, r.Body)
	}
}

func TestAnUnclearMentionKeepsTheTextAndAsks(t *testing.T) {
	site := apptest.Open(t)
	ann := named(t, site, "Ann Archer", "ann@example.org", account.Supervisor)
	ben, _ := named(t, site, "Ben Carter", "ben@example.org", account.Supervisor),
		named(t, site, "Bea Carter", "bea@example.org", account.Supervisor)
	named(t, site, "Edie Expert", "edie@example.org", account.Expert)
	caseID := bring(t, site, passing, dcCustomer())
	form := url.Values{"text": {"@Carter and @Edie: who knows?"}, "form_key": {"k1"}}
	for name, r := range map[string]apptest.Response{
		"without a script": ann.Post(t, "/reviews/"+caseID+"/comments", form),
		"with one": ann.Do(t, http.MethodPost, "/reviews/"+caseID+"/comments", "application/x-www-form-urlencoded",
			form.Encode(),
			"Sec-Fetch-Site", "same-origin", "HX-Request", "true"),
	} {
		doc := page(t, r, http.StatusUnprocessableEntity)
		if got := strings.TrimPrefix(doc.Find("textarea[name=text]").Text(), "\n"); got != form.Get("text") {
			t.Errorf("%s: the text came back as %q", name, got)
		}
		has(t, doc, ".notice", "Choose who you mean")
		has(t, doc, "fieldset", "Who is @Carter?")
		has(t, doc, "fieldset", "Nobody who can see reviews is called “Edie”")
		if n := doc.Find(`input[type=radio][name="meant:carter"]`).Length(); n != 3 {
			t.Errorf("%s: %d choices for Carter, want both and nobody", name, n)
		}
		if doc.Find("input[autofocus]").Length() != 1 {
			t.Errorf("%s: the focus is on %d choices", name, doc.Find("input[autofocus]").Length())
		}
	}
	form.Set("meant:carter", ben.Account.ID)
	form.Set("meant:edie", comment.Nobody)
	if r := ann.Post(t, "/reviews/"+caseID+"/comments", form); r.Status != http.StatusSeeOther {
		t.Fatalf("answered: %d %.300s", r.Status, r.Body)
	}
	has(t, page(t, ben.Get(t, "/inbox"), http.StatusOK), ".notice-row", "Ann Archer mentioned you")

	// The same form again, as after a lost answer, adds nothing.
	if r := ann.Post(t, "/reviews/"+caseID+"/comments", form); r.Status != http.StatusSeeOther {
		t.Fatalf("again: %d", r.Status)
	}
	if n := page(t, ann.Get(t, "/reviews/"+caseID), http.StatusOK).Find(".comment").Length(); n != 1 {
		t.Errorf("%d comments", n)
	}
}

func TestPostingWithAScriptSwapsTheCommentsAlone(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	caseID := bring(t, site, passing, dcCustomer())
	htmx := func(path string, form url.Values) apptest.Response {
		return ann.Do(t, http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode(), "Sec-Fetch-Site",
			"same-origin", "HX-Request", "true")
	}
	doc := page(t, htmx("/reviews/"+caseID+"/comments", url.Values{"text": {"Hello"}, "form_key": {"k1"}}),
		http.StatusOK)
	hasNot(t, doc, "main")
	if doc.Find("#comments .comment[autofocus]").Length() != 1 {
		t.Error("the new comment has no focus")
	}
	if key := doc.Find("input[name=form_key]").AttrOr("value", ""); key == "" || key == "k1" {
		t.Errorf("the next form has the key %q", key)
	}
	id := strings.TrimPrefix(doc.Find(".comment").AttrOr("id", ""), "comment-")
	doc = page(t, htmx("/comments/"+id+"/withdraw", nil), http.StatusOK)
	has(t, doc, "#comments .comment", "Deleted by its author")
	has(t, doc, "#comments details", "Hello") // kept for the record
	hasNot(t, doc, ".comment form")
}

func TestChangingACommentOnItsPage(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := named(t, site, "Ann Archer", "ann@example.org", account.Supervisor),
		named(t, site, "Ben Carter", "ben@example.org", account.Supervisor)
	caseID := bring(t, site, passing, dcCustomer())
	id := post(t, ann, caseID, "See @Ben Carter.")
	hasNot(t, page(t, ben.Get(t, "/comments/"+id+"?change=1"), http.StatusOK), "textarea")
	doc := page(t, ann.Get(t, "/comments/"+id+"?change=1"), http.StatusOK)
	form := url.Values{"version": {doc.Find("input[name=version]").AttrOr("value", "")}, "text": {"See @Nobody there."}}
	doc = page(t, ann.Post(t, "/comments/"+id, form), http.StatusUnprocessableEntity)
	has(t, doc, "textarea", "See @Nobody there.")
	form.Set("text", "See @Ben Carter again.")
	if r := ann.Post(t, "/comments/"+id, form); r.Status != http.StatusSeeOther ||
		r.Header.Get("Location") != "/reviews/"+caseID+"#comment-"+id {
		t.Fatalf("change: %d %s", r.Status, r.Header.Get("Location"))
	}
	doc = page(t, ben.Get(t, "/reviews/"+caseID), http.StatusOK)
	has(t, doc, "#comment-"+id, "edited")
	has(t, doc, "#comment-"+id+" details", "See @Ben Carter.")

	form.Set("text", "Stale words")
	doc = page(t, ann.Post(t, "/comments/"+id, form), http.StatusConflict)
	has(t, doc, ".notice", "changed since")
	has(t, doc, ".notice", "Stale words") // not lost
	if r := ben.Post(t, "/comments/"+id, form); r.Status != http.StatusForbidden {
		t.Errorf("another's: %d", r.Status)
	}
	if r := ben.Post(t, "/comments/"+id+"/withdraw", nil); r.Status != http.StatusForbidden {
		t.Errorf("another's: %d", r.Status)
	}
	site.Clock.Advance(16 * time.Minute)
	hasNot(t, page(t, ann.Get(t, "/comments/"+id+"?change=1"), http.StatusOK), "textarea")
	if r := ann.Post(t, "/comments/"+id+"/withdraw", nil); r.Status != http.StatusSeeOther {
		t.Errorf("withdraw: %d", r.Status)
	}
}

// What people call themselves and write is text, everywhere, and none of it reaches the log.
func TestHostileCommentsAreText(t *testing.T) {
	var logged bytes.Buffer
	site := apptest.OpenLogged(t, slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	const payload = `"><script>alert(1)</script><img src=x onerror=alert(2)>`
	eve := named(t, site, payload, "eve@example.org", account.Supervisor)
	ben := named(t, site, "Ben Carter", "ben@example.org", account.Supervisor)
	caseID := bring(t, site, passing, dcCustomer())
	id := post(t, eve, caseID, payload+" @Ben Carter javascript:alert(3) https://evil.example/"+payload+
		" //evil.example http://"+strings.TrimPrefix(site.URL, "http://")+"@evil.example/ @"+payload)
	for _, path := range []string{"/reviews/" + caseID, "/comments", "/comments/" + id, "/inbox", "/comments/people",
		"/progress"} {
		doc := page(t, ben.Get(t, path), http.StatusOK)
		hasNot(t, doc, "script:not([src])")
		hasNot(t, doc, "img[src=x]")
		hasNot(t, doc, ".comment-text a")
	}
	if strings.Contains(logged.String(), "alert") || strings.Contains(logged.String(), "evil") {
		t.Errorf("the log holds what was written: %s", logged.String())
	}
}

func TestOnlyThoseWhoSeeCasesReadComments(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	caseID := bring(t, site, passing, dcCustomer())
	id := post(t, ann, caseID, "Among us.")
	for _, role := range []account.Role{account.Expert, account.Manager, account.Admin} {
		c := site.SignedIn(t, role)
		for _, path := range []string{"/comments", "/comments/" + id, "/reviews/" + caseID + "/comments",
			"/comments/people"} {
			if r := c.Get(t, path); r.Status != http.StatusForbidden || strings.Contains(r.Body, "Among us") {
				t.Errorf("%s gets %s: %d", role, path, r.Status)
			}
		}
	}
	for _, path := range []string{"/comments/01900000-0000-7000-8000-000000000000",
		"/reviews/01900000-0000-7000-8000-000000000000/comments"} {
		if r := ann.Get(t, path); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	if r := ann.Post(t, "/reviews/01900000-0000-7000-8000-000000000000/comments",
		url.Values{"text": {"x"}}); r.Status != http.StatusNotFound {
		t.Errorf("on no case: %d", r.Status)
	}
}
