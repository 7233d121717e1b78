package page_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// hidden are all hidden fields of a form.
func hidden(doc *goquery.Document, form string) url.Values {
	v := url.Values{}
	doc.Find(form + " input[type=hidden]").Each(func(_ int, s *goquery.Selection) {
		v.Set(s.AttrOr("name", ""), s.AttrOr("value", ""))
	})
	return v
}

// A session ends while somebody writes: they sign in, and find what they had written in its form. Nothing is decided.
func TestWhatWasTypedSurvivesTheEndOfTheSession(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	form := with(hidden(show(t, ann, id, "?mode=revise"), "#decide"), "text", "My words <b>\r\nand more", "reason",
		"my reason", "teach.0.kind", "other", "teach.0.on", "1", "teach.0.text", "my feedback")
	site.Clock.Advance(48 * time.Hour)

	doc := page(t, ann.Post(t, "/reviews/"+id+"/revise", form), http.StatusUnauthorized)
	has(t, doc, "#main", "Your session ended before this was sent")
	in := with(hidden(doc, `form[action="/sign-in"]`), "email", ann.Account.Email, "password", "wrong")
	doc = page(t, ann.Post(t, "/sign-in", in), http.StatusUnauthorized) // and still after a mistyped password
	in = with(hidden(doc, `form[action="/sign-in"]`), "email", ann.Account.Email, "password", apptest.Password)
	r := ann.Post(t, "/sign-in", in)
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/reviews/"+id+"?mode=revise" {
		t.Fatalf("sign in: %d to %q", r.Status, r.Header.Get("Location"))
	}
	doc = page(t, ann.Get(t, r.Header.Get("Location")), http.StatusOK)
	has(t, doc, "textarea[name=text]", "My words <b> and more")
	if got := doc.Find("#reason").AttrOr("value", ""); got != "my reason" {
		t.Errorf("the reason came back as %q", got)
	}
	has(t, doc, "#teach-rows", "my feedback")
	if item, err := site.Reviews.Get(t.Context(), id); err != nil || item.State != "waiting" {
		t.Errorf("the case is %s, %v", item.State, err)
	}
}

func TestWhatSomebodyElseTypedIsNotTakenOver(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.Account(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	form := with(hidden(show(t, ann, id, "?mode=skip"), "#decide"), "reason", "hers alone")
	site.Clock.Advance(48 * time.Hour)
	doc := page(t, ann.Post(t, "/reviews/"+id+"/skip", form), http.StatusUnauthorized)
	r := ann.Post(t, "/sign-in", with(hidden(doc, `form[action="/sign-in"]`), "email", ben.Email, "password",
		apptest.Password))
	if r.Header.Get("Location") != "/reviews" {
		t.Errorf("Ben is led to %q", r.Header.Get("Location"))
	}
	if list, err := site.Reviews.Drafts(t.Context(), id, person(ben)); err != nil || len(list) > 0 {
		t.Errorf("Ben has %+v, %v", list, err)
	}
	page(t, ann.Post(t, "/reviews/"+id+"/claim", nil), http.StatusSeeOther)
}
