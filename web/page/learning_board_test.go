package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/learning"
	"preceptor/internal/review"
)

// waitingLesson has a correction reach an expert, and returns the lesson's address.
func waitingLesson(t *testing.T, site *apptest.Site, ann, edie *apptest.Client) string {
	t.Helper()
	correct(t, site, ann)
	site.Drain(t)
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	board := page(t, edie.Get(t, "/learning?origin=revise"), http.StatusOK)
	link, ok := board.Find("[aria-labelledby=col-accept] .lesson-card a").First().Attr("href")
	if !ok {
		t.Fatalf("no lesson waits: %s", words(board, "#board"))
	}
	return link
}

// bringShown has an agent hand in a draft that was shown a rule.
func bringShown(t *testing.T, site *apptest.Site, guidance string, c interaction.Consultation, rule string) string {
	t.Helper()
	agent, err := site.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := site.Interactions.Submit(t.Context(),
		interaction.Submission{AgentID: agent.ID, AgentName: agent.Name,
			By:           audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name},
			Consultation: c, Guidance: guidance, KnowledgeUsed: []interaction.Used{{ID: rule}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec.ID
}

func TestBoardFiltersAndCounts(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	link := waitingLesson(t, site, ann, edie)
	board := page(t, edie.Get(t, "/learning"), http.StatusOK)
	has(t, board, "#board", "Oldest")
	has(t, board, ".lesson-card", "revised by")
	has(t, board, ".lesson-card", "provisional")
	for query, n := range map[string]int{"?origin=revise": 1, "?origin=dataset": 0,
		"?domain=risk_disclosure&origin=revise": 0, "?domain=pension_education&origin=revise": 1,
		"?provisional=yes&origin=revise": 1, "?origin=nonsense&agent=none": 0} {
		doc := page(t, edie.Get(t, "/learning"+query), http.StatusOK)
		if got := doc.Find(`.lesson-card a[href="` + link + `"]`).Length(); got != n {
			t.Errorf("%s: %d cards", query, got)
		}
		if doc.Find("#board").AttrOr("hx-get", "") != "/learning"+query && !strings.Contains(query, "nonsense") &&
			!strings.HasPrefix(query, "?domain=") && query != "?provisional=yes&origin=revise" {
			t.Errorf("%s: follows %s", query, doc.Find("#board").AttrOr("hx-get", ""))
		}
	}
	has(t, page(t, edie.Get(t, "/learning?outcome=rejected"), http.StatusOK), "[aria-labelledby=settled]",
		"No lessons with this outcome")
	has(t, page(t, site.SignedIn(t, account.Manager).Get(t, "/overview"), http.StatusOK), ".figures",
		"for an expert, oldest")
}

func TestSendingALessonBack(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	link := waitingLesson(t, site, ann, edie)
	doc := page(t, edie.Get(t, link), http.StatusOK)
	has(t, doc, ".story", "What it was tested on")
	has(t, doc, ".story", "No approved case supports or contradicts it yet.")
	has(t, doc, ".story", "If the next 10 relevant cases all support it, it is no longer provisional. A "+
		"person still decides whether it is used.")
	has(t, doc, "main", "provisional: not tested yet")
	has(t, doc, ".story", "embedded reasoner")
	version := doc.Find(`form[action$="/back"] input[name=version]`).AttrOr("value", "")
	if r := ann.Post(t, link+"/back",
		url.Values{"version": {version}, "to": {"reflect"}, "note": {"x"}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor sends back: %d", r.Status)
	}
	page(t, edie.Post(t, link+"/back", url.Values{"version": {version}, "to": {"reflect"}}),
		http.StatusUnprocessableEntity)
	const note = "When the customer has a DB pension, mention that a transfer value is guaranteed for three months " +
		"because people wait too long."
	stale := page(t, edie.Post(t, link+"/back", url.Values{"version": {"1"}, "to": {"reflect"}, "note": {note}}),
		http.StatusConflict)
	has(t, stale, "#note", note)
	if stale.Find("details[open] #note").Length() != 1 {
		t.Error("what was typed is folded away")
	}
	if r := edie.Post(t, link+"/back",
		url.Values{"version": {version}, "to": {"reflect"}, "note": {note}}); r.Status != http.StatusSeeOther {
		t.Fatalf("send back: %d %.400s", r.Status, r.Body)
	}
	site.Drain(t)
	doc = page(t, edie.Get(t, link), http.StatusOK)
	has(t, doc, ".lesson-head", "sent back once")
	has(t, doc, ".story", "Sent back")
	has(t, doc, ".teach-quotes", "guaranteed for three months")
	// Stated again in one step; what the check refuses stays in the form.
	form := untouched(doc, `form[action$="/state"]`)
	bad := page(t,
		edie.Post(t, link+"/state", with(form, "teach.0.kind", "include", "teach.0.on", "1", "teach.0.text",
			"You should transfer it now.")), http.StatusUnprocessableEntity)
	has(t, bad, ".teach-row.wrong", "would not pass the compliance check")
	has(t, bad, "#teach-0-text", "You should transfer it now.")
	if r := edie.Post(t, link+"/state",
		with(form, "teach.0.text",
			"A transfer value is guaranteed for three months.")); r.Status != http.StatusSeeOther {
		t.Fatalf("state it: %d %.900s", r.Status, r.Body)
	}
	site.Drain(t)
	doc = page(t, edie.Get(t, link), http.StatusOK)
	has(t, doc, "#teach-0-text", "guaranteed for three months")
	has(t, doc, ".story", "What it teaches, again")
}

func TestSettlingSeveralLessons(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	link := waitingLesson(t, site, ann, edie)
	if r := ann.Get(t, "/learning/several"); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor: %d", r.Status)
	}
	doc := page(t, edie.Get(t, "/learning"), http.StatusOK)
	tick := doc.Find(`input[name=id][value^="`+strings.TrimPrefix(link, "/learning/")+`"]`).AttrOr("value", "")
	page(t, edie.Post(t, "/learning/several", url.Values{"act": {"reject"}, "reason": {"x"}}),
		http.StatusUnprocessableEntity)
	again := page(t, edie.Post(t, "/learning/several", url.Values{"act": {"reject"}, "id": {tick}, "reason": {" "}}),
		http.StatusUnprocessableEntity)
	if again.Find(`input[name=id][checked]`).Length() != 1 {
		t.Error("what was selected is lost")
	}
	has(t, again, ".bulk #reason-error, .bulk .field-error", "why")
	hasNot(t, page(t, ann.Get(t, "/learning"), http.StatusOK), ".bulk, input[name=id]")
	has(t, page(t, edie.Post(t, "/learning/several", url.Values{"act": {"accept"}, "id": {tick}}), http.StatusOK),
		"li.card", "A transfer gives up a guaranteed income for life.")
	has(t, page(t, edie.Post(t, "/learning/several", url.Values{"act": {"retry"}, "id": {tick}}), http.StatusOK),
		".notice", "has failed")
	has(t, page(t, edie.Post(t, "/learning/several",
		url.Values{"act": {"reject"}, "reason": {"Known."}, "id": {strings.Split(tick, ":")[0] + ":1"}}),
		http.StatusOK), ".notice", "changed since")
	if r := edie.Post(t, "/learning/several",
		url.Values{"act": {"reject"}, "id": {tick},
			"reason": {"We say so already."}}); r.Status != http.StatusSeeOther {
		t.Fatalf("reject: %d %.400s", r.Status, r.Body)
	}
	has(t, page(t, edie.Get(t, "/learning?outcome=rejected"), http.StatusOK), "[aria-labelledby=settled]",
		"We say so already.")
	page(t, edie.Post(t, "/learning/several", url.Values{"act": {"delete"}, "id": {tick}}),
		http.StatusUnprocessableEntity)
}

func TestWhatMisledADraft(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	link := waitingLesson(t, site, ann, edie)
	doc := page(t, edie.Get(t, link), http.StatusOK)
	if r := edie.Post(t, link+"/accept",
		url.Values{
			"version": {doc.Find(`form[action$="/accept"] input[name=version]`).AttrOr("value", "")}}); r.Status !=
		http.StatusSeeOther {
		t.Fatalf("accept: %d %.400s", r.Status, r.Body)
	}
	l, err := site.Learning.Get(t.Context(), strings.TrimPrefix(link, "/learning/"))
	if err != nil || l.State != learning.Accepted {
		t.Fatal(err)
	}
	bare := bring(t, site, failing, dbCustomer()) // shown nothing
	hasNot(t, page(t, ann.Get(t, "/reviews/"+bare+"?mode=revise"), http.StatusOK), ".misled")
	id := bringShown(t, site, failing, dbCustomer(), l.RuleID)
	hasNot(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), ".misled")
	doc = page(t, ann.Get(t, "/reviews/"+id+"?mode=reject"), http.StatusOK)
	has(t, doc, ".misled summary", "Which source was wrong? (optional)")
	if doc.Find(".misled[open]").Length() != 0 {
		t.Error("the question stands open before anybody asked for it")
	}
	if html, _ := doc.Find(".misled").Html(); strings.Contains(html, l.RuleID) || strings.Contains(html, "R-") {
		t.Error("the list names its items")
	}
	hasNot(t, doc, ".case-known .known")
	token := doc.Find(`.misled input[name=asked]`).First().AttrOr("value", "")
	// An error keeps the ticks.
	form := with(seen(t, doc, "#decide"), "reason_code", "", "misled", token)
	if again := page(t, ann.Post(t, "/reviews/"+id+"/reject", form),
		http.StatusUnprocessableEntity); again.Find(`.misled[open] input[value="`+token+`"][checked]`).Length() != 1 {
		t.Error("the tick is lost")
	}
	form = with(seen(t, doc, "#decide"), "reason_code", "wrong_facts", "reason", "Wrong.", "misled", token)
	if r := ann.Post(t, "/reviews/"+id+"/reject", form); r.Status != http.StatusSeeOther {
		t.Fatalf("reject: %d %.500s", r.Status, r.Body)
	}
	st, err := site.Credit.Standing(t.Context(), l.RuleID)
	if err != nil || st.Asked != 1 || st.Misled != 1 {
		t.Errorf("%+v %v", st, err)
	}
}

// Of a correction that nobody stated a rule for, none is made: the line after it doesn't speak of one.
func TestALessonWithoutARuleIsDropped(t *testing.T) {
	site := apptest.Open(t)
	ann, edie := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	id := bring(t, site, passing, dcCustomer())
	if err := site.Reviews.Claim(t.Context(), id, person(ann.Account)); err != nil {
		t.Fatal(err)
	}
	decide(t, site, id, ann.Account, review.Input{Kind: review.Reject, ReasonCode: "wrong_facts",
		Reason: "The customer had told us otherwise."})
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	list, err := site.Learning.ForInteraction(t.Context(), id)
	if err != nil || len(list) != 1 || list[0].State != learning.Unstated {
		t.Fatalf("%+v, %v", list, err)
	}
	link := "/learning/" + list[0].ID
	form := with(hidden(page(t, edie.Get(t, link), http.StatusOK), `form[action$="/reject"]`), "reason", "It was once.")
	r := edie.Post(t, link+"/reject", form)
	if r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.400s", r.Status, r.Body)
	}
	has(t, page(t, edie.Get(t, r.Header.Get("Location")), http.StatusOK), "#notice", "No rule is made.")
}
