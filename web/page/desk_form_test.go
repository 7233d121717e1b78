package page_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// While a form is open, the tab key goes through it before it comes to the strip of the last decision; from a
// revision's text it goes to the reason.
func TestTheStripOfTheLastDecisionComesAfterAnOpenForm(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	first, plain, blocked := bring(t, site, passing, frailCustomer()), bring(t, site, passing, dcCustomer()),
		bring(t, site, failing, dcCustomer())
	follow(t, ann, "/reviews/"+first+"/approve",
		seen(t, page(t, ann.Get(t, "/reviews/"+first), http.StatusOK), `form[action$="/approve"]`))
	for at, from := range map[string]string{plain + "?mode=revise": "text", plain + "?mode=reject": "",
		plain + "?mode=skip": "reason", blocked + "?mode=overrule": "overrule_reason"} {
		doc := page(t, ann.Get(t, "/reviews/"+at), http.StatusOK)
		hasNot(t, doc, "[tabindex]:not([tabindex='0']):not([tabindex='-1'])")
		var stops []string
		doc.Find("main").Find("a[href], button, input:not([type=hidden]), select, textarea, summary").
			Each(func(_ int, s *goquery.Selection) {
				stop := s.AttrOr("id", "")
				if s.Closest("#rail").Length() > 0 {
					stop = "rail"
				}
				stops = append(stops, stop)
			})
		rail, send := slices.Index(stops, "rail"), slices.Index(stops, "send")
		if send < 0 || rail < send {
			t.Errorf("%s: Send is stop %d, the strip %d", at, send, rail)
		}
		if i := slices.Index(stops, from); from == "text" && (i < 0 || stops[i+1] != "reason") {
			t.Errorf("%s: after the text comes %q", at, stops[i+1])
		} else if from != "" && i < 0 {
			t.Errorf("%s has no field %s", at, from)
		}
	}
}

// Who counts as vulnerable by words is marked as whoever does by the profile, and why a review takes two approvals is
// said with them.
func TestAReviewSaysWhyItTakesTwo(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	bereaved := dcCustomer()
	bereaved.Question = "My wife died in May. Can I take my tax free cash?"
	doc := page(t, ann.Get(t, "/reviews/"+bring(t, site, passing, bereaved)), http.StatusOK)
	has(t, doc, ".care .badge", "Vulnerable customer")
	has(t, doc, "#why-two li", "Vulnerable customer My wife died (the question)")
	doc = page(t, ann.Get(t, "/reviews/"+bring(t, site, passing, frailCustomer())), http.StatusOK)
	has(t, doc, "#why-two li", "Vulnerable customer (the profile)")
	doc = page(t, ann.Get(t, "/reviews/"+bring(t, site, passing, dcCustomer())), http.StatusOK)
	hasNot(t, doc, "#why-two, .care .badge")
}
