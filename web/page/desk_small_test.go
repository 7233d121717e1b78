package page_test

import (
	"net/http"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/review"
)

// A revision without a text isn't called clean, and one with a place that nobody can fill in isn't sent.
func TestARevisionIsNeitherEmptyNorUnfinished(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	form := with(seen(t, show(t, ann, id, "?mode=revise"), "#decide"), "mode", "revise", "reason", "It is short.")
	for _, text := range []string{"", " \n "} {
		doc := page(t, ann.Post(t, "/reviews/"+id+"/check", with(form, "text", text)), http.StatusOK)
		has(t, doc, "#check .badge", "Not checked")
		hasNot(t, doc, `#check .badge:contains("No flags")`)
	}
	for left, text := range map[string]string{"{{ }}": passing + "\n\nWrite to {{ }}.",
		"{{your scheme.": passing + "\n\nAsk {{your scheme."} {
		doc := page(t, ann.Post(t, "/reviews/"+id+"/revise", with(form, "text", text)), http.StatusUnprocessableEntity)
		has(t, doc, "#text-error", "Fill in or remove “"+left+"”.")
	}
	if r := ann.Post(t, "/reviews/"+id+"/revise",
		with(form, "text", passing+" Write {{.Values.x}}.")); r.Status != http.StatusSeeOther {
		t.Errorf("what is no place holds it up: %d", r.Status)
	}
}

// Done says "you" of the viewer, first or second.
func TestDoneSaysYouFirstOrSecond(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, frailCustomer())
	decide(t, site, id, ann.Account, review.Input{Kind: review.Approve})
	decide(t, site, id, ben.Account, review.Input{Kind: review.Approve})
	has(t, page(t, ann.Get(t, "/reviews?state=done"), http.StatusOK), ".queue-row",
		"approved by you and "+ben.Account.Name)
	has(t, page(t, ben.Get(t, "/reviews?state=done"), http.StatusOK), ".queue-row",
		"approved by "+ann.Account.Name+" and you")
}
