package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// pressing is blocked by one check that people may overrule.
const pressing = passing + " The window closes on Friday and there won't be another, so get your signature to us " +
	"today. Most people who waited are kicking themselves."

func TestAFalseAlarmIsOverruledByTwo(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, pressing, dcCustomer())
	doc := page(t, ann.Get(t, "/reviews/"+id), http.StatusOK)
	has(t, doc, "#verdict", "Blocked: pressure")
	has(t, doc, "#verdict", "overrule the check with a second supervisor")
	if doc.Find(`#overrule[href="/reviews/`+id+`?mode=overrule"]`).Length() != 1 {
		t.Error("nothing leads to the form")
	}
	doc = page(t, ann.Get(t, "/reviews/"+id+"?mode=overrule"), http.StatusOK)
	has(t, doc, `label:has(#overrule-0[autofocus])`, "Pressure")
	hasNot(t, doc, "h1[autofocus], h2[autofocus]")
	has(t, doc, "#overrule-checks legend", "Select each check that is wrong")
	has(t, doc, `label[for=overrule_reason]`, "Why is it wrong?")
	has(t, doc, "#confirmation", "COBS 19.1.1BG")
	form := seen(t, doc, "#decide")
	post := func(who *apptest.Client, more ...string) apptest.Response {
		return who.Post(t, "/reviews/"+id+"/overrule", with(form, more...))
	}
	doc = page(t, post(ann), http.StatusUnprocessableEntity)
	for field, says := range map[string]string{"overrule-checks": "Select each check", "overrule_reason": "Say why"} {
		has(t, doc, "#"+field+"-error", says)
	}
	doc = page(t, post(ann, "overrule_reason", "It warns her of <pressure>."), http.StatusUnprocessableEntity)
	if got := doc.Find("#overrule_reason").Text(); strings.TrimPrefix(got, "\n") != "It warns her of <pressure>." {
		t.Errorf("the reason came back as %q", got)
	}
	hasNot(t, doc, "#overrule_reason-error")
	if doc.Find(`#overrule-0[aria-describedby="overrule-checks-error"]`).Length() != 1 {
		t.Error("the box isn't joined to what is wrong with it")
	}
	doc = page(t, ann.Get(t, "/reviews/"+id+"?mode=overrule"), http.StatusOK)
	has(t, doc, "#overrule_reason", "It warns her") // kept like every other form
	if r := post(ann, "overrule", "PRESSURE"); r.Status != http.StatusSeeOther {
		t.Fatalf("overrule: %d %.300s", r.Status, r.Body)
	}
	doc = page(t, ann.Get(t, "/reviews/"+id), http.StatusOK)
	has(t, doc, ".notices", "a check is overruled")
	hasNot(t, doc, `form[action$="/approve"]`)
	doc = page(t, ben.Get(t, "/reviews/"+id), http.StatusOK)
	has(t, doc, ".signed", "Overrules “Pressure”It warns her of <pressure>.")
	has(t, page(t, ben.Get(t, "/reviews"), http.StatusOK), ".q-why", "Overruled: pressure")
	if r := ben.Post(t, "/reviews/"+id+"/approve", seen(t, doc, `form[action$="/approve"]`)); r.Status !=
		http.StatusSeeOther {
		t.Fatalf("second: %d %.300s", r.Status, r.Body)
	}
	site.Clock.Advance(31 * time.Second)
	site.Drain(t)
	doc = page(t, ben.Get(t, "/reviews/"+id), http.StatusOK)
	has(t, doc, "#outcome", "Overruled: PressureIt warns her of <pressure>.")
	has(t, page(t, ann.Get(t, "/reviews?state=done"), http.StatusOK), ".q-why", "Overruled: pressure")
	has(t, page(t, ann.Get(t, "/reviews"), http.StatusOK), "#rail-list", "Overruled: pressure")
	other := bring(t, site, passing, dcCustomer())
	has(t, page(t, ann.Get(t, "/reviews/"+other+"/similar"), http.StatusOK), "#similar", "Overruled: pressure")
	checkSays(t, site, id)
}

// checkSays holds the check's page after one overruling, and from three in ten on.
func checkSays(t *testing.T, site *apptest.Site, id string) {
	t.Helper()
	eva, sue, mo := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Supervisor),
		site.SignedIn(t, account.Manager)
	at := "section[aria-labelledby=overruled]"
	doc := page(t, eva.Get(t, "/compliance/checks/PRESSURE"), http.StatusOK)
	has(t, doc, at, "Two people overruled it in 1 of 1 decided draft")
	has(t, doc, at, "It warns her of <pressure>.")
	hasNot(t, doc, at+" .notice")
	hasNot(t, doc, at+" a[href^='/reviews/']") // experts can't open reviews
	if page(t, sue.Get(t, "/compliance/checks/PRESSURE"),
		http.StatusOK).Find(at+` a[href="/reviews/`+id+`"]`).Length() != 1 {
		t.Error("a supervisor is led nowhere")
	}
	if strings.Contains(words(page(t, mo.Get(t, "/compliance/checks/PRESSURE"), http.StatusOK), at), "warns her") {
		t.Error("a manager reads why")
	}
	hasNot(t, page(t, eva.Get(t, "/compliance/checks"), http.StatusOK), "#checks > .notice")
	first, second := site.Account(t, account.Supervisor), site.Account(t, account.Supervisor)
	for i := range 9 {
		c := dcCustomer()
		c.Question += fmt.Sprint(" ", i)
		one := bring(t, site, pressing, c)
		if i >= 2 {
			decide(t, site, one, first, review.Input{Kind: review.Reject, ReasonCode: "wrong_facts"})
			continue
		}
		decide(t, site, one, first, review.Input{Kind: review.Approve,
			Overrule: []review.Overruling{{Code: "PRESSURE", Reason: "No pressure."}}})
		decide(t, site, one, second, review.Input{Kind: review.Approve})
	}
	site.Clock.Advance(31 * time.Second)
	site.Drain(t)
	eva = site.Enter(t, eva.Account)
	has(t, page(t, eva.Get(t, "/compliance/checks/PRESSURE"), http.StatusOK), at+" .notice",
		"People disagreed in 3 of 10: review it")
	has(t, page(t, eva.Get(t, "/compliance/checks"), http.StatusOK), "#checks > .notice",
		"Pressure: People disagreed in 3 of 10")
}

func TestWhatTheLawAsksForIsNotOverruled(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, failing, dbCustomer())
	doc := page(t, ann.Get(t, "/reviews/"+id), http.StatusOK)
	has(t, doc, "#verdict", "can't be approved or overruled")
	hasNot(t, doc, "#overrule")
	hasNot(t, page(t, ann.Get(t, "/reviews/"+id+"?mode=overrule"), http.StatusOK), `form[action$="/overrule"]`)
	item, err := site.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	form := with(seen(t, page(t, ann.Get(t, "/reviews/"+id+"?mode=revise"), http.StatusOK), "#decide"),
		"overrule_reason", "Never mind.")
	for _, code := range item.Assessment.Stopping() {
		form.Add("overrule", code)
	}
	has(t, page(t, ann.Post(t, "/reviews/"+id+"/overrule", form), http.StatusUnprocessableEntity), ".notices",
		"can't be overruled")
}

func TestARevisionOverrulesWhatStillBlocksIt(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	id := bring(t, site, pressing, dcCustomer())
	doc := page(t, ann.Get(t, "/reviews/"+id+"?mode=revise"), http.StatusOK)
	form := with(seen(t, doc, "#decide"), "text", pressing+" Act now: this offer ends on Friday.", "reason",
		"Say who sets the date.",
		"when.90.kind", "scope", "when.90.value", "universal", "when.90.on", "1")
	doc = page(t, ann.Post(t, "/reviews/"+id+"/revise", form), http.StatusUnprocessableEntity)
	has(t, doc, "#check details", "Overrule the check")
	doc = page(t, ann.Post(t, "/reviews/"+id+"/revise", with(form, "overrule", "PRESSURE")),
		http.StatusUnprocessableEntity)
	has(t, doc, "#check details[open] #overrule_reason-error", "Say why")
	if doc.Find("#overrule-0[checked]").Length() != 1 {
		t.Error("what was ticked is gone")
	}
	if r := ann.Post(t, "/reviews/"+id+"/revise",
		with(form, "overrule_reason", "The scheme sets the date.")); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	if item, err := site.Reviews.Get(t.Context(), id); err != nil || item.Base == nil ||
		len(item.Base.Overrulings) != 1 || item.Interaction.Status != interaction.Waiting {
		t.Errorf("%+v, %v", item, err)
	}
}
