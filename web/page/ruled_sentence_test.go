package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
)

// ruleFine has an expert answer a case on a draft, call all its findings wrong, and keep the answer.
func ruleFine(t *testing.T, site *apptest.Site, expert *apptest.Client, interactionID string) (caseID string) {
	t.Helper()
	in, err := site.Interactions.Get(t.Context(), interactionID)
	if err != nil {
		t.Fatal(err)
	}
	if cases, _, err := site.Borderline.ForInteraction(t.Context(), in.ID); err != nil || len(cases) == 0 {
		sam := site.Account(t, account.Supervisor)
		v := site.Validator.Glance(in.Guidance, in.Consultation)
		if _, err := site.Borderline.Send(t.Context(),
			borderline.SendInput{Subject: borderline.Subject{Interaction: in, Text: in.Guidance, Verdict: v},
				By: borderline.Person{ID: sam.ID, Name: sam.Name}, Note: "Is that a steer?"}); err != nil {
			t.Fatal(err)
		}
	}
	cases, _, err := site.Borderline.ForInteraction(t.Context(), in.ID)
	if err != nil || len(cases) != 1 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	at := "/compliance/" + cases[0].ID
	doc := page(t, expert.Get(t, at), http.StatusOK)
	if doc.Find("#findings").Length() > 0 {
		t.Error("findings are shown before the blind answer")
	}
	if r := expert.Post(t, at+"/answer",
		with(hidden(doc, "#answer"), "label", string(compliance.Compliant), "boundary", compliance.Guidance,
			"confidence", "80", "rationale", "It names an option.")); r.Status != http.StatusSeeOther {
		t.Fatalf("answer: %d %.600s", r.Status, r.Body)
	}
	said := wrong(t, page(t, expert.Get(t, at), http.StatusOK), "keep")
	if r := expert.Post(t, at+"/keep", said); r.Status != http.StatusSeeOther {
		t.Fatalf("keep: %d %.600s", r.Status, r.Body)
	}
	has(t, page(t, expert.Get(t, at), http.StatusOK), "#answers", "Wrong: Disguised recommendation")
	return cases[0].ID
}

// wrong are the fields that call all findings of a page wrong; they are in a form's reach by keyboard.
func wrong(t *testing.T, doc *goquery.Document, formID string) url.Values {
	t.Helper()
	said := url.Values{}
	doc.Find("#findings fieldset").Each(func(_ int, f *goquery.Selection) {
		if f.Find("legend").Length() != 1 || f.Find(`input[type=radio][form=`+formID+`]`).Length() != 3 ||
			f.Find("input[checked]").AttrOr("value", "?") != "" {
			t.Errorf("a finding's choices: %s", f.Text())
		}
		in := f.Find(`input[value^="wrong:"]`)
		said.Set(in.AttrOr("name", ""), in.AttrOr("value", ""))
	})
	if doc.Find("form#"+formID).Length() != 1 || len(said) == 0 {
		t.Fatalf("no findings to click in #%s", formID)
	}
	return said
}

func TestExpertsRuleOnSentences(t *testing.T) {
	site := apptest.Open(t)
	eva, fay, sam := site.SignedIn(t, account.Expert), site.SignedIn(t, account.Expert),
		site.SignedIn(t, account.Supervisor)
	const text = "There are a few ways to look after old pots. Given your situation, you might want to consider " +
		"consolidating those pensions. Check the charges first, and Pension Wise offers free guidance."
	flagged := func() (flags, left *goquery.Selection) {
		t.Helper()
		doc := page(t, sam.Get(t, "/reviews/"+bring(t, site, text, dcCustomer())), http.StatusOK)
		return doc.Find(".flags"), doc.Find("#left-out")
	}
	ruleFine(t, site, eva, bring(t, site, text, dcCustomer()))
	list := "/compliance?list=sentences"
	has(t, page(t, eva.Get(t, list), http.StatusOK), "#sentences", "needs a second expert")
	if page(t, fay.Get(t, list), http.StatusOK).Find("#sentences").Length() > 0 {
		t.Error("Fay, who may still have to answer that case, reads what was said of it")
	}
	second := bring(t, site, text, dcCustomer())
	if f, left := flagged(); f.Length() == 0 || left.Length() > 0 {
		t.Fatal("one expert is enough")
	}
	caseID := ruleFine(t, site, fay, second)
	f, left := flagged()
	if strings.Contains(f.Text(), "Disguised recommendation") ||
		!strings.Contains(left.Text(), "Two experts ruled that this sentence is fine") ||
		left.Find(`a[href="/compliance/`+caseID+`"]`).Length() == 0 {
		t.Errorf("flagged: %q; left out: %q", f.Text(), left.Text())
	}
	site.Clock.Advance(borderline.UndoFor)
	for _, c := range []*apptest.Client{fay, site.SignedIn(t, account.Manager)} {
		doc := page(t, c.Get(t, list), http.StatusOK)
		has(t, doc, "#sentences", "no longer flagged")
		if ends := doc.Find("#sentences form").Length() > 0; ends != (c == fay) {
			t.Errorf("%s can end it: %v", c.Account.Name, ends)
		}
	}
	doc := page(t, fay.Get(t, list), http.StatusOK)
	end := doc.Find("#sentences li:contains('Disguised recommendation') form").First().AttrOr("action", "")
	if r := sam.Post(t, end, url.Values{"reason": {"No."}}); r.Status != http.StatusForbidden {
		t.Errorf("a supervisor ends it: %d", r.Status)
	}
	has(t, page(t, fay.Post(t, end, url.Values{"reason": {" "}}), http.StatusUnprocessableEntity),
		"#sentences details[open]", "Say why it no longer applies.")
	if r := fay.Post(t, end, url.Values{"reason": {"The rubric is stricter now."}}); r.Status != http.StatusSeeOther {
		t.Fatalf("end: %d %.600s", r.Status, r.Body)
	}
	if f, left := flagged(); !strings.Contains(f.Text(), "Disguised recommendation") ||
		strings.Contains(left.Text(), "Disguised recommendation") {
		t.Error("it is followed though it ended")
	}
}
