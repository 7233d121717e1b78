package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/review"
)

// The second supervisor's undo leaves the first one's overrule; the first one's gives back what they ticked and typed.
func TestUndoGivesBackNoMoreThanItTook(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, pressing, dcCustomer())
	const why = "The scheme sets the date."
	decide(t, site, id, ann.Account, review.Input{Kind: review.Approve,
		Overrule: []review.Overruling{{Code: "PRESSURE", Reason: why}}})
	d := decide(t, site, id, ben.Account, review.Input{Kind: review.Approve})
	undo := func(c *apptest.Client, decision string) string {
		t.Helper()
		r := c.Post(t, "/decisions/"+decision+"/undo", url.Values{"as": {c.Account.ID}})
		if r.Status != http.StatusSeeOther {
			t.Fatalf("undo: %d %.300s", r.Status, r.Body)
		}
		return r.Header.Get("Location")
	}
	doc := page(t, ben.Get(t, undo(ben, d.ID)), http.StatusOK)
	has(t, doc, "#notice", "Undone. It still has "+ann.Account.Name+"'s approval and needs a second one.")
	has(t, doc, ".signed", why)
	hasNot(t, doc, `.rail-state:contains("stopped by")`) // they undid it themselves
	if doc.Find(`form[action$="/approve"]`).Length() != 1 {
		t.Error("Ben can't confirm it again")
	}
	item, err := site.Reviews.Get(t.Context(), id)
	if err != nil || item.First.ID != ann.Account.ID || item.Base == nil || len(item.Base.Overrulings) != 1 {
		t.Fatalf("%+v, %v", item, err)
	}
	ben.Post(t, "/reviews/"+id+"/unclaim", nil)
	to := undo(ann, item.BaseID)
	if !strings.Contains(to, "mode=overrule") {
		t.Errorf("Ann is led to %s", to)
	}
	doc = page(t, ann.Get(t, "/reviews/"+id+"?mode=overrule"), http.StatusOK)
	has(t, doc, "#overrule_reason", why)
	if doc.Find("#overrule-0[checked]").Length() != 1 {
		t.Error("what was ticked is gone")
	}
}

// The locked button says what locks it, and nobody is told to ask the experts who have it.
func TestTheLockedButtonSaysWhy(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	has(t, show(t, ann, bring(t, site, pressing, dcCustomer()), ""), "#why-not",
		"Blocked: pressure: it can't be approved as it is.")
	has(t, show(t, ann, bring(t, site, failing, dbCustomer()), ""), "#why-not", "Blocked: ")
	site = split(t)
	ann = site.SignedIn(t, account.Supervisor)
	id, _ := unsettled(t, site)
	doc := show(t, ann, id, "")
	has(t, doc, ".notices", "With the compliance experts")
	hasNot(t, doc, `#why-not:contains("couldn't decide")`)
	hasNot(t, doc, `#verdict:contains("ask a compliance expert")`)
	sent := bring(t, site, passing, dcCustomer())
	form := with(hidden(show(t, ann, sent, ""), "#refer form"), "note", "Is the middle a steer?")
	if r := ann.Post(t, "/reviews/"+sent+"/refer", form); r.Status != http.StatusSeeOther {
		t.Fatalf("refer: %d %.300s", r.Status, r.Body)
	}
	has(t, show(t, ann, sent, ""), "#why-not", "With the compliance experts: it can't be approved until they rule.")
}

// What a supervisor may not assign isn't offered, and where nothing was assigned the list comes back as it was.
func TestARefusedBulkAssignComesBackWithItsTicks(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	id := bring(t, site, passing, dcCustomer())
	doc := page(t, ann.Get(t, "/reviews?task=tax_free_cash"), http.StatusOK)
	has(t, doc, "#to option", "you")
	hasNot(t, doc, `#to option[value="`+ben.Account.ID+`"]`)
	doc = page(t, ann.Post(t, "/reviews/assign", with(ticks(t, doc, id), "to", ben.Account.ID)), http.StatusConflict)
	has(t, doc, "#main", "Nothing was changed")
	has(t, doc, "#to-error", "only managers and administrators can assign")
	if doc.Find("#ticked input[name=id][checked]").Length() != 1 ||
		!strings.Contains(doc.Find("#ticked input[name=filter]").AttrOr("value", ""), "tax_free_cash") {
		t.Error("the ticks or the filter are gone")
	}
	if err := site.Reviews.Claim(t.Context(), id,
		review.Person{ID: ann.Account.ID, Name: ann.Account.Name}); err != nil {
		t.Fatal(err)
	}
	doc = page(t, ann.Get(t, "/reviews?state=needs"), http.StatusOK)
	if doc.Find(`#to option[value="`+ben.Account.ID+`"]`).Length() != 1 {
		t.Error("what she works on she may hand on")
	}
}

// The page that opens next says what was assigned, in the same answer, and no later page does.
func TestAssignAndNextSaysSoAtOnce(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Supervisor)
	first, second := bring(t, site, passing, dcCustomer()), bring(t, site, passing, dcCustomer())
	if err := site.Reviews.Claim(t.Context(), first,
		review.Person{ID: ann.Account.ID, Name: ann.Account.Name}); err != nil {
		t.Fatal(err)
	}
	form := with(seen(t, show(t, ann, first, "?mode=assign"), "#decide"), "to", ben.Account.ID)
	r := ann.Do(t, http.MethodPost, "/reviews/"+first+"/assign", "application/x-www-form-urlencoded", form.Encode(),
		"Sec-Fetch-Site", "same-origin", "HX-Request", "true", "HX-Boosted", "true")
	doc := page(t, r, http.StatusOK)
	if !strings.HasPrefix(r.Header.Get("HX-Push-Url"), "/reviews/"+second) {
		t.Errorf("it opens %q", r.Header.Get("HX-Push-Url"))
	}
	has(t, doc, "#notice", "1 review assigned to "+ben.Account.Name)
	hasNot(t, page(t, ann.Get(t, "/reviews"), http.StatusOK), "#notice .notice")
}

// A reply that names who reviews is no lesson, and what is left to fill in is said before anything else.
func TestASavedReplyIsNoLesson(t *testing.T) {
	site := apptest.Open(t)
	ann := site.SignedIn(t, account.Supervisor)
	if r := ann.Post(t, savedReplies,
		url.Values{"name": {"Close"},
			"text": {"Write to {{my name}} about {{scheme}}."}}); r.Status != http.StatusSeeOther {
		t.Fatalf("%d", r.Status)
	}
	id := bring(t, site, passing, dcCustomer())
	doc := show(t, ann, id, "?mode=revise")
	said := doc.Find(".replies button").AttrOr("data-put", "")
	if !strings.Contains(said, ann.Account.Name) {
		t.Fatalf("it puts in %q", said)
	}
	form := with(seen(t, doc, "#decide"), "text", passing+"\n\n"+said, "reason", "", "teach.90.kind", "include",
		"teach.90.on", "1", "teach.90.text", "Say it to Jane Smith at jane@example.com.")
	doc = page(t, ann.Post(t, "/reviews/"+id+"/revise", form), http.StatusUnprocessableEntity)
	has(t, doc, ".notices .notice, #decide .notice", "Fill in {{scheme}}.")
	has(t, doc, "#text-error", "Fill in {{scheme}}.")
	if html, _ := doc.Find("#decide").Html(); strings.Contains(html, "About one person only: “"+ann.Account.Name) {
		t.Error("the reviewer's name is called the customer's")
	}
	doc = page(t, ann.Post(t, "/reviews/"+id+"/check",
		with(form, "text", passing+"\n\n"+strings.ReplaceAll(said, "{{scheme}}", "Nest"))), http.StatusOK)
	if doc.Find(`[name^="teach."]`).FilterFunction(func(_ int, s *goquery.Selection) bool {
		return strings.Contains(s.AttrOr("value", "")+s.Text(), ann.Account.Name)
	}).Length() != 0 {
		t.Error("a lesson names the reviewer")
	}
	// Typed on purpose it is refused as any name is, and still not called the customer's.
	form.Set("text", passing+"\n\nMore.")
	form.Set("teach.90.text", "Sign as "+ann.Account.Name+" at sam@example.com.")
	doc = page(t, ann.Post(t, "/reviews/"+id+"/revise", form), http.StatusUnprocessableEntity)
	if said := doc.Find("#decide").Text(); !strings.Contains(said, "sam@example.com") ||
		strings.Contains(said, "this customer: “") {
		t.Errorf("it says %s", said)
	}
}
