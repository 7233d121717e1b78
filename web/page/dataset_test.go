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
	"preceptor/internal/dataset"
)

// labelSet is a set with n items for k labels each, made by the operator.
func labelSet(t *testing.T, s *apptest.Site, n, k int, change ...func(*dataset.Settings)) *dataset.Dataset {
	t.Helper()
	set := dataset.DefaultSettings()
	set.Name, set.Overlap, set.MaxLabels, set.CheckShare, set.Guidelines = "DB transfers", k, k, 0,
		"# The line\n\nGuide, **never** advise."
	for _, f := range change {
		f(&set)
	}
	d, err := s.Datasets.Create(t.Context(), set, dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	items := make([]dataset.NewItem, n)
	for i := range items {
		items[i] = dataset.NewItem{Text: dataset.Text{Question: "Should I transfer?",
			Guidance: fmt.Sprintf("Text %d. You should transfer before it is too late – it’s £310,000.", i+1)}}
	}
	if n == 0 {
		return d
	}
	out, err := s.Datasets.Add(t.Context(), d.ID, items, dataset.Operator)
	if err != nil || out[0].Result != dataset.Added {
		t.Fatal(err, out)
	}
	return d
}

// filled is all that a browser sends of the form at a selector as it stands.
func filled(t *testing.T, doc *goquery.Document, form string) url.Values {
	t.Helper()
	if doc.Find(form).Length() == 0 {
		t.Fatalf("there is no form %s", form)
	}
	v := url.Values{}
	doc.Find(form).First().Find("input[name], textarea[name], select[name]").Each(func(_ int, e *goquery.Selection) {
		name, value := e.AttrOr("name", ""), e.AttrOr("value", "")
		switch kind := e.AttrOr("type", ""); {
		case goquery.NodeName(e) == "textarea":
			value = strings.TrimPrefix(e.Text(), "\n")
		case goquery.NodeName(e) == "select":
			value = e.Find("option[selected]").AttrOr("value", "")
		case kind == "radio" || kind == "checkbox":
			if _, on := e.Attr("checked"); !on {
				return
			}
		case kind == "file":
			return
		}
		v.Add(name, value)
	})
	return v
}

// labelAs answers what a person has before them.
func labelAs(t *testing.T, c *apptest.Client, d *dataset.Dataset, label string, more ...string) apptest.Response {
	t.Helper()
	path := "/datasets/" + d.ID + "/label"
	form := with(filled(t, page(t, c.Get(t, path), http.StatusOK), "#answer"),
		append([]string{"label", label}, more...)...)
	return c.Post(t, path, form)
}

func TestTheListOfDatasetsIsTruthful(t *testing.T) {
	s := apptest.Open(t)
	boss, eve, sam := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Expert), s.SignedIn(t, account.Supervisor)
	has(t, page(t, boss.Get(t, "/datasets"), http.StatusOK), ".empty", "No datasets yet")
	has(t, page(t, eve.Get(t, "/datasets"), http.StatusOK), `#nav a[aria-current]`, "Datasets")
	hasNot(t, page(t, sam.Get(t, "/knowledge"), http.StatusOK), `#nav a[href="/datasets"]`)
	labelSet(t, s, 3, 2)
	doc := page(t, boss.Get(t, "/datasets"), http.StatusOK)
	has(t, doc, "tbody th", "DB transfers")
	has(t, doc, "thead", "Disputed")
	doc = page(t, eve.Get(t, "/datasets"), http.StatusOK)
	if strings.Contains(words(doc, "thead"), "Disputed") {
		t.Error("a labeller is told how the labels turn out")
	}
	has(t, doc, "tbody .btn", "Label")
}

// Whoever can give no label that is needed isn't asked for one: all are given, they gave theirs, or the set isn't
// theirs to label.
func TestLabelIsOfferedWhereALabelIsNeeded(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 1, 2)
	ann, ben, cy := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	offered := func(c *apptest.Client, want bool) {
		t.Helper()
		for at, selector := range map[string]string{"/datasets": "tbody .btn", "/datasets/" + d.ID: "#start",
			"/todo": `.queue-row a[href$="/label"]`} {
			if n := page(t, c.Get(t, at), http.StatusOK).Find(selector).Length(); (n > 0) != want {
				t.Errorf("%s offers %d times to label, want it to: %v", at, n, want)
			}
		}
	}
	offered(ann, true)
	labelAs(t, ann, d, "BORDERLINE")
	offered(ann, false)
	offered(ben, true)
	labelAs(t, ben, d, "BORDERLINE")
	offered(cy, false)
	d = labelSet(t, s, 1, 1, func(set *dataset.Settings) { set.Name, set.Invited = "Invited only", true })
	if n := page(t, cy.Get(t, "/datasets/"+d.ID), http.StatusOK).Find("#start").Length(); n != 0 {
		t.Error("a set by invitation offers others to label")
	}
}

func TestADatasetIsMadeAndWhatIsTypedIsKept(t *testing.T) {
	s := apptest.Open(t)
	boss := s.SignedIn(t, account.Manager)
	doc := page(t, boss.Get(t, "/datasets/new"), http.StatusOK)
	form := with(filled(t, doc, "main form"), "name", "  ", "guidelines", "Look at the last sentence.", "overlap",
		"many")
	doc = page(t, boss.Post(t, "/datasets", form), http.StatusUnprocessableEntity)
	has(t, doc, "#overlap-error", "whole number")
	if got := doc.Find("#guidelines").Text(); !strings.Contains(got, "Look at the last sentence.") {
		t.Errorf("the guidelines are %q", got)
	}
	form.Set("overlap", "3")
	doc = page(t, boss.Post(t, "/datasets", form), http.StatusUnprocessableEntity)
	has(t, doc, "#name-error", "Give it a name")
	has(t, doc, "#max_labels-error", "at least as many as the labels per item")
	form.Set("name", "Autumn")
	if r := boss.Post(t, "/datasets", form); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("at most 2 labels where 3 are needed: %d", r.Status)
	}
	form.Set("max_labels", "3")
	r := boss.Post(t, "/datasets", form)
	if r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	to := r.Header.Get("Location")
	has(t, page(t, boss.Get(t, to), http.StatusOK), ".empty", "No items yet")
	r = boss.Post(t, "/datasets", form)
	if r.Status != http.StatusConflict {
		t.Errorf("the same name again: %d", r.Status)
	}
	// Changing it takes the version that was seen.
	settings := filled(t, page(t, boss.Get(t, to+"/settings"), http.StatusOK), "form[action$='/settings']")
	if r := boss.Post(t, to+"/settings",
		with(settings, "purpose", "To measure the panel")); r.Status != http.StatusSeeOther {
		t.Fatalf("change: %d %.300s", r.Status, r.Body)
	}
	doc = page(t, boss.Post(t, to+"/settings", with(settings, "purpose", "Another")), http.StatusConflict)
	has(t, doc, ".notice", "This dataset has changed")
	if got := doc.Find("#purpose").AttrOr("value", ""); got != "Another" {
		t.Errorf("what was typed is %q", got)
	}
}

func TestLabellingWithoutAScript(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 3, 2)
	eve := s.SignedIn(t, account.Expert)
	path := "/datasets/" + d.ID + "/label"
	doc := page(t, eve.Get(t, path), http.StatusOK)
	has(t, doc, "[data-text]", "Text 1.")
	has(t, doc, ".guide-text strong", "never")
	has(t, doc, "#then", "Text 2.")
	if got := doc.Find(`input[name="label"][data-key="1"]`).AttrOr("value", ""); got != "COMPLIANT_GUIDANCE" {
		t.Errorf("the key 1 is %q", got)
	}
	// An answer without a label comes back as it was typed, the quoted words included.
	form := with(filled(t, doc, "#answer"), "code", "MISSING_RISK_DISCLOSURE", "quotes",
		"Pressure: before it is too late", "rationale", "It presses.", "confidence", "0.8")
	doc = page(t, eve.Post(t, path, form), http.StatusUnprocessableEntity)
	has(t, doc, ".notices", "Choose a label")
	has(t, doc, "#rationale", "It presses.")
	has(t, doc, "#quotes", "Pressure: before it is too late")
	if doc.Find(`input[name="code"][value="MISSING_RISK_DISCLOSURE"][checked]`).Length() != 1 ||
		doc.Find(`#confidence option[value="0.8"][selected]`).Length() != 1 {
		t.Error("what was chosen is lost")
	}
	// Words that the text does not say are named.
	doc = page(t, eve.Post(t, path, with(form, "label", "NON_COMPLIANT", "quotes", "PRESSURE: hurry up")),
		http.StatusUnprocessableEntity)
	has(t, doc, "#quotes-error", "hurry up")
	r := eve.Post(t, path, with(form, "label", "NON_COMPLIANT", "quotes", "Pressure: before it is too late", "spent_ms",
		"4200"))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.300s", r.Status, r.Body)
	}
	list, err := s.Datasets.Mine(t.Context(), d.ID, dataset.Person{ID: eve.Account.ID}, 0)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	got := list[0]
	want := []dataset.Issue{{Code: "MISSING_RISK_DISCLOSURE"}, {Code: "PRESSURE", Start: 28, End: 49}}
	if got.Label.Label != "NON_COMPLIANT" || fmt.Sprint(got.Issues) != fmt.Sprint(want) || *got.Confidence != 0.8 ||
		got.SpentMs != 4200 {
		t.Errorf("kept is %+v", got)
	}
	// The same again is no second answer.
	if r := eve.Post(t, path, with(form, "label", "NON_COMPLIANT", "quotes", "")); r.Status != http.StatusConflict {
		t.Errorf("twice: %d", r.Status)
	}
	doc = page(t, eve.Get(t, path), http.StatusOK)
	has(t, doc, "[data-text]", "Text 2.")
	has(t, doc, "#rail", "Non-compliant")
	has(t, doc, ".label-pace", "You: 1")
}

func TestSkipFlagUndoAndChange(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 2, 2)
	eve := s.SignedIn(t, account.Expert)
	path := "/datasets/" + d.ID + "/label"
	doc := page(t, eve.Get(t, path), http.StatusOK)
	if r := eve.Post(t, path+"/flag",
		with(filled(t, doc, "#flag-sheet form"), "note", "It is cut off.")); r.Status != http.StatusSeeOther {
		t.Fatalf("flag: %d", r.Status)
	}
	doc = page(t, eve.Get(t, path), http.StatusOK)
	has(t, doc, ".label-bar", "Flagged")
	skip := with(filled(t, doc, "#skip-sheet form"), "reason", "")
	skip.Del("why")
	if r := eve.Post(t, path+"/skip", skip); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("skipped without a reason: %d", r.Status)
	}
	if r := eve.Post(t, path+"/skip",
		with(skip, "why", "I know the customer or the case")); r.Status != http.StatusSeeOther {
		t.Errorf("skip: %d", r.Status)
	}
	if r := labelAs(t, eve, d, "BORDERLINE", "rationale", "A steer."); r.Status != http.StatusSeeOther {
		t.Fatalf("label: %d", r.Status)
	}
	doc = page(t, eve.Get(t, path), http.StatusOK)
	has(t, doc, ".empty", "Only skipped items are left")
	if u := doc.Find("#rail .rail-item button[data-key='u']"); u.Length() != 1 ||
		doc.Find("#rail .rail-item").First().Find("button[data-key='u']").Length() != 1 {
		t.Error("u undoes something else than the last answer")
	}
	doc = page(t, eve.Post(t, path+"/undo", filled(t, doc, "#rail form")), http.StatusOK)
	has(t, doc, "#rationale", "A steer.")
	if doc.Find(`input[name="label"][value="BORDERLINE"][checked]`).Length() != 1 {
		t.Error("the answer is not there to be changed")
	}
	labelAs(t, eve, d, "NON_COMPLIANT")
	doc = page(t, eve.Get(t, path), http.StatusOK)
	change := doc.Find("#rail a").AttrOr("href", "")
	doc = page(t, eve.Get(t, change), http.StatusOK)
	has(t, doc, ".notices", "You have already labelled this item")
	if r := eve.Post(t, path, with(filled(t, doc, "#answer"), "label", "BORDERLINE")); r.Status != http.StatusSeeOther {
		t.Fatalf("change: %d %.300s", r.Status, r.Body)
	}
	if r := eve.Post(t, path+"/unskip", url.Values{}); r.Status != http.StatusSeeOther {
		t.Errorf("unskip: %d", r.Status)
	}
	has(t, page(t, eve.Get(t, path), http.StatusOK), "[data-text]", "Text 1.")
}

// After a skip the rail has it first, and u takes it back; the label before it stays.
func TestUndoAfterASkipTakesBackTheSkip(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 3, 2)
	eve := s.SignedIn(t, account.Expert)
	path := "/datasets/" + d.ID + "/label"
	labelAs(t, eve, d, "BORDERLINE", "rationale", "A steer.")
	doc := page(t, eve.Get(t, path), http.StatusOK)
	has(t, doc, "[data-text]", "Text 2.")
	if r := eve.Post(t, path+"/skip",
		with(filled(t, doc, "#skip-sheet form"), "reason", "I wrote it")); r.Status != http.StatusSeeOther {
		t.Fatalf("skip: %d", r.Status)
	}
	doc = page(t, eve.Get(t, path), http.StatusOK)
	first := doc.Find("#rail .rail-item").First()
	if first.Find(".badge").Text() != "Skipped" || !strings.Contains(first.Text(), "I wrote it") ||
		first.Find("button[data-key='u']").Length() != 1 || doc.Find("#rail [data-key='u']").Length() != 1 {
		t.Fatalf("the rail begins with %s", first.Text())
	}
	doc = page(t, eve.Post(t, path+"/undo", filled(t, doc, "#rail form")), http.StatusOK)
	has(t, doc, "[data-text]", "Text 2.")
	has(t, doc, "#rail", "Borderline")
	if doc.Find("#rail .rail-item").Length() != 1 {
		t.Error("the skip is still in the rail, or the label is gone")
	}
	list, err := s.Datasets.Mine(t.Context(), d.ID, dataset.Person{ID: eve.Account.ID}, 0)
	if err != nil || len(list) != 1 || list[0].Label.Label != "BORDERLINE" {
		t.Errorf("%+v, %v", list, err)
	}
}

// Nothing on a labeller's pages differs between an item that another labelled and one that nobody did, nor between a
// check and an ordinary item.
func TestALabellerSeesNothingOfOthers(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 1, 2, func(set *dataset.Settings) { set.CheckShare = 50 })
	known := dataset.Answer{Label: "BORDERLINE"}
	if _, err := s.Datasets.Add(t.Context(), d.ID,
		[]dataset.NewItem{
			{Text: dataset.Text{Question: "Should I transfer?",
				Guidance: "Text 9. You should transfer before it is too late – it’s £310,000."}, Known: &known}},
		dataset.Operator); err != nil {
		t.Fatal(err)
	}
	ann, ben := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	path := "/datasets/" + d.ID + "/label"
	before := ben.Get(t, path)
	labelAs(t, ann, d, "NON_COMPLIANT", "rationale", "Tells her to transfer.")
	after := ben.Get(t, path)
	for _, word := range []string{"Tells her to transfer", "check item", "planted"} {
		if strings.Contains(after.Body, word) {
			t.Errorf("the page says %q", word)
		}
	}
	one, two := shape(t, before.Body), shape(t, after.Body)
	if len(one) != len(two) {
		t.Errorf("%d elements before, %d after another labelled it", len(one), len(two))
	}
	for _, p := range []string{"/items", "/items/x"} {
		if r := ben.Get(t, "/datasets/"+d.ID+p); r.Status != http.StatusForbidden {
			t.Errorf("%s: %d for a labeller", p, r.Status)
		}
	}
	doc := page(t, ben.Get(t, "/datasets/"+d.ID), http.StatusOK)
	for _, word := range []string{"Disputed", "Labellers", "Person 1"} {
		if strings.Contains(words(doc, "#set"), word) {
			t.Errorf("the overview tells a labeller of %q", word)
		}
	}
}

// disputedSet is a set with one item that two people labelled differently, past the time of taking back.
func disputedSet(t *testing.T, s *apptest.Site) (d *dataset.Dataset, ann, ben *apptest.Client) {
	t.Helper()
	d = labelSet(t, s, 1, 2)
	ann, ben = s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	labelAs(t, ann, d, "NON_COMPLIANT", "span", "PRESSURE 28 49", "rationale", "It presses.")
	labelAs(t, ben, d, "BORDERLINE", "notes", "Not sure.")
	s.Clock.Advance(dataset.UndoFor + time.Minute)
	return d, ann, ben
}

func TestAdjudicationShowsAllAnswersAndTakesTheRuling(t *testing.T) {
	s := apptest.Open(t)
	d, ann, _ := disputedSet(t, s)
	path := "/datasets/" + d.ID + "/adjudicate"
	has(t, page(t, ann.Get(t, path), http.StatusOK), ".empty", "Nothing for you to rule on") // she labelled it
	cy := s.SignedIn(t, account.Expert)
	doc := page(t, cy.Get(t, path), http.StatusOK)
	item := doc.Find(".result a").AttrOr("href", "")
	if r := ann.Get(t, item); r.Status != http.StatusForbidden {
		t.Errorf("who labelled it opens it: %d", r.Status)
	}
	doc = page(t, cy.Get(t, item), http.StatusOK)
	has(t, doc, ".differs", "Label")
	has(t, doc, ".sides", "It presses.")
	has(t, doc, ".sides", "Not sure.")
	has(t, doc, "[data-text] mark", "before it is too late")
	// Starting from an answer takes over its label and marks, and not its reason.
	like := page(t, cy.Get(t, doc.Find(`#answer a[href*="like="]`).First().AttrOr("href", "")), http.StatusOK)
	if like.Find(`input[name="label"][value="NON_COMPLIANT"][checked]`).Length() != 1 ||
		like.Find(`input[name="span"]`).Length() != 1 || like.Find("#rationale").Text() == "It presses." {
		t.Error("the answer was not taken over as it should be")
	}
	form := with(filled(t, doc, "#answer"), "label", "NON_COMPLIANT", "span", "PRESSURE 28 49")
	doc = page(t, cy.Post(t, item, form), http.StatusUnprocessableEntity)
	has(t, doc, "#rationale-error", "Say why")
	has(t, doc, "#spans", "before it is too late")
	if r := cy.Post(t, item, with(form, "rationale", "Told to act, and pressed.")); r.Status != http.StatusSeeOther {
		t.Fatalf("rule: %d %.400s", r.Status, r.Body)
	}
	doc = page(t, cy.Get(t, item), http.StatusOK)
	has(t, doc, "#ruled-title", "The ruling")
	undo := filled(t, doc, `form[action$="/undo"]`)
	doc = page(t, cy.Post(t, item+"/undo", with(undo, "why", " ")), http.StatusUnprocessableEntity)
	has(t, doc, "#why-error", "Say why")
	if r := cy.Post(t, item+"/undo", with(undo, "why", "Read it again.")); r.Status != http.StatusSeeOther {
		t.Fatalf("undo: %d", r.Status)
	}
	has(t, page(t, cy.Get(t, item), http.StatusOK), "details", "withdrew it")
}

func TestAgreementSaysWhatIsUndefinedAndWhy(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 2, 2)
	boss := s.SignedIn(t, account.Manager)
	has(t, page(t, boss.Get(t, "/datasets/"+d.ID+"/agreement"), http.StatusOK), "#headline",
		"No item has all its labels")
	ann, ben := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	for _, c := range []*apptest.Client{ann, ben} {
		labelAs(t, c, d, "BORDERLINE")
		labelAs(t, c, d, "BORDERLINE")
	}
	// still hidden
	has(t, page(t, boss.Get(t, "/datasets/"+d.ID+"/agreement"), http.StatusOK), "#headline", "none is measured yet")
	s.Clock.Advance(dataset.UndoFor + time.Minute)
	doc := page(t, boss.Get(t, "/datasets/"+d.ID+"/agreement"), http.StatusOK)
	has(t, doc, "#headline", "100.0%")
	has(t, doc, "table", "n/a")
	has(t, doc, "table", "only one label was used")
	hasNot(t, doc, "#measured")
	one, err := s.Datasets.Add(t.Context(), d.ID,
		[]dataset.NewItem{{Text: dataset.Text{Question: "And now?", Guidance: "You could wait."}}}, dataset.Operator)
	if err != nil || one[0].Result != dataset.Added {
		t.Fatal(err, one)
	}
	for _, c := range []*apptest.Client{s.Enter(t, ann.Account), s.Enter(t, ben.Account)} {
		labelAs(t, c, d, "BORDERLINE")
	}
	has(t, page(t, boss.Get(t, "/datasets/"+d.ID), http.StatusOK), ".figures", "of 3")
	has(t, page(t, boss.Get(t, "/datasets/"+d.ID+"/agreement"), http.StatusOK), "#measured",
		"2 are measured of 3 complete items")
	for _, q := range []string{"?of=boundary", "?of=code:PRESSURE", "?of=code:%3Cscript%3E"} {
		page(t, boss.Get(t, "/datasets/"+d.ID+"/agreement"+q), http.StatusOK)
	}
}

// Whoever may add an item by hand finds where, also in a set that has some.
func TestAnExpertWritesMoreThanTheFirstItem(t *testing.T) {
	s := apptest.Open(t)
	ann := s.SignedIn(t, account.Expert)
	path := "/datasets/" + labelSet(t, s, 2, 2).ID
	for _, tab := range []string{"", "/agreement", "/versions", "/files", "/settings"} {
		has(t, page(t, ann.Get(t, path+tab), http.StatusOK), `a[href="`+path+`/items/new"]`, "Write an item")
	}
}

func TestItemsAreForWhoKeepsTheSet(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 30, 2)
	boss := s.SignedIn(t, account.Manager)
	root := s.SignedIn(t, account.Admin)
	path := "/datasets/" + d.ID + "/items"
	doc := page(t, boss.Get(t, path), http.StatusOK)
	if n := doc.Find("tbody tr").Length(); n != 25 {
		t.Errorf("%d rows on the first page", n)
	}
	doc = page(t, boss.Get(t, doc.Find(".pager a[rel=next]").AttrOr("href", "")), http.StatusOK)
	if n := doc.Find("tbody tr").Length(); n != 5 {
		t.Errorf("%d rows on the second page", n)
	}
	eve := s.SignedIn(t, account.Expert)
	ticked := url.Values{"person": {eve.Account.ID}}
	page(t, boss.Get(t, path), http.StatusOK).Find(`tbody input[name="id"]`).
		EachWithBreak(func(i int, e *goquery.Selection) bool {
			ticked.Add("id", e.AttrOr("value", ""))
			return i < 2
		})
	for _, want := range []string{"3 items are now on the list", "has or had all of these"} {
		r := boss.Post(t, path+"/assign", ticked)
		has(t, page(t, boss.Get(t, r.Header.Get("Location")), http.StatusOK), "#notice", want)
	}
	if r := boss.Post(t, path+"/assign", url.Values{"id": ticked["id"]}); r.Status != http.StatusUnprocessableEntity {
		t.Errorf("assigned to nobody: %d", r.Status)
	}
	item := doc.Find("tbody a").First().AttrOr("href", "")
	doc = page(t, boss.Get(t, item), http.StatusOK)
	hasNot(t, doc, `form[action$="/erase"]`)
	if r := boss.Post(t, item+"/erase", url.Values{"reason": {"Asked for."}}); r.Status != http.StatusForbidden {
		t.Errorf("a manager erases: %d", r.Status)
	}
	has(t, page(t, boss.Post(t, item+"/exclude", url.Values{"reason": {""}}), http.StatusUnprocessableEntity),
		"#reason-exclude-error", "Say why")
	boss.Post(t, item+"/exclude", url.Values{"reason": {"Not about pensions."}})
	has(t, page(t, boss.Get(t, item), http.StatusOK), ".facts", "Not about pensions.")
	boss.Post(t, item+"/include", url.Values{})
	if r := boss.Post(t, item+"/check", url.Values{"label": {"BORDERLINE"}}); r.Status != http.StatusSeeOther {
		t.Errorf("plant: %d %.300s", r.Status, r.Body)
	}
	has(t, page(t, boss.Get(t, path+"?checks=yes"), http.StatusOK), "tbody", "check item")
	if r := root.Post(t, item+"/erase",
		url.Values{"reason": {"The customer asked for it."}}); r.Status != http.StatusSeeOther {
		t.Errorf("erase: %d %.300s", r.Status, r.Body)
	}
	doc = page(t, root.Get(t, item), http.StatusOK)
	if strings.Contains(words(doc, "main"), "too late") {
		t.Error("the text is still there")
	}
	// By hand, and the same again.
	form := with(filled(t, page(t, boss.Get(t, path+"/new"), http.StatusOK), "main form"), "guidance", "A new one.",
		"customer", "age: 58\nno colon")
	has(t, page(t, boss.Post(t, path, form), http.StatusUnprocessableEntity), "#customer-error", "name: value")
	form.Set("customer", "age: 58")
	for _, want := range []string{"Item added.", "already here"} {
		r := boss.Post(t, path, form)
		has(t, page(t, boss.Get(t, r.Header.Get("Location")), http.StatusOK), "#notice", want)
	}
}
