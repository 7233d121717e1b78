package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// Who did not sign a seeded check never learns that a case was one, nor what was wrong with it: once it is closed the
// case is gone for them. Until then it is there like any other. Its author and those who keep the library see it.
func TestAClosedPlantedCaseIsForThoseWhoSigned(t *testing.T) {
	s := apptest.Open(t)
	onlyDraft(t, s, "b01")
	sam, bea := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Supervisor)
	morag, both := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Supervisor, account.Manager)
	real := realCase(t, s, s.Token(t, account.Submit))
	fake, err := s.Planted.Plant(t.Context(), real)
	if err != nil {
		t.Fatal(err)
	}
	item, err := s.Reviews.Get(t.Context(), fake)
	if err != nil {
		t.Fatal(err)
	}
	word := strings.Fields(item.Opening)
	search := "/search?q=" + url.QueryEscape(strings.Trim(strings.Join(word[:min(3, len(word))], " "), "?.,"))
	if res := bea.Post(t, "/reviews/"+fake+"/comments",
		url.Values{"text": {"Look at the share."},
			"form_key": {"0190a000-0000-7000-8000-000000000001"}}); res.Status != http.StatusSeeOther {
		t.Fatalf("comment: %d %.300s", res.Status, res.Body)
	}
	comments := func(c *apptest.Client) bool {
		return strings.Contains(c.Get(t, "/comments").Body, "Look at the share.")
	}
	res := sam.Post(t, "/reviews/"+fake+"/approve",
		url.Values{"version": {fmt.Sprint(item.Version)}, "text_hash": {item.TextHash}, "seconds": {"4"},
			"as": {sam.Account.ID}})
	if res.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %.300s", res.Status, res.Body)
	}
	decideReal(t, s, sam.Account, real)
	lists := []string{"/reviews?state=done", "/reviews?state=done&reviewer=" + sam.Account.ID, search}
	for _, path := range lists {
		if !strings.Contains(bea.Get(t, path).Body, fake) {
			t.Errorf("%s lacks it during the hold, which tells what it is", path)
		}
	}
	if bea.Get(t, "/reviews/"+fake).Status != http.StatusOK || !comments(bea) {
		t.Error("it is hidden during the hold, which tells what it is")
	}
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	for _, path := range lists {
		body := bea.Get(t, path).Body
		if strings.Contains(body, fake) || strings.Contains(body, "a seeded check") ||
			path != search && !strings.Contains(body, real) {
			t.Errorf("%s shows it, or lacks the real one", path)
		}
		if !strings.Contains(sam.Get(t, path).Body, fake) || !strings.Contains(both.Get(t, path).Body, fake) {
			t.Errorf("%s lacks it for its author, or for a manager who supervises", path)
		}
	}
	if !strings.Contains(morag.Get(t, "/reviews?state=done").Body, "a seeded check") {
		t.Error("a manager does not see what it was")
	}
	for _, tail := range []string{"", "?mode=revise", "/similar", "/claim", "/check", "/comments"} {
		if got, want := bea.Get(t, "/reviews/"+fake+tail),
			bea.Get(t, "/reviews/nope"); got.Status != http.StatusNotFound || want.Status != http.StatusNotFound {
			t.Errorf("%q: %d, and %d where there is none", tail, got.Status, want.Status)
		}
	}
	if body := bea.Get(t, "/reviews/"+real+"?state=done").Body; strings.Contains(body, fake) {
		t.Error("it is a neighbour")
	}
	if to := bea.Get(t, "/search?q="+fake); to.Status != http.StatusOK ||
		strings.Contains(to.Body, `href="/reviews/`+fake) {
		t.Errorf("its id is found: %d", to.Status)
	}
	if comments(bea) || !comments(sam) {
		t.Error("a comment on it leads to it, or is not there for its author")
	}
	for name, c := range map[string]*apptest.Client{"its author": sam, "a manager who supervises": both} {
		if !strings.Contains(c.Get(t, "/reviews/"+fake).Body, "It was missed") {
			t.Errorf("%s does not see what became of it", name)
		}
	}
}
