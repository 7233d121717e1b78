package page_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
)

// scripted is a judge that always says the same.
type scripted struct{ vote compliance.Vote }

func (s scripted) Name() string { return s.vote.Judge }
func (s scripted) Local() bool  { return true }
func (s scripted) Judge(context.Context, compliance.Subject) (compliance.Vote, error) {
	return s.vote, nil
}

const steering = "Given your situation, you might want to consider consolidating those pensions."

// split has a panel that disagrees read what arrives.
func split(t *testing.T) *apptest.Site {
	t.Helper()
	return judgedBy(t,
		compliance.Vote{Judge: "judge one", Confidence: 0.75, Boundary: compliance.Advice,
			Reasoning: "'might want to' is a softened recommendation."},
		compliance.Vote{Judge: "judge two", Passed: true, Confidence: 0.70, Boundary: compliance.OnTheBoundary,
			Reasoning: "'consider' is option language."},
		compliance.Vote{Judge: "judge three", Confidence: 0.82, Boundary: compliance.Advice,
			Reasoning: "'Given your situation' personalises it."})
}

// content has a judge who is sure that all is well read what arrives.
func content(t *testing.T) *apptest.Site {
	t.Helper()
	return judgedBy(t, compliance.Vote{Judge: "judge one", Passed: true, Confidence: 0.97,
		Boundary: compliance.Guidance})
}

func judgedBy(t *testing.T, votes ...compliance.Vote) *apptest.Site {
	t.Helper()
	site := apptest.Open(t)
	var p compliance.Panel
	for _, v := range votes {
		p.Judges = append(p.Judges, scripted{v})
	}
	site.Validator = compliance.New(compliance.NewChecker(site.DB.Now), p)
	return site
}

// unsettled brings a draft that the panel can't settle; the borderline case's id.
func unsettled(t *testing.T, site *apptest.Site) (interactionID, caseID string) {
	t.Helper()
	id := bring(t, site, steering, dcCustomer())
	cases, _, err := site.Borderline.ForInteraction(t.Context(), id)
	if err != nil || len(cases) != 1 {
		t.Fatalf("%d borderline cases: %v", len(cases), err)
	}
	return id, cases[0].ID
}

var answered = []string{"label", string(compliance.NonCompliant), "boundary", compliance.Advice, "confidence", "85",
	"rationale", "Avoid “might want to”; use “some people consider” instead."}

// secrets are the panel's words, which nobody sees before their own answer.
var secrets = []string{"judge one", "judge two", "softened recommendation", "option language", "2-1", "disagree",
	"0.76", "0.75"}

func TestAnExpertAnswersBlindAndRules(t *testing.T) {
	site := split(t)
	id, caseID := unsettled(t, site)
	eva, sam := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Supervisor)

	doc := page(t, eva.Get(t, "/compliance"), http.StatusOK)
	has(t, doc, ".queue-row a", "Tax-free cash")
	has(t, doc, ".tabs", "Waiting 1")
	has(t, doc, "#nav", "To do 1")
	r := eva.Get(t, "/compliance/"+caseID)
	doc = page(t, r, http.StatusOK)
	for _, s := range append(secrets, "EXPERT") {
		if strings.Contains(idForm.ReplaceAllString(r.Body, "id"), s) { // an id may hold any digits
			t.Errorf("before the answer the page says %q", s)
		}
	}
	has(t, doc, ".draft", steering)
	has(t, doc, ".rubric", "guidance only")
	has(t, doc, ".case-who", "Who is asking")
	for _, key := range []string{"1", "2", "3", "4", "5", "6", "m"} {
		if doc.Find(`#answer [data-key="`+key+`"]`).Length() != 1 {
			t.Errorf("key %s is not on the form", key)
		}
	}
	hasNot(t, doc, "#panel")
	hasNot(t, doc, `form[action$="/keep"]`)
	if r := eva.Post(t, "/compliance/"+caseID+"/keep", nil); r.Status != http.StatusConflict {
		t.Errorf("kept without an answer: %d", r.Status)
	}

	if r := eva.Post(t, "/compliance/"+caseID+"/draft",
		with(hidden(doc, "#answer"), "rationale", "Half a thou", "label", "BORDERLINE")); r.Status != http.StatusOK ||
		!strings.HasPrefix(r.Body, "Saved ") {
		t.Errorf("draft: %d %s", r.Status, r.Body)
	}
	doc = page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK)
	has(t, doc, "#rationale", "Half a thou")
	form := with(hidden(doc, "#answer"), append(answered, "rationale", "")...)
	doc = page(t, eva.Post(t, "/compliance/"+caseID+"/answer", form), http.StatusUnprocessableEntity)
	has(t, doc, "#rationale-error", "Say why")
	if doc.Find(`#answer input[name=label][value=NON_COMPLIANT][checked]`).Length() != 1 {
		t.Error("what was chosen is lost")
	}
	has(t, doc, `#problem a[href="#rationale"]`, "Why: Say why")
	has(t, doc, `.case-known #answer input[name=confidence][data-key="9"] + span`, "Very sure")
	has(t, doc, "#place", "1 of 1")
	form = with(hidden(doc, "#answer"), answered...)
	form["mark_quote"], form["mark_code"] = []string{"buy gold", "", ""}, []string{"DISGUISED_RECOMMENDATION", "", ""}
	doc = page(t, eva.Post(t, "/compliance/"+caseID+"/answer", form), http.StatusUnprocessableEntity)
	has(t, doc, "#mark-quote-0-error", "not in the text")
	form["mark_quote"][0] = "you  might want to"
	if r := eva.Post(t, "/compliance/"+caseID+"/answer", form); r.Status != http.StatusSeeOther {
		t.Fatalf("answer: %d %.500s", r.Status, r.Body)
	}

	doc = page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK)
	has(t, doc, "#panel .votes", "judge one")
	has(t, doc, "#panel", "2 of 3 judges flagged it (76% sure)")
	if text := doc.Find("#panel").Text(); strings.Contains(text, "0.7") {
		t.Errorf("a score stands in %q", text)
	}
	has(t, doc, ".vote.differs", "judge two")
	has(t, doc, "#panel .flags", "might want to")
	if href, _ := doc.Find(".draft a.mark-no").First().Attr("href"); href != "#phrase-1" {
		t.Errorf("the words lead to %q", href)
	}
	has(t, doc, "#mine", "you might want to")
	has(t, doc, ".bar", "Keep my answer")
	has(t, doc, ".bar", "Change my answer")
	if r := sam.Get(t, "/compliance/"+caseID); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor reads an open case: %d", r.Status)
	}
	doc = show(t, sam, id, "")
	has(t, doc, "#case-notices", "With the compliance experts")
	if doc.Find(`form[action$="/approve"]`).Length() != 1 {
		t.Error("what only the panel doubts can't be decided without the experts")
	}
	hasNot(t, doc, "#refer")
	has(t, page(t, sam.Get(t, "/reviews"), http.StatusOK), ".q-why", "With the experts")

	doc = page(t, eva.Get(t, "/compliance/"+caseID+"?mode=change"), http.StatusOK)
	if got := doc.Find("#rationale").Text(); !strings.Contains(got, "some people consider") {
		t.Errorf("the form to change begins with %q", got)
	}
	if r := eva.Post(t, "/compliance/"+caseID+"/keep", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("keep: %d", r.Status)
	}
	doc = page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK)
	has(t, doc, "#ruling", "Ruled non-compliant")
	has(t, doc, ".bar", "Undo the ruling")
	site.Drain(t)
	doc = page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK)
	form = hidden(doc, "#ruling-teach form")
	form["teach.0.kind"], form["teach.0.on"], form["teach.0.text"] = []string{"include"}, []string{"1"},
		[]string{"A transfer can't be undone."}
	form["when.0.kind"], form["when.0.on"], form["when.0.value"] = []string{"topic"}, []string{"1"},
		[]string{"db_transfer"}
	form["teach.1.kind"], form["teach.1.on"], form["teach.1.text"] = []string{"never"}, []string{"1"},
		[]string{"you might want to"}
	to, _ := doc.Find("#ruling-teach form").Attr("action")
	if r := eva.Post(t, to, form); r.Status != http.StatusSeeOther ||
		r.Header.Get("Location") != "/compliance/"+caseID {
		t.Fatalf("state what the ruling teaches: %d %s %.500s", r.Status, r.Header.Get("Location"), r.Body)
	}
	if list, err := site.Learning.ForInteraction(t.Context(), id); err != nil || len(list) != 2 ||
		list[0].CauseID+"#2" != list[1].CauseID && list[1].CauseID+"#2" != list[0].CauseID {
		t.Errorf("two statements of a ruling: %+v %v", list, err)
	}
	doc = show(t, sam, id, "")
	has(t, doc, "#case-notices", "Ruled non-compliant by "+eva.Account.Name)
	has(t, doc, ".flags", "Expert ruling")
	hasNot(t, doc, `form[action$="/approve"]`)
	has(t, page(t, sam.Get(t, "/compliance/"+caseID), http.StatusOK), "#answers", eva.Account.Name)
	has(t, page(t, sam.Get(t, "/compliance"), http.StatusOK), ".q-why", "ruled non-compliant")
	if r := eva.Post(t, "/compliance/"+caseID+"/undo", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("undo: %d", r.Status)
	}
	doc = page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK)
	has(t, doc, ".bar", "Keep my answer")
	hasNot(t, doc, "#ruling")

	// Ruled again, with every verdict: the page follows what this ruling teaches, and not what the undone ones taught.
	for _, label := range []compliance.Label{compliance.Borderline, compliance.NonCompliant, compliance.Borderline} {
		doc = page(t, eva.Get(t, "/compliance/"+caseID+"?mode=change"), http.StatusOK)
		form = with(hidden(doc, "#answer"), append(answered, "label", string(label))...)
		if r := eva.Post(t, "/compliance/"+caseID+"/change", form); r.Status != http.StatusSeeOther {
			t.Fatalf("%s: change: %d %.500s", label, r.Status, r.Body)
		}
		doc = page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK)
		has(t, doc, "#ruling", "Ruled")
		if text := doc.Find("#ruling").Text(); strings.Contains(text, "withdrawn") ||
			doc.Find("#ruling-teach").Length() != 1 {
			t.Errorf("%s: at once the page says %q, and follows nothing", label, text)
		}
		site.Drain(t)
		doc = page(t, eva.Get(t, "/compliance/"+caseID), http.StatusOK)
		has(t, doc, "#ruling-teach form", "What should change next time?")
		if r := eva.Post(t, "/compliance/"+caseID+"/undo", nil); r.Status != http.StatusSeeOther {
			t.Fatalf("undo: %d", r.Status)
		}
	}
}

// What is over the experts' share stays with the supervisors, with a line that says why, and is no case for anybody.
func TestOverTheShareSupervisorsSeeWhatDivided(t *testing.T) {
	site := split(t)
	expert, sue := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Supervisor)
	first, caseID := unsettled(t, site)
	second := bring(t, site, steering, dcCustomer())
	if cases, _, err := site.Borderline.ForInteraction(t.Context(), second); err != nil || len(cases) != 0 {
		t.Fatalf("%d cases of the second draft, %v", len(cases), err)
	}
	doc := page(t, expert.Get(t, "/compliance"), http.StatusOK)
	if n := doc.Find(".queue-row").Length(); n != 1 {
		t.Errorf("experts have %d cases", n)
	}
	has(t, doc, "#budget",
		"1 of the last 2 drafts went to experts (limit 10%); 1 that the judges couldn't settle went to supervisors")
	has(t, doc, "#budget", "We can't estimate how many faulty drafts get through")
	doc = page(t, sue.Get(t, "/reviews"), http.StatusOK)
	has(t, doc, ".queue", "Judges split 2–1")
	doc = page(t, sue.Get(t, "/reviews/"+second), http.StatusOK)
	has(t, doc, "#verdict", "Judges split 2–1")
	has(t, doc, "#verdict", "ask a compliance expert")
	if doc.Find("#approve, form[action$='/approve']").Length() == 0 {
		t.Error("it can't be decided")
	}
	if r := sue.Post(t, "/reviews/"+first+"/reject",
		with(seen(t, show(t, sue, first, "?mode=reject"), "#decide"), "reason_code", "wrong_facts", "reason",
			"Not what was asked.")); r.Status != http.StatusSeeOther {
		t.Fatalf("reject: %d %.300s", r.Status, r.Body)
	}
	doc = page(t, expert.Get(t, "/compliance"), http.StatusOK)
	if doc.Find(`a[href="/compliance/`+caseID+`"]`).Length() > 0 || doc.Find(".queue-row").Length() != 1 {
		t.Error("what a supervisor settled is still with the experts, or the next draft is not")
	}
	hasNot(t, page(t, expert.Get(t, "/compliance?list=ruled"), http.StatusOK), ".queue-row")
}

// What a refused act says stands on the page once.
func TestARefusalIsSaidOnce(t *testing.T) {
	site := split(t)
	_, caseID := unsettled(t, site)
	eva, fay := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert)
	path := "/compliance/" + caseID
	forms := map[*apptest.Client]url.Values{}
	for _, c := range []*apptest.Client{eva, fay} {
		forms[c] = with(hidden(page(t, c.Get(t, path), http.StatusOK), "#answer"), answered...)
	}
	eva.Post(t, path+"/answer", forms[eva])
	r := fay.Post(t, path+"/answer", forms[fay])
	if r.Status != http.StatusConflict {
		t.Fatalf("two answers to a case for one: %d", r.Status)
	}
	if n := strings.Count(words(page(t, r, http.StatusConflict), "main"),
		"All the experts that this case needs have answered it"); n != 1 {
		t.Errorf("it is said %d times", n)
	}
	if r := eva.Post(t, path+"/keep", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("keep: %d", r.Status)
	}
	has(t, page(t, eva.Get(t, path), http.StatusOK), "#ruling", "Decided by "+eva.Account.Name)
}

func TestASupervisorAsksAnExpert(t *testing.T) {
	site := content(t)
	sam, eva := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	id := bring(t, site, passing, dcCustomer())
	doc := show(t, sam, id, "")
	has(t, doc, "#refer", "Ask a compliance expert")
	form := hidden(doc, "#refer form")
	doc = page(t, sam.Post(t, "/reviews/"+id+"/refer", form), http.StatusUnprocessableEntity)
	has(t, doc, "#refer-note-error", "unsure about")
	if doc.Find("#refer[open] #refer-note[autofocus]").Length() != 1 || doc.Find("h1[autofocus]").Length() != 0 {
		t.Error("what is typed now doesn't go into the question")
	}
	if r := sam.Post(t, "/reviews/"+id+"/refer",
		with(form, "note", "Is the middle a steer?")); r.Status != http.StatusSeeOther {
		t.Fatalf("refer: %d %.500s", r.Status, r.Body)
	}
	has(t, show(t, sam, id, ""), "#case-notices", sam.Account.Name+" asked: Is the middle a steer?")
	has(t, show(t, sam, id, ""), ".history", "Sent to the experts by "+sam.Account.Name+": Is the middle a steer?")
	cases, _, err := site.Borderline.ForInteraction(t.Context(), id)
	if err != nil || len(cases) != 1 {
		t.Fatal(cases, err)
	}
	r := eva.Get(t, "/compliance/"+cases[0].ID)
	if strings.Contains(r.Body, "Is the middle a steer?") || strings.Contains(r.Body, sam.Account.Name) {
		t.Error("the supervisor's note is shown before the answer")
	}
	doc = page(t, r, http.StatusOK)
	form = with(hidden(doc, "#answer"),
		append(answered, "label", string(compliance.Compliant), "boundary", compliance.Guidance)...)
	if r := eva.Post(t, "/compliance/"+cases[0].ID+"/answer", form); r.Status != http.StatusSeeOther {
		t.Fatalf("answer: %d %.500s", r.Status, r.Body)
	}
	has(t, page(t, eva.Get(t, "/compliance/"+cases[0].ID), http.StatusOK), "#panel", "Is the middle a steer?")
	if r := eva.Post(t, "/compliance/"+cases[0].ID+"/keep", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("keep: %d", r.Status)
	}
	doc = show(t, sam, id, "")
	has(t, doc, "#case-notices", "Ruled compliant by "+eva.Account.Name)
	ruled := func(doc *goquery.Document) {
		t.Helper()
		has(t, doc, "#verdict[data-tone=green]", "Ruled compliant by "+eva.Account.Name)
		hasNot(t, doc, "#because")
	}
	ruled(doc)
	editor := show(t, sam, id, "?mode=revise")
	has(t, editor, "#case-notices", "Ruled compliant by "+eva.Account.Name)
	check := func(text string) *goquery.Document {
		t.Helper()
		r := sam.Do(t, http.MethodPost, "/reviews/"+id+"/check", "application/x-www-form-urlencoded",
			with(seen(t, editor, "#decide"), "text", text).Encode(), "Sec-Fetch-Site", "same-origin", "HX-Request",
			"true")
		return page(t, r, http.StatusOK)
	}
	draft := strings.TrimPrefix(editor.Find("textarea[name=text]").Text(), "\n")
	for _, same := range []*goquery.Document{editor, check(draft)} {
		has(t, same, "#check .badge[data-tone=green]", "Ruled compliant by "+eva.Account.Name)
		hasNot(t, same, "#ruled-before")
	}
	changed := check(draft + " Ask us first.")
	hasNot(t, changed, `#check .badge:contains("Ruled")`)
	has(t, changed, "#ruled-before", "The ruling doesn't cover your changes")
	has(t, doc, ".history", "Ruling by "+eva.Account.Name+": compliant.")
	if r := eva.Post(t, "/compliance/"+cases[0].ID+"/undo", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("undo: %d", r.Status)
	}
	has(t, show(t, sam, id, ""), ".history", "Ruling undone by "+eva.Account.Name)
	if r := eva.Post(t, "/compliance/"+cases[0].ID+"/keep", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("keep again: %d", r.Status)
	}
	if r := approve(t, sam, id); r.Status != http.StatusSeeOther {
		t.Errorf("approve after the ruling: %d", r.Status)
	}
	ruled(show(t, sam, id, ""))
}

func TestTheLineOnThePage(t *testing.T) {
	site := apptest.Open(t)
	eva, ben, sam := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Admin),
		site.SignedIn(t, account.Supervisor)
	doc := page(t, sam.Get(t, "/compliance/rubric"), http.StatusOK)
	has(t, doc, ".prose", "guidance only")
	hasNot(t, doc, `a[href*="edit"]`)
	if r := sam.Get(t, "/compliance/line"); r.Status != http.StatusSeeOther ||
		r.Header.Get("Location") != "/compliance/rubric" {
		t.Errorf("/compliance/line leads to %q: %d", r.Header.Get("Location"), r.Status)
	}
	has(t, page(t, sam.Get(t, "/compliance/rubric?kind=taxonomy"), http.StatusOK), "table", "DISGUISED_RECOMMENDATION")
	doc = page(t, eva.Get(t, "/compliance/rubric?edit=yes"), http.StatusOK)
	form := with(hidden(doc, "#line"), "text", "Nobody is steered.", "reason", "")
	doc = page(t, eva.Post(t, "/compliance/rubric?kind=rubric", form), http.StatusUnprocessableEntity)
	has(t, doc, "#reason-error", "why")
	if r := eva.Post(t, "/compliance/rubric?kind=rubric",
		with(form, "reason", "Shorter.")); r.Status != http.StatusSeeOther {
		t.Fatalf("propose: %d", r.Status)
	}
	doc = page(t, eva.Get(t, "/compliance/rubric"), http.StatusOK)
	has(t, doc, "#proposal", "someone else has to agree")
	if r := ben.Post(t, "/approvals/"+waits(t, site)+"/agree", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("agree: %d", r.Status)
	}
	has(t, page(t, sam.Get(t, "/compliance/rubric"), http.StatusOK), ".prose", "Nobody is steered.")
}

func TestQualityRatingsOnThePage(t *testing.T) {
	site := apptest.Open(t)
	sam, eva := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	var list []borderline.Rating
	for range 60 { // one in twenty is drawn
		released(t, site, sam)
		var err error
		if list, err = site.Borderline.Ratings(t.Context(), borderline.Person{ID: eva.Account.ID}, false,
			10); err != nil {
			t.Fatal(err)
		}
		if len(list) > 0 {
			break
		}
	}
	if len(list) == 0 {
		t.Skip("none of sixty was drawn")
	}
	eva = site.Enter(t, eva.Account) // the clock went a minute for each, and who is idle is signed out
	r := eva.Get(t, "/compliance?list=ratings")
	has(t, page(t, r, http.StatusOK), ".queue-row a", "Tax-free cash")
	path := "/compliance/ratings/" + list[0].ID
	r = eva.Get(t, path)
	if strings.Contains(r.Body, sam.Account.Name) {
		t.Error("the page says who decided")
	}
	doc := page(t, r, http.StatusOK)
	doc = page(t, eva.Post(t, path, with(hidden(doc, "#rate"), "rating", "2")), http.StatusUnprocessableEntity)
	has(t, doc, "#note-error", "not good enough")
	if r := eva.Post(t, path, with(hidden(doc, "#rate"), "rating", "4")); r.Status != http.StatusSeeOther {
		t.Fatalf("rate: %d", r.Status)
	}
	has(t, page(t, eva.Get(t, "/compliance?list=ratings"), http.StatusOK), ".q-why", "4 of 5")
	if r := sam.Get(t, path); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor opens a rating: %d", r.Status)
	}
}

// A comment on words leads to them and they to it; what is wrong with one is said beside what was typed.
func TestCommentsOnWordsOfACase(t *testing.T) {
	site := split(t)
	_, caseID := unsettled(t, site)
	eva, sam := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Supervisor)
	path := "/compliance/" + caseID
	doc := page(t, eva.Get(t, path), http.StatusOK)
	hasNot(t, doc, "#comment-form")
	eva.Post(t, path+"/answer", with(hidden(doc, "#answer"), answered...))
	doc = page(t, eva.Get(t, path), http.StatusOK)
	r := eva.Post(t, path+"/comments",
		with(hidden(doc, "#comment-form"), "remark_quote", "words of another text", "remark", "This steers."))
	doc = page(t, r, http.StatusUnprocessableEntity)
	has(t, doc, "#comment-form .field-error", "not in the text")
	has(t, doc, "#remark", "This steers.")
	if r := eva.Post(t, path+"/comments",
		with(hidden(doc, "#comment-form"), "remark_quote", "you might want to", "remark",
			"This steers.")); r.Status != http.StatusSeeOther ||
		!strings.Contains(r.Header.Get("Location"), "#remark-") {
		t.Fatalf("comment: %d %s", r.Status, r.Header.Get("Location"))
	}
	doc = page(t, eva.Get(t, path), http.StatusOK)
	has(t, doc, ".comment-text", "This steers.")
	has(t, doc, `.draft a[href^="#remark-"]`, "")
	has(t, doc, `.comment a[href^="#mark-"]`, "See the words")
	if r := sam.Post(t, path+"/comments", url.Values{"remark": {"May I?"}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor comments: %d", r.Status)
	}
	if r := eva.Post(t, path+"/keep", nil); r.Status != http.StatusSeeOther {
		t.Fatalf("keep: %d", r.Status)
	}
	doc = page(t, eva.Get(t, path), http.StatusOK)
	action, _ := doc.Find(".comment form").Attr("action")
	if r := eva.Post(t, action, nil); r.Status != http.StatusSeeOther {
		t.Fatalf("withdraw at %q: %d", action, r.Status)
	}
	doc = page(t, eva.Get(t, path), http.StatusOK)
	has(t, doc, ".comment", "Deleted")
	hasNot(t, doc, ".comment-text")
}

// Words of a draft that nobody flags are no finding and divide nobody: an expert is asked whether they are fine.
func TestWordsThatNobodyFlagsAreNoFinding(t *testing.T) {
	const draft = "Keep the old phone until the new one is set up."
	weighs := compliance.Issue{Code: compliance.Other, Severity: compliance.Major, Quote: draft,
		Span: [2]int{0, len(draft)}}
	unsure := compliance.Vote{Judge: "judge one", Passed: true, Confidence: 0.55, Boundary: compliance.Guidance,
		Reasoning: "Closest to the line, but still fine: “" + draft + "”.", Weighs: &weighs}
	site := judgedBy(t, unsure)
	cases, _, err := site.Borderline.ForInteraction(t.Context(), bring(t, site, draft, dcCustomer()))
	if err != nil || len(cases) != 1 {
		t.Fatal(cases, err)
	}
	link, eva := "/compliance/"+cases[0].ID, site.SignedIn(t, account.Expert)
	sent(t, eva.Post(t, link+"/answer", with(hidden(page(t, eva.Get(t, link), http.StatusOK), "#answer"), answered...)))
	doc := page(t, eva.Get(t, link), http.StatusOK)
	hasNot(t, doc, `[aria-label="Words the judges disagree on"], .draft mark`)
	has(t, doc, "#findings-title", "Are these words fine?")
	has(t, doc, "#findings .choice", "Fine")
	if said := doc.Find("#findings").Text(); strings.Contains(said, "Wrong") || strings.Contains(said, "Right") {
		t.Errorf("they are asked of as of a finding: %s", said)
	}
	fine := doc.Find(`#findings input[value^="wrong:"]`)
	sent(t, eva.Post(t, link+"/keep", url.Values{fine.AttrOr("name", ""): {fine.AttrOr("value", "")}}))
	has(t, page(t, eva.Get(t, link), http.StatusOK), ".vote", "Fine: What weighs most with a judge")
}

// What flagged a draft stands beside it once the expert has answered, omissions too, which no words carry.
func TestAnExpertSeesWhatFlaggedADraft(t *testing.T) {
	site := content(t)
	sam, eva := site.SignedIn(t, account.Supervisor), site.SignedIn(t, account.Expert)
	asked := dcCustomer()
	asked.Question, asked.TaskType = "Can I put all my pensions together?", "pension_consolidation"
	asked.Customer.Pensions[0].Features = []string{"guaranteed annuity rate"}
	id := bring(t, site, "You can consolidate your pots online.", asked)
	has(t, show(t, sam, id, ""), ".flags", "Missing DB warning")
	cases, _, err := site.Borderline.ForInteraction(t.Context(), id)
	if err != nil || len(cases) != 1 {
		t.Fatal(cases, err)
	}
	link := "/compliance/" + cases[0].ID
	r := eva.Get(t, link)
	if strings.Contains(r.Body, "Missing DB warning</strong>") || strings.Contains(r.Body, "COBS") {
		t.Error("the checks' findings are shown before the answer")
	}
	sent(t, eva.Post(t, link+"/answer", with(hidden(page(t, r, http.StatusOK), "#answer"), answered...)))
	for _, then := range []string{"", "/keep"} { // before the ruling and after it
		if then != "" {
			sent(t, eva.Post(t, link+then, nil))
		}
		doc := page(t, eva.Get(t, link), http.StatusOK)
		has(t, doc, "#panel #found", "Missing DB warning")
		has(t, doc, "#panel #found", "found by the check · major · COBS 19.1.6G")
	}
}

// A case whose text was erased says so, and of nobody that they decided it.
func TestAnErasedCaseSaysSo(t *testing.T) {
	site := content(t)
	eva, boss := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Admin)
	asked := dcCustomer()
	asked.Question, asked.TaskType = "Can I put all my pensions together?", "pension_consolidation"
	asked.Customer.Pensions[0].Features = []string{"guaranteed annuity rate"}
	id := bring(t, site, "You can consolidate your pots online.", asked)
	cases, _, err := site.Borderline.ForInteraction(t.Context(), id)
	if err != nil || len(cases) != 1 {
		t.Fatal(cases, err)
	}
	link := "/compliance/" + cases[0].ID
	sent(t, eva.Post(t, link+"/answer", with(hidden(page(t, eva.Get(t, link), http.StatusOK), "#answer"), answered...)))
	if _, err := site.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByID, Subject: id, Why: "Request 11", By: boss.Account.Actor()}); err != nil {
		t.Fatal(err)
	}
	doc := page(t, eva.Get(t, link), http.StatusOK)
	has(t, doc, "main", "Erased before a ruling")
	if strings.Contains(strings.ToLower(doc.Find("main").Text()), "supervisor decided") {
		t.Error("a supervisor is said to have decided it")
	}
}
