package page_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/compliance/borderline"
)

// The review policy says what share of drafts experts can take; what is wrong stays in the form.
func TestTheExpertsShareIsPolicy(t *testing.T) {
	site := split(t)
	ann, ben := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Admin)
	doc := page(t, ann.Get(t, "/admin/policies/propose"), http.StatusOK)
	form := filled(t, doc, `form[action="/admin/policies"]`)
	if form.Get("expert_share") != "10" {
		t.Fatalf("the form holds %v", form)
	}
	form = with(form, "why", "They have no time.", "act", "propose")
	for typed, says := range map[string]string{"120": "from 0 to 100", "-1": "from 0 to 100", "a tenth": "number"} {
		doc := page(t, ann.Post(t, "/admin/policies", with(maps.Clone(form), "expert_share", typed)),
			http.StatusUnprocessableEntity)
		has(t, doc, "#expert_share-error", says)
		if got := doc.Find("#expert_share").AttrOr("value", ""); got != typed {
			t.Errorf("%q was typed and %q is there", typed, got)
		}
	}
	r := ann.Post(t, "/admin/policies", with(form, "expert_share", "0"))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("propose: %d %.300s", r.Status, r.Body)
	}
	to := r.Header.Get("Location")
	has(t, page(t, ben.Get(t, to), http.StatusOK), "main", "Drafts that experts can take: 0% instead of 10%.")
	if r := ben.Post(t, "/approvals/"+waits(t, site)+"/agree", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("agree: %d", r.Status)
	}
	doc = page(t, ann.Get(t, "/admin/policies"), http.StatusOK)
	has(t, doc, "main", "Experts get only what a supervisor sends them")
	has(t, doc, "main", "We can't estimate how many faulty drafts get through")
	id := bring(t, site, steering, dcCustomer())
	if cases, _, err := site.Borderline.ForInteraction(t.Context(), id); err != nil || len(cases) != 0 {
		t.Errorf("%d cases, %v", len(cases), err)
	}
}

// The review policy says when a borderline case is overdue, of those that wait, too, and every page goes by it.
func TestWhenACaseIsOverdueIsPolicy(t *testing.T) {
	site := split(t)
	unsettled(t, site)
	site.Clock.Advance(3 * time.Hour)
	ann, ben, eva := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Admin), site.SignedIn(t, account.Expert)
	form := with(filled(t, page(t, ann.Get(t, "/admin/policies/propose"), http.StatusOK),
		`form[action="/admin/policies"]`), "why", "They wait.", "act", "propose")
	if got := form.Get("expert_late"); got != "24" {
		t.Fatalf("the form says %q hours", got)
	}
	for typed, says := range map[string]string{"0": "at least 5 minutes", "400": "at most 14 days", "soon": "number"} {
		doc := page(t, ann.Post(t, "/admin/policies", with(maps.Clone(form), "expert_late", typed)),
			http.StatusUnprocessableEntity)
		has(t, doc, "#expert_late-error", says)
	}
	doc := page(t, ann.Post(t, "/admin/policies", with(maps.Clone(form), "soon", "500", "late", "99999999")),
		http.StatusUnprocessableEntity)
	for _, field := range []string{"soon", "late"} {
		has(t, doc, "#"+field+"-error", "at most 14 days, which is 336 hours")
	}
	if got := doc.Find("#soon").AttrOr("value", ""); got != "500" {
		t.Errorf("what was typed became %q", got)
	}
	has(t, page(t, eva.Get(t, "/compliance"), http.StatusOK), "#budget", "Target 24 hours")
	if got := page(t, eva.Get(t, "/compliance"), http.StatusOK).Find(".page-head .soft").Text(); strings.Contains(got,
		"overdue") {
		t.Errorf("it says %q", got)
	}
	r := ann.Post(t, "/admin/policies", with(form, "expert_late", "2"))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("propose: %d %.300s", r.Status, r.Body)
	}
	to := r.Header.Get("Location")
	has(t, page(t, ben.Get(t, to), http.StatusOK), "main",
		"Age at which a borderline case is overdue: 2 hours instead of 24 hours.")
	if r := ben.Post(t, "/approvals/"+waits(t, site)+"/agree", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("agree: %d", r.Status)
	}
	has(t, page(t, ann.Get(t, "/admin/policies"), http.StatusOK), ".facts", "overdue after 2 hours")
	doc = page(t, eva.Get(t, "/compliance"), http.StatusOK)
	has(t, doc, "#budget", "Target 2 hours")
	has(t, doc, ".page-head .soft", "1 overdue")
	has(t, page(t, eva.Get(t, "/todo"), http.StatusOK), "main", "1 overdue case")
}

// The review policy says how many experts are asked, and two administrators agree on it.
func TestHowManyExpertsAreAskedIsPolicy(t *testing.T) {
	site := split(t)
	ann, ben := site.SignedIn(t, account.Admin), site.SignedIn(t, account.Admin)
	doc := page(t, ann.Get(t, "/admin/policies/propose"), http.StatusOK)
	form := filled(t, doc, `form[action="/admin/policies"]`)
	if form.Get("experts") != "1" || form.Get("experts_hard") != "2" || form.Get("experts_most") != "3" {
		t.Fatalf("the form holds %v", form)
	}
	form = with(form, "why", "Two see more than one.", "act", "propose")
	r := ann.Post(t, "/admin/policies", with(maps.Clone(form), "experts_most", "1"))
	has(t, page(t, r, http.StatusUnprocessableEntity), "#experts_most-error", "at least as many")
	r = ann.Post(t, "/admin/policies", with(form, "experts", "2", "experts_most", "4", "expert_share", "100"))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("propose: %d %.300s", r.Status, r.Body)
	}
	_, before := unsettled(t, site)
	to := r.Header.Get("Location")
	has(t, page(t, ben.Get(t, to), http.StatusOK), "main", "Experts asked about a borderline case: 2 instead of 1.")
	if r := ben.Post(t, "/approvals/"+waits(t, site)+"/agree", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("agree: %d", r.Status)
	}
	has(t, page(t, ann.Get(t, "/admin/policies"), http.StatusOK), ".facts", "2 experts at first")
	_, after := unsettled(t, site)
	for caseID, wanted := range map[string]int{before: 1, after: 2} {
		c, err := site.Borderline.Get(t.Context(), caseID,
			borderline.Viewer{Person: borderline.Person{ID: "x"}, Expert: true})
		if err != nil || c.Wanted != wanted {
			t.Errorf("%d are asked, want %d: %v", c.Wanted, wanted, err)
		}
	}
}
