package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/knowledge"
)

// wantLost posts what a colleague was quicker with: the page says so, and gives back what was typed, to be copied.
func wantLost(t *testing.T, c *apptest.Client, link string, form url.Values, typed string) {
	t.Helper()
	doc := page(t, c.Post(t, link, form), http.StatusConflict)
	if got := doc.Find(".notice #kept[readonly]").Text(); !strings.Contains(got, typed) {
		t.Errorf("%s gives back %q of %q", link, got, typed)
	}
	if said := doc.Find(".notice").Text(); strings.Contains(said, "still here") ||
		!strings.Contains(said, "wasn't saved") {
		t.Errorf("%s says %q", link, said)
	}
	hasNot(t, doc, "form #kept")
}

func sent(t *testing.T, r apptest.Response) {
	t.Helper()
	if r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.500s", r.Status, r.Body)
	}
}

const typedLast = "Somebody typed this for a while."

func TestWhatWasTypedForALessonIsGivenBack(t *testing.T) {
	s := apptest.Open(t)
	ann, edie, tom := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	link := waitingLesson(t, s, ann, edie)
	doc := page(t, tom.Get(t, link), http.StatusOK)
	accept := with(untouched(doc, `form[action$="/accept"]`), "teach.0.text", typedLast)
	form := url.Values{"version": accept["version"]}
	sent(t, edie.Post(t, link+"/reject", with(form, "reason", "We say so already.")))
	wantLost(t, tom, link+"/reject", with(form, "reason", typedLast), typedLast)
	wantLost(t, tom, link+"/back", with(form, "to", "reflect", "note", typedLast), typedLast)
	wantLost(t, tom, link+"/rollback", with(form, "undo", typedLast), typedLast)
	stated := page(t, tom.Post(t, link+"/accept", accept), http.StatusConflict) // it can be stated again
	has(t, stated, ".notice", "still here")
	has(t, stated, `form[action$="/state"] #teach-0-text`, typedLast)
}

func TestARuleThatAColleagueAcceptedFirstIsGivenBack(t *testing.T) {
	s := apptest.Open(t)
	ann, edie, tom := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	link := waitingLesson(t, s, ann, edie)
	form := untouched(page(t, tom.Get(t, link), http.StatusOK), `form[action$="/accept"]`)
	sent(t, edie.Post(t, link+"/accept", form))
	wantLost(t, tom, link+"/accept", with(form, "teach.0.text", typedLast), strings.TrimSuffix(typedLast, "."))
}

func TestWhatWasTypedForAConflictIsGivenBack(t *testing.T) {
	s := apptest.Open(t)
	edie, tom := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	addRule(t, s, saysRisk, knowledge.Active)
	addRule(t, s, leavesOut, knowledge.Active)
	link := page(t, edie.Get(t, "/knowledge/conflicts"), http.StatusOK).Find(".result a").First().AttrOr("href", "")
	form := with(hiddenOf(t, page(t, tom.Get(t, link), http.StatusOK), `form[action^="/knowledge/conflicts/"]`),
		"choice", "keep_left")
	sent(t, edie.Post(t, link, with(form, "note", "People must know the risk.")))
	wantLost(t, tom, link, with(form, "note", typedLast), typedLast)
}

func TestWhatWasTypedForARulingIsGivenBack(t *testing.T) {
	s := apptest.Open(t)
	d, _, _ := disputedSet(t, s)
	cy, dee := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	item := page(t, cy.Get(t, "/datasets/"+d.ID+"/adjudicate"), http.StatusOK).Find(".result a").AttrOr("href", "")
	form := with(filled(t, page(t, dee.Get(t, item), http.StatusOK), "#answer"), "label", "BORDERLINE", "rationale",
		typedLast)
	sent(t, cy.Post(t, item, with(filled(t, page(t, cy.Get(t, item), http.StatusOK), "#answer"), "label",
		"BORDERLINE", "rationale", "Both have a point.")))
	wantLost(t, dee, item, form, typedLast)
}

func TestWhatWasTypedForACaseIsGivenBack(t *testing.T) {
	s := split(t)
	_, caseID := unsettled(t, s)
	link := "/compliance/" + caseID
	eva, fay := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	form := with(with(hidden(page(t, fay.Get(t, link), http.StatusOK), "#answer"), answered...), "rationale", typedLast)
	sent(t, eva.Post(t, link+"/answer", with(hidden(page(t, eva.Get(t, link), http.StatusOK), "#answer"), answered...)))
	sent(t, eva.Post(t, link+"/keep", nil))
	wantLost(t, fay, link+"/answer", form, typedLast)
}
