package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/knowledge"
)

// untouched is a form as a browser would send it untouched.
func untouched(doc *goquery.Document, form string) url.Values {
	v := url.Values{}
	doc.Find(form + " input[name]:not([type=checkbox]), " + form + " input[checked]").
		Each(func(_ int, s *goquery.Selection) { v.Set(s.AttrOr("name", ""), s.AttrOr("value", "")) })
	doc.Find(form + " textarea[name]").Each(func(_ int, s *goquery.Selection) { v.Set(s.AttrOr("name", ""), s.Text()) })
	doc.Find(form + " select[name]").Each(func(_ int, s *goquery.Selection) {
		v.Set(s.AttrOr("name", ""), s.Find("option[selected]").AttrOr("value", ""))
	})
	return v
}

func TestARuleIsEditedAndGoesBack(t *testing.T) {
	s := apptest.Open(t)
	ann, edie := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Expert)
	k := know(t, s, edie.Account)
	rule := "/knowledge/rules/" + k.rule.ID
	has(t, page(t, edie.Get(t, rule), http.StatusOK), `a[href$="/edit"]`, "Edit")
	forAnn := page(t, ann.Get(t, rule), http.StatusOK)
	hasNot(t, forAnn, `a[href$="/edit"]`)
	hasNot(t, forAnn, `form[action$="/rollback"]`)

	form := untouched(page(t, edie.Get(t, rule+"/edit"), http.StatusOK), "form.card")
	const wording = "name the guarantee first"
	bad := page(t,
		edie.Post(t, rule+"/edit", with(form, "teach.0.kind", "other", "teach.0.text", wording, "when.90.kind", "field",
			"when.90.name", "pensions", "when.90.how", "has", "when.90.value", "db", "when.90.on", "1", "valid_from",
			"2027-06-31", "reason", "")), http.StatusUnprocessableEntity)
	has(t, bad, "#teach-0-text", wording)
	has(t, bad, "#valid_from-error", "Enter the date as")
	has(t, bad, "#reason-error", "Say why")
	if bad.Find("#valid_from").AttrOr("value", "") != "2027-06-31" {
		t.Error("the day that was typed is lost")
	}
	stale := page(t,
		edie.Post(t, rule+"/edit", with(form, "teach.0.kind", "other", "teach.0.text", wording, "when.90.kind", "field",
			"when.90.name", "pensions", "when.90.how", "has", "when.90.value", "db", "when.90.on", "1", "valid_from",
			"", "reason", "clearer", "version", "1")), http.StatusConflict)
	has(t, stale, "#teach-0-text", wording)
	has(t, stale, ".notice", "What you typed is still here")
	if r := edie.Post(t, rule+"/edit",
		with(form, "teach.0.kind", "other", "teach.0.text", wording, "when.90.kind", "field", "when.90.name",
			"pensions", "when.90.how", "has", "when.90.value", "db", "when.90.on", "1", "valid_from", "", "valid_to",
			"2027-04-05", "reason", "clearer", "version", "2")); r.Status != http.StatusSeeOther {
		t.Fatalf("edit: %d %.400s", r.Status, r.Body)
	}
	doc := page(t, edie.Get(t, rule), http.StatusOK)
	has(t, doc, ".sentence", "name the guarantee first")
	has(t, doc, ".facts", "to 5 April 2027")
	has(t, doc, ".versions", "clearer")

	back := url.Values{"version": {"3"}, "to": {"2"}, "reason": {" "}}
	has(t, page(t, edie.Post(t, rule+"/rollback", back), http.StatusUnprocessableEntity), ".versions details[open]",
		"Go back to version 2")
	back.Set("reason", "It was better.")
	back.Set("version", "2")
	has(t, page(t, edie.Post(t, rule+"/rollback", back), http.StatusConflict), ".versions details[open]",
		"It was better.")
	back.Set("version", "3")
	if r := edie.Post(t, rule+"/rollback", back); r.Status != http.StatusSeeOther {
		t.Fatalf("go back: %d %.400s", r.Status, r.Body)
	}
	doc = page(t, edie.Get(t, rule), http.StatusOK)
	has(t, doc, ".sentence", "say what is given up")
	has(t, doc, ".versions", "Rolled back to version 2: It was better.")
	has(t, doc, "#notice", "is back to the text")
}

func TestTheWholeBaseGoesBack(t *testing.T) {
	s := apptest.Open(t)
	ann, edie := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Expert)
	k := know(t, s, edie.Account)
	const history = "/knowledge/history"
	has(t, page(t, edie.Get(t, history), http.StatusOK), ".empty", "No states yet")
	hasNot(t, page(t, ann.Get(t, history), http.StatusOK), "form.card")
	has(t, page(t, edie.Post(t, history, url.Values{"name": {" "}}), http.StatusUnprocessableEntity), "#name-error",
		"Give it a name")
	if r := edie.Post(t, history, url.Values{"name": {"Before <the> spring"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("name a state: %d", r.Status)
	}
	list := page(t, ann.Get(t, history), http.StatusOK)
	has(t, list, ".result", "Before <the> spring")
	has(t, list, ".result", "named by "+edie.Account.Name)
	state := list.Find(".result a").First().AttrOr("href", "")
	has(t, page(t, edie.Get(t, state), http.StatusOK), ".empty", "Nothing has changed since then")

	rule := "/knowledge/rules/" + k.rule.ID
	form := untouched(page(t, edie.Get(t, rule+"/edit"), http.StatusOK), "form.card")
	if r := edie.Post(t, rule+"/edit",
		with(form, "teach.0.kind", "other", "teach.0.text", "sing", "when.90.kind", "field", "when.90.name", "pensions",
			"when.90.how", "has", "when.90.value", "db", "when.90.on", "1", "reason",
			"a mistake")); r.Status != http.StatusSeeOther {
		t.Fatalf("edit: %d", r.Status)
	}
	doc := page(t, edie.Get(t, state), http.StatusOK)
	has(t, doc, "#what ~ p", "1 changes its text")
	has(t, doc, "[aria-labelledby=sort-changed] del", "sing")
	hasNot(t, page(t, ann.Get(t, state), http.StatusOK), `form.form`)
	form = untouched(doc, "form.form")
	has(t, page(t, edie.Post(t, state, with(form, "reason", "")), http.StatusUnprocessableEntity), "#reason-error",
		"Say why")
	seq := form.Get("seen")
	stale := page(t, edie.Post(t, state, with(form, "reason", "A mistake.", "seen", "1")), http.StatusConflict)
	has(t, stale, ".notice", "has changed since you looked")
	has(t, stale, "#reason", "A mistake.")
	if r := edie.Post(t, state, with(form, "reason", "A mistake.", "seen", seq)); r.Status != http.StatusSeeOther {
		t.Fatalf("go back: %d %.400s", r.Status, r.Body)
	}
	has(t, page(t, edie.Get(t, rule), http.StatusOK), ".sentence", "say what is given up")
	doc = page(t, edie.Get(t, history), http.StatusOK)
	has(t, doc, "[aria-labelledby=rollbacks]", "A mistake.")
	has(t, doc, ".result", "Before going back to Before <the> spring")
	undo := doc.Find("[aria-labelledby=rollbacks] a").First().AttrOr("href", "")
	has(t, page(t, edie.Get(t, undo), http.StatusOK), "[aria-labelledby=sort-changed] ins", "sing")
	page(t, edie.Get(t, history+"/nowhere"), http.StatusNotFound)
}

func TestThePromptOfADraft(t *testing.T) {
	s := apptest.Open(t)
	ann, mo := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Manager)
	k := know(t, s, ann.Account)
	if _, err := s.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension"); err != nil {
		t.Fatal(err)
	}
	r := ann.Post(t, "/ask", url.Values{"question": {"What do I give up with a final salary pension?"}, "age": {"60"},
		"pension_kind": {"db", "", "", ""}, "pension_value": {"£42,000", "", "", ""}})
	if r.Status != http.StatusSeeOther {
		t.Fatalf("ask: %d %.300s", r.Status, r.Body)
	}
	id := strings.TrimPrefix(r.Header.Get("Location"), "/ask/")
	s.Drain(t)
	has(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `a[href="/interactions/`+id+`/recall"]`,
		"Original prompt")
	doc := page(t, ann.Get(t, "/interactions/"+id+"/recall"), http.StatusOK)
	has(t, doc, "#match", "identical, byte for byte")
	has(t, doc, ".versions", k.rule.Label())
	has(t, doc, ".versions pre", `Principle: "When pensions includes a defined benefit pension`)
	has(t, doc, ".versions", "applies: pensions")
	hasNot(t, doc, ".versions .badge[data-tone=amber]")
	forMo := page(t, mo.Get(t, "/interactions/"+id+"/recall"), http.StatusOK)
	has(t, forMo, ".versions", "applies")
	if strings.Contains(words(forMo, ".versions"), "applies: ") {
		t.Error("a manager reads what the customer said")
	}
	has(t, page(t, ann.Get(t, "/knowledge/rules/"+k.rule.ID), http.StatusOK), `a[href="/interactions/`+id+`/recall"]`,
		"its original prompt")

	edie := s.SignedIn(t, account.Expert)
	form := untouched(page(t, edie.Get(t, "/knowledge/rules/"+k.rule.ID+"/edit"), http.StatusOK), "form.card")
	if r := edie.Post(t, "/knowledge/rules/"+k.rule.ID+"/edit",
		with(form, "teach.0.kind", "other", "teach.0.text", "sing", "when.90.kind", "field", "when.90.name", "pensions",
			"when.90.how", "has", "when.90.value", "db", "when.90.on", "1", "reason",
			"new")); r.Status != http.StatusSeeOther {
		t.Fatalf("edit: %d", r.Status)
	}
	doc = page(t, ann.Get(t, "/interactions/"+id+"/recall"), http.StatusOK)
	has(t, doc, "#match", "identical, byte for byte")
	has(t, doc, ".versions", "changed since, in version 3")
	has(t, doc, ".versions pre", "say what is given up")
	page(t, ann.Get(t, "/interactions/nothing/recall"), http.StatusNotFound)
	real := bring(t, s, passing, dbCustomer())
	page(t, ann.Get(t, "/interactions/"+real+"/recall"), http.StatusNotFound) // an agent's, that named nothing
}

// A seeded check's prompt is hidden as its case is, and looks like any other until then.
func TestThePromptOfAPlantedCheckIsHiddenWithIt(t *testing.T) {
	s := apptest.Open(t)
	onlyDraft(t, s, "b01")
	sam, bea := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Supervisor)
	know(t, s, sam.Account)
	real := realCase(t, s, s.Token(t, account.Submit))
	fake, err := s.Planted.Plant(t.Context(), real)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := bea.Get(t, "/interactions/"+fake+"/recall"),
		bea.Get(t, "/interactions/"+real+"/recall"); a.Status != b.Status {
		t.Errorf("open, the planted one gives %d and the real one %d", a.Status, b.Status)
	}
	item, err := s.Reviews.Get(t.Context(), fake)
	if err != nil {
		t.Fatal(err)
	}
	res := sam.Post(t, "/reviews/"+fake+"/approve",
		url.Values{"version": {fmt.Sprint(item.Version)}, "text_hash": {item.TextHash}, "seconds": {"4"},
			"as": {sam.Account.ID}})
	if res.Status != http.StatusSeeOther {
		t.Fatalf("approve: %d %.300s", res.Status, res.Body)
	}
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	if r := bea.Get(t, "/interactions/"+fake+"/recall"); r.Status != http.StatusNotFound ||
		strings.Contains(r.Body, "planted") {
		t.Errorf("closed: %d", r.Status)
	}
	if _, err := s.Knowledge.Prompt(t.Context(), fake); err == nil {
		t.Error("its prompt is still kept")
	}
}

func TestALessonIsTakenBackAndBroughtBack(t *testing.T) {
	s := apptest.Open(t)
	ann, edie := s.SignedIn(t, account.Supervisor), s.SignedIn(t, account.Expert)
	for range 3 { // approved guidance to try a principle on
		id := bring(t, s, passing+" "+corrected, dbCustomer())
		form := seen(t, page(t, ann.Get(t, "/reviews/"+id), http.StatusOK), `form[action$="/approve"]`)
		if r := ann.Post(t, "/reviews/"+id+"/approve", form); r.Status != http.StatusSeeOther {
			t.Fatalf("approve: %d", r.Status)
		}
		agree(t, s, id)
	}
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	id := correct(t, s, ann)
	s.Clock.Advance(time.Minute)
	s.Drain(t)
	link, ok := page(t, edie.Get(t, "/learning"), http.StatusOK).
		Find("[aria-labelledby=col-accept] a[href^='/learning/']").First().Attr("href")
	if !ok {
		t.Fatal("no lesson waits for acceptance")
	}
	form := untouched(page(t, edie.Get(t, link), http.StatusOK), `form[action$="/accept"]`)
	if r := edie.Post(t, link+"/accept", form); r.Status != http.StatusSeeOther {
		t.Fatalf("accept: %d %.300s", r.Status, r.Body)
	}
	lesson, err := s.Learning.Get(t.Context(), strings.TrimPrefix(link, "/learning/"))
	if err != nil || lesson.InteractionID != id {
		t.Fatalf("%+v, %v", lesson, err)
	}
	status := func(want string) {
		t.Helper()
		r, err := s.Knowledge.Rule(t.Context(), lesson.RuleID)
		if err != nil || r.Status != want {
			t.Fatalf("the rule is %s, want %s, %v", r.Status, want, err)
		}
	}
	hasNot(t, page(t, ann.Get(t, link), http.StatusOK), `form[action$="/rollback"]`)
	form = untouched(page(t, edie.Get(t, link), http.StatusOK), `form[action$="/rollback"]`)
	has(t, page(t, edie.Post(t, link+"/rollback", with(form, "undo", " ")), http.StatusUnprocessableEntity),
		"#undo-error", "Say why")
	if r := edie.Post(t, link+"/rollback", with(form, "undo", "It confused people.")); r.Status != http.StatusSeeOther {
		t.Fatalf("take back: %d %.300s", r.Status, r.Body)
	}
	status(knowledge.Retired)
	doc := page(t, edie.Get(t, link), http.StatusOK)
	has(t, doc, ".story", "It confused people.")
	has(t, doc, "#bring-back", "Withdrawn")
	form = untouched(doc, `form[action$="/bring-back"]`)
	if r := edie.Post(t, link+"/bring-back", with(form, "undo", "It did not.")); r.Status != http.StatusSeeOther {
		t.Fatalf("bring back: %d %.300s", r.Status, r.Body)
	}
	status(knowledge.Active)
	has(t, page(t, edie.Get(t, link), http.StatusOK), ".story", "It did not.")
}
