package page_test

import (
	"net/http"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// A form that Ann opened is not sent under Bo's name when he has signed in at her browser since: in another tab, they
// share the session.
func TestNobodySendsWhatSomebodyElseTyped(t *testing.T) {
	site := apptest.Open(t)
	ann, bo := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	approve := seen(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `form[action$="/approve"]`)
	form := with(seen(t, page(t, ann.Get(t, "/reviews/"+id+"?mode=revise"), http.StatusOK), "#decide"), "text",
		passing+" And more.",
		"reason", "It was short.", "feedback", "Say more, because less was said.", "reason_code", "wrong_facts")
	for _, path := range []string{"draft", "draft/discard", "check", "revise", "reject", "return", "skip"} {
		page(t, bo.Post(t, "/reviews/"+id+"/"+path, form), http.StatusForbidden)
	}
	page(t, bo.Post(t, "/reviews/"+id+"/approve", approve), http.StatusForbidden)
	in, err := site.Interactions.Get(t.Context(), id)
	if err != nil || in.Status != interaction.Waiting {
		t.Errorf("it is %s, %v", in.Status, err)
	}
	drafts, err := site.Reviews.Drafts(t.Context(), id, review.Person{ID: bo.Account.ID})
	if err != nil || len(drafts) != 0 {
		t.Errorf("drafts of Bo's: %v, %v", drafts, err)
	}

	if r := ann.Post(t, "/reviews/"+id+"/approve", approve); r.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %.600s", r.Status, r.Body)
	}
	undo := page(t, ann.Get(t, "/reviews/recent"), http.StatusOK).Find("#rail form").First()
	if as := undo.Find("input[name=as]").AttrOr("value", ""); as != ann.Account.ID {
		t.Errorf("the rail's form is %q's", as)
	}
	page(t, bo.Post(t, undo.AttrOr("action", ""), with(form, "mode", "stop")), http.StatusForbidden)
	if in, err = site.Interactions.Get(t.Context(), id); err != nil || in.Status != interaction.Held {
		t.Errorf("it is %s, %v", in.Status, err)
	}
}
