package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/pack"
)

// The page says whose questions practice asks before a run; customers of another trade are asked for knowingly, once.
func TestPracticeSaysWhoseQuestionsItAsks(t *testing.T) {
	s := apptest.Open(t)
	shop, err := s.Accounts.EnsureAgent(t.Context(), "Shop", pack.GeneralName)
	if err != nil {
		t.Fatal(err)
	}
	boss := s.SignedIn(t, account.Manager)
	doc := page(t, boss.Get(t, "/practice"), http.StatusOK)
	has(t, doc, "[data-trade]", "Shop: 34 virtual customers of an IT helpdesk, with 68 questions")
	has(t, doc, ".notice", "no customers of other trades")
	plan := url.Values{"agent": {shop.ID}, "customers": {"10"}, "split": {"1"}, "seed": {"1"}, "kind": {"train"}}
	has(t, page(t, boss.Post(t, "/practice", plan), http.StatusUnprocessableEntity), "#trade", "an IT helpdesk alone")
	plan.Set("trade", "on")
	begun := boss.Post(t, "/practice", plan)
	want(t, "said so", begun, http.StatusSeeOther)
	want(t, "the run", boss.Get(t, begun.Header.Get("Location")), http.StatusOK, "Virtual customers of an IT helpdesk")
	plan.Del("trade")
	want(t, "said before", boss.Post(t, "/practice", plan), http.StatusSeeOther)
	if r := boss.Get(t, "/practice"); strings.Contains(r.Body, "no customers of other trades") {
		t.Error("it asks again")
	}
}
